//! What is shown while a crawl runs: one live line, JSON lines, or nothing.

mod attempts;
mod estimate;
mod json;
mod line;
mod rate;

#[cfg(test)]
mod tests;

use crate::args::Output;
use crate::terminal;
use crate::work::{Format, Work};
use attempts::Attempts;
use crossbeam_channel::Receiver;
use estimate::estimate_ms;
use rate::Window;
use snapshot::Snapshot;
use std::io::{Write, stderr, stdout};
use std::path::Path;
use stdx::Step;

/// Shows snapshots as they come, about five a second.
pub(crate) struct Progress {
    display: Display,
    window: Window,
    attempts: Option<Attempts>,
    /// What holds up the beginning or the end.
    work: Work,
    is_working: bool,
    /// Lines that somebody has to see at once.
    notices: Receiver<String>,
    /// On the crawl's timeline.
    next_line_ms: u64,
}

/// How.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Display {
    /// One line of the terminal, drawn over and over.
    Live,
    /// A JSON object a second.
    Json,
    /// Not at all.
    Nothing,
}

const JSON_EVERY_MS: u64 = 1000;

impl Progress {
    /// For a crawl in `dir`.
    pub(crate) fn new(output: Output, dir: &Path, notices: Receiver<String>) -> Self {
        let display = match output {
            Output { quiet: true, .. } => Display::Nothing,
            Output { json: true, .. } => Display::Json,
            _ if terminal::is_watched() => Display::Live,
            _ => Display::Json,
        };
        let attempts = Attempts::follow(dir, output.verbose);
        let work = Work::new(match output {
            Output { quiet: true, .. } => Format::Nothing,
            Output { json, .. } => Format::of(json),
        });
        Self {
            work,
            is_working: false,
            display,
            window: Window::default(),
            attempts,
            notices,
            next_line_ms: 0,
        }
    }

    /// Takes in how far the work is that holds the crawl up.
    pub(crate) fn work(&mut self, step: Step) {
        self.is_working = true;
        self.work.step(step);
    }

    /// Takes a snapshot in, and shows it when it is time. The line of work that goes on stays.
    pub(crate) fn show(&mut self, snapshot: &Snapshot) {
        self.window.add(snapshot);
        self.show_attempts();
        match self.display {
            Display::Live if std::mem::take(&mut self.is_working) => {}
            Display::Live => self.draw(snapshot),
            Display::Json if snapshot.now_ms >= self.next_line_ms => self.print(snapshot),
            _ => {}
        }
    }

    /// Takes the live line away.
    pub(crate) fn clear(&mut self) {
        self.work.clear();
        self.show_attempts();
        self.wipe();
    }

    fn draw(&self, snapshot: &Snapshot) {
        let rate = self.window.rate();
        let line = line::live_line(snapshot, rate, estimate_ms(snapshot, &self.window), terminal::columns());
        // A terminal that is gone is no reason to stop a crawl.
        let _ = write!(stderr(), "\r{line}\x1b[K").and_then(|()| stderr().flush());
    }

    fn print(&mut self, snapshot: &Snapshot) {
        self.next_line_ms = snapshot.now_ms + JSON_EVERY_MS;
        let estimate = estimate_ms(snapshot, &self.window);
        // A reader that has seen enough is no reason to stop a crawl.
        let _ = writeln!(stdout(), "{}", json::progress(snapshot, self.window.rate(), estimate));
    }

    fn show_attempts(&mut self) {
        let mut lines = self.attempts.as_mut().map(Attempts::new_lines).unwrap_or_default();
        let notices = self.notices.try_iter().filter(|_| self.display == Display::Live);
        notices.for_each(|notice| lines.extend([notice.as_str(), "\n"]));
        if !lines.is_empty() {
            self.wipe();
            let _ = stderr().write_all(lines.as_bytes());
        }
    }

    fn wipe(&self) {
        if self.display == Display::Live {
            let _ = write!(stderr(), "\r\x1b[K").and_then(|()| stderr().flush());
        }
    }
}
