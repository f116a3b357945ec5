use std::fs;
use std::path::Path;
use ui::Output;

#[cfg(test)]
mod tests;

/// Files of one purpose: a directory below the crawl's, and what their names have in them.
struct Kind {
    dir: &'static str,
    part: &'static str,
    what: &'static str,
}

const KINDS: [Kind; 7] = [
    Kind { dir: "archive", part: ".warc.gz", what: "every response as it came: WARC 1.1" },
    Kind { dir: "archive", part: ".cdxj", what: "the index of the archive" },
    Kind { dir: "corpus", part: ".parquet", what: "one row a page: URL, time, title, language, text" },
    Kind { dir: "export", part: "", what: "made by drumlin export" },
    Kind { dir: "", part: ".log", what: "one line an attempt; the latest are in crawl.log" },
    Kind { dir: "", part: "drumlin.toml", what: "the effective configuration" },
    Kind { dir: "state", part: "", what: "journal, checkpoint, seeds" },
];

/// Entries of a directory that are looked at: a crawl of a hundred terabytes has as many files.
const ENTRIES: usize = 100_000;

/// What is there of each kind.
pub(super) fn of(dir: &Path) -> Vec<Output> {
    KINDS.iter().filter_map(|kind| kind.output(dir)).collect()
}

impl Kind {
    fn output(&self, dir: &Path) -> Option<Output> {
        let mut output = Output { path: self.pattern(), what: self.what, files: 0, bytes: 0 };
        let (mut dirs, mut room) = (vec![dir.join(self.dir)], ENTRIES);
        while let Some(dir) = dirs.pop() {
            for entry in fs::read_dir(dir).into_iter().flatten().take(room).flatten() {
                room -= 1;
                let Ok(found) = entry.metadata() else { continue };
                // One that is being written has more at its end.
                if found.is_file() && entry.file_name().to_string_lossy().contains(self.part) {
                    output.files += 1;
                    output.bytes += found.len();
                } else if found.is_dir() && self.is_a_tree() {
                    dirs.push(entry.path());
                }
            }
        }
        (output.files > 0).then_some(output)
    }

    /// Whatever lies there is of the kind, in directories of its own, too.
    fn is_a_tree(&self) -> bool {
        self.part.is_empty()
    }

    fn pattern(&self) -> String {
        match (self.dir, self.part) {
            ("", end) if end.starts_with('.') => format!("*{end}"),
            ("", name) => name.to_owned(),
            (dir, part) => format!("{dir}/*{part}"),
        }
    }
}
