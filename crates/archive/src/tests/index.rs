use super::*;
use crate::index::run;
use crate::merge::Sorted;

fn index_of(disk: &MemDisk) -> String {
    String::from_utf8(content(disk, Path::new("archive/index.cdxj"))).expect("text")
}

#[test]
fn the_index_lists_every_capture_once_in_bytewise_order() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..60)).expect("commits");
    archive.finish().expect("finishes");
    let index = index_of(&disk);
    let lines: Vec<&str> = index.lines().collect();
    assert!(lines.is_sorted_by(|a, b| a.as_bytes() < b.as_bytes()));
    let entries = ledger_of(&disk);
    let captures: Vec<_> = entries.iter().filter_map(|entry| entry.location).collect();
    assert_eq!(lines.len(), captures.len());
    for location in captures {
        let place = format!(
            "\"length\": \"{}\", \"offset\": \"{}\", \"filename\": \"{}\"",
            location.response_length,
            location.response_offset,
            archive.file_name(location.serial).expect("a file"),
        );
        let url = archive.read(location).expect("stored").capture.url;
        let found =
            lines.iter().filter(|line| line.starts_with(&format!("surt:{url} ")) && line.contains(&place));
        assert_eq!(found.count(), 1, "{url}");
    }
}

#[test]
fn a_run_made_by_reading_is_the_run_the_writer_made() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..30)).expect("commits");
    archive.finish().expect("finishes");
    let written = index_of(&disk);
    for run in files(&disk, "state/cdxj", ".run") {
        disk.remove(&run).expect("there");
    }
    archive.finish().expect("finishes");
    assert_eq!(index_of(&disk), written);
}

#[test]
fn an_archive_goes_on_after_it_was_finished() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.finish().expect("finishes with nothing");
    assert_eq!(index_of(&disk), "");
    archive.commit(NOW, &batch(1..3)).expect("commits");
    archive.finish().expect("finishes");
    archive.commit(NOW, &batch(3..6)).expect("commits");
    archive.finish().expect("finishes");
    assert_eq!(index_of(&disk).lines().count(), 4);
    assert_eq!(files(&disk, "archive", ".warc.gz").len(), 2);
    check_entries(&archive, &ledger_of(&disk));
}

#[test]
fn many_runs_merge_in_little_memory_and_equal_lines_become_one() {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("runs")).expect("memory");
    let line = |n: u64| format!("{n:08} {}\n", "x".repeat((n % 9000) as usize));
    let paths: Vec<PathBuf> = (0..40).map(|run| PathBuf::from(format!("runs/{run}"))).collect();
    for (run, path) in paths.iter().enumerate() {
        let text: String = (0..20).map(|n| line(n * 40 + run as u64)).chain([line(99_999)]).collect();
        disk::replace_file(&disk, path, text.as_bytes()).expect("memory");
    }
    let wanted: String = (0..800).map(line).chain([line(99_999)]).collect();
    disk.create_dir(Path::new("state/cdxj")).expect("memory");
    for memory_bytes in [1 << 20, 64 << 10, 20 << 10, 0] {
        let runs: Vec<_> = paths.iter().map(|path| Sorted::whole(&disk, path.clone()).unwrap()).collect();
        crate::merge::merge_runs(&disk, &runs, Path::new("out"), memory_bytes, &mut stdx::nobody)
            .expect("merges");
        let merged = String::from_utf8(content(&disk, Path::new("out"))).expect("text");
        assert!(merged == wanted, "in {memory_bytes}");
    }
    assert_eq!(files(&disk, "state/cdxj", "").len(), 0, "nothing is left of what was merged first");
}

#[test]
fn an_index_beyond_its_memory_is_the_same() {
    let index = |index_bytes| {
        let disk = MemDisk::new();
        let config = ArchiveConfig { index_bytes, max_file_bytes: 1 << 20, ..config() };
        let mut archive = Archive::open(Arc::new(disk.clone()), config, NOW).expect("opens").archive;
        for n in (1..60).step_by(5) {
            archive.commit(NOW, &batch(n..n + 5)).expect("commits");
        }
        let pieces = files(&disk, "state/cdxj", ".tmp").len();
        archive.finish().expect("finishes");
        let written = index_of(&disk);
        for run in files(&disk, "state/cdxj", ".run") {
            disk.remove(&run).expect("there");
        }
        archive.finish().expect("finishes");
        assert_eq!(index_of(&disk), written, "made by reading");
        assert_eq!(files(&disk, "state/cdxj", ".tmp").len(), 0, "no piece is left");
        (written, pieces)
    };
    let (held, spilled) = (index(1 << 20), index(500));
    assert_eq!((held.1, held.0), (0, spilled.0));
    assert!(spilled.1 > 2, "{} pieces", spilled.1);
}

/// The golden file is that of an empty file's two lines.
#[test]
fn version_1_runs_are_read_forever() {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("state/cdxj")).expect("memory");
    disk::replace_file(&disk, Path::new("state/cdxj/x.run"), include_bytes!("golden/cdxj-run-v1"))
        .expect("memory");
    let lines = run::lines_of(&disk, "x").expect("readable").expect("sound");
    assert_eq!(lines.bytes, 50);
    assert_eq!(run::warc_bytes(&disk, "x").expect("readable"), Some(0x0102));
    overwrite(&disk, Path::new("state/cdxj/x.run"), 49, b"?");
    assert_eq!(run::lines_of(&disk, "x").expect("readable"), None);
}

#[test]
fn a_run_that_is_not_what_was_written_is_made_again() {
    let disk = MemDisk::new();
    let mut archive = open(&disk).archive;
    archive.commit(NOW, &batch(1..30)).expect("commits");
    archive.finish().expect("finishes");
    let written = index_of(&disk);
    let run = files(&disk, "state/cdxj", ".run").remove(0);
    let bytes = content(&disk, &run);
    let at = written.find("\"offset\": \"").expect("a line") + 12;
    let mut flipped = bytes.clone();
    flipped[at] ^= 1;
    let second = bytes.iter().position(|&b| b == b'\n').expect("a line") + 1;
    let without_trailer = &bytes[..bytes.len() - 32];
    for damaged in
        [&flipped, &[][..], &bytes[..second], without_trailer, &bytes[..bytes.len() - 1], &bytes[second..]]
    {
        disk::replace_file(&disk, &run, damaged).expect("memory");
        archive.finish().expect("finishes");
        assert_eq!(index_of(&disk), written);
        assert_eq!(content(&disk, &run), bytes);
    }
}
