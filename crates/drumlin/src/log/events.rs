use super::{Args, Form, Out, is_watched, wait};
use crate::diary::DIR;
use crate::exit::bad_usage;
use logs::{CURRENT, Level, for_people};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Shows the files of events, the oldest first, and follows the one that is written.
pub(super) fn show(args: &Args, out: &mut Out<'_>) -> anyhow::Result<()> {
    let form = match args.format {
        Some(Form::Heritrix) => return Err(bad_usage("--format heritrix is for attempts, not for --events")),
        Some(form) => form,
        None if is_watched() => Form::Plain,
        None => Form::Json,
    };
    let dir = args.dir.join(DIR);
    let mut shown = Shown { form, most: args.level, out };
    for number in (1..=logs::limits::FILES_MAX).rev() {
        let file = open(&dir.join(format!("events.{number}.jsonl")))?;
        file.map_or(Ok(()), |file| Lines::of(file).each(&mut shown))?;
    }
    let mut current = None;
    loop {
        current = go_on(&dir, current, &mut shown)?;
        shown.out.0.flush()?;
        if !args.follow {
            return Ok(());
        }
        wait();
    }
}

/// Which lines, how, and where.
struct Shown<'a, 'b> {
    form: Form,
    most: Level,
    out: &'a mut Out<'b>,
}

impl Shown<'_, '_> {
    fn take(&mut self, line: &str) -> anyhow::Result<()> {
        match self.shown(line) {
            Some(line) => self.out.line(&line),
            None => Ok(()),
        }
    }

    /// What a power loss left half written is no line.
    fn shown(&self, line: &str) -> Option<String> {
        let value: Value = serde_json::from_str(line).ok()?;
        let level: Level = value["level"].as_str()?.parse().ok()?;
        if level > self.most {
            return None;
        }
        if self.form == Form::Plain { for_people(line) } else { Some(line.to_owned()) }
    }
}

/// A file whose lines come one after the other, and may not all be there yet.
struct Lines {
    file: BufReader<File>,
    /// A last line without its end.
    rest: String,
}

impl Lines {
    fn of(file: File) -> Self {
        Self { file: BufReader::new(file), rest: String::new() }
    }

    /// Those that have come.
    fn each(&mut self, shown: &mut Shown<'_, '_>) -> anyhow::Result<()> {
        while self.file.read_line(&mut self.rest)? > 0 {
            let Some(line) = self.rest.strip_suffix('\n') else { break };
            shown.take(line)?;
            self.rest.clear();
        }
        Ok(())
    }
}

/// Shows what has come to the file that is written; where another has taken its place, what was still written to the former first.
fn go_on(dir: &Path, current: Option<Lines>, shown: &mut Shown<'_, '_>) -> anyhow::Result<Option<Lines>> {
    let path = dir.join(CURRENT);
    let is_there = |lines: &Lines| -> io::Result<bool> {
        let here = fs::metadata(&path).map(|file| file.ino()).ok();
        Ok(here == Some(lines.file.get_ref().metadata()?.ino()))
    };
    if let Some(mut lines) = current {
        let same = is_there(&lines)?;
        lines.each(shown)?;
        if same {
            return Ok(Some(lines));
        }
    }
    let mut lines = open(&path)?.map(Lines::of);
    lines.as_mut().map_or(Ok(()), |lines| lines.each(shown))?;
    Ok(lines)
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))),
    }
}
