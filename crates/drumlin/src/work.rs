//! Long work beside crawling, as it goes on: a live line on a terminal, else a line now and then, on standard error.

use crate::terminal;
use serde_json::{Value, json};
use std::io::{Write, stderr};
use std::time::{Duration, Instant};
use stdx::{Step, Unit, format_bytes, format_count, format_duration_ms};

#[cfg(test)]
mod tests;

/// How it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Display {
    /// One line of the terminal, drawn over and over.
    Live,
    /// A JSON object a second: standard output has the answer.
    Json,
    /// A line now and then, for whoever reads a log.
    Lines,
    /// Not at all.
    Nothing,
}

/// Shows the steps of one piece of work. What it drew is wiped away when it is dropped.
pub(crate) struct Work {
    display: Display,
    stage: Option<Stage>,
}

/// Steps with one name.
struct Stage {
    name: &'static str,
    began: Instant,
    /// How far it had come then: what was there before costs no time now.
    from: u64,
    shown: Instant,
    /// How far it has come.
    last: u64,
}

/// How often, for people and for programs.
const LIVE_EVERY: Duration = Duration::from_millis(100);
const JSON_EVERY: Duration = Duration::from_secs(1);
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Work {
    /// For a command whose answer is JSON, or not.
    pub(crate) fn new(format: Format) -> Self {
        let display = match format {
            Format::Nothing => Display::Nothing,
            _ if terminal::is_watched() => Display::Live,
            Format::Json => Display::Json,
            Format::Text => Display::Lines,
        };
        Self { display, stage: None }
    }

    /// Takes the live line away, for others to write there.
    pub(crate) fn clear(&mut self) {
        if self.display == Display::Live && self.stage.take().is_some() {
            let _ = write!(stderr(), "\r\x1b[K").and_then(|()| stderr().flush());
        }
    }

    /// Takes in a step, and shows it when it is time.
    pub(crate) fn step(&mut self, step: Step) {
        let every = match self.display {
            Display::Nothing => return,
            Display::Live => LIVE_EVERY,
            Display::Json => JSON_EVERY,
            Display::Lines => LINE_EVERY,
        };
        let now = now();
        let Some(stage) = self.stage.as_mut().filter(|stage| stage.has(step)) else {
            let from = step.done;
            self.stage = Some(Stage { name: step.stage, began: now, from, shown: now, last: from });
            return;
        };
        stage.last = stage.last.max(step.done);
        if now.duration_since(stage.shown) < every {
            return;
        }
        stage.shown = now;
        let pace = Pace::of(step, stage.from, now.duration_since(stage.began));
        // Nobody who looks away stops the work.
        let _ = match self.display {
            Display::Live => write!(stderr(), "\r{}\x1b[K", pace.line()),
            Display::Json => writeln!(stderr(), "{}", pace.json()),
            _ => writeln!(stderr(), "drumlin: {}", pace.line()),
        };
        let _ = stderr().flush();
    }
}

impl Stage {
    /// Whether a step is of this stage. One that falls back by more than half is of another pass under the same name, whose
    /// time is its own.
    fn has(&self, step: Step) -> bool {
        self.name == step.stage && step.done >= self.from.max(self.last / 2)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What the answer of a command looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Lines for people.
    Text,
    /// JSON.
    Json,
    /// None: nothing is to be shown.
    Nothing,
}

impl Format {
    /// By the flag `--json`.
    pub(crate) fn of(flag: bool) -> Self {
        if flag { Self::Json } else { Self::Text }
    }
}

/// A step, how fast that was, and how long the rest takes at that rate.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pace {
    step: Step,
    per_s: f64,
    left_ms: Option<u64>,
}

impl Pace {
    fn of(step: Step, from: u64, took: Duration) -> Self {
        let per_s = step.done.saturating_sub(from) as f64 / took.as_secs_f64().max(1e-3);
        let left = step.of.saturating_sub(step.done) as f64;
        let left_ms = (step.of > 0 && per_s > 0.0).then(|| (left / per_s * 1e3) as u64);
        Self { step, per_s, left_ms }
    }

    fn line(&self) -> String {
        let Step { stage, done, of, unit } = self.step;
        let show = |count: u64| match unit {
            Unit::Bytes => format_bytes(count),
            Unit::Items => format_count(count),
        };
        let share =
            if of > 0 { format!(" of {}, {} %", show(of), done.min(of) * 100 / of) } else { String::new() };
        let left =
            self.left_ms.map_or(String::new(), |ms| format!(", about {} left", format_duration_ms(ms)));
        format!("{stage}: {}{share}, {}/s{left}", show(done), show(self.per_s as u64))
    }

    fn json(&self) -> Value {
        let Step { stage, done, of, unit } = self.step;
        json!({
            "event": "progress",
            "stage": stage,
            "unit": if unit == Unit::Bytes { "bytes" } else { "items" },
            "done": done,
            "of": (of > 0).then_some(of),
            "per_s": self.per_s as u64,
            "left_ms": self.left_ms,
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads the clock")]
fn now() -> Instant {
    Instant::now()
}
