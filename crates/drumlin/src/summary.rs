//! What is shown when a crawl has ended.

mod table;

#[cfg(test)]
mod tests;

use crate::args::Output;
use crate::exit::Exit;
use crate::seeds::Taken;
use crate::terminal;
use node::Ended;
use serde_json::json;
use std::io::{self, Write, stderr, stdout};
use std::path::Path;
use stdx::WallTime;

/// Prints the end of a crawl: a table for people, one JSON line for programs.
pub(crate) fn print(taken: &Taken, dir: &Path, ended: &Ended, output: Output) {
    let to_people = !output.json && terminal::is_watched();
    let written = if to_people && !output.quiet {
        stderr().write_all(table::summary(taken, dir, ended).as_bytes())
    } else if output.json || !output.quiet {
        writeln!(stdout(), "{}", end_line(taken, dir, ended))
    } else {
        Ok(())
    };
    if let Some(fault) = fault(written) {
        terminal::tell(fault);
    }
}

/// What kept the end from being told. Whoever was to read it may be gone, which is no fault; the crawl has ended all the same.
fn fault(written: io::Result<()>) -> Option<String> {
    let error = written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)?;
    Some(format!("the crawl has ended and is saved, but its end cannot be written: {error}"))
}

/// The last JSON line.
fn end_line(taken: &Taken, dir: &Path, ended: &Ended) -> serde_json::Value {
    let waiting = ended.waiting.iter().map(|host| {
        let until = WallTime::from_unix_ms(host.until_ms).iso_seconds();
        json!({
            "host": host.host,
            "until": until,
            "reason": host.reason,
            "because": host.because,
            "pending": host.pending,
        })
    });
    // A name that is no text is shown as near as can be.
    let output = |name: &str| dir.join(name).display().to_string();
    json!({
        "event": "end",
        "exit": Exit::from(ended.exit).name(),
        "code": Exit::from(ended.exit) as u8,
        "summary": ended.snapshot,
        "excluded_seeds": taken.excluded,
        "waiting": waiting.collect::<Vec<_>>(),
        "outputs": {
            "dir": dir.display().to_string(),
            "archive": output("archive"),
            "index": output("archive/index.cdxj"),
            "corpus": output("corpus"),
            "log": output("crawl.log"),
            "config": output("drumlin.toml"),
        },
    })
}
