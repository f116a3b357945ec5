use super::event;
use crossbeam_channel::Receiver;
use logs::{Level, RotatingFile};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What reaches the one who writes.
pub(super) enum Said {
    Line(String),
    /// Nothing more.
    End,
}

/// Writes lines as they come, as many at once as there are.
pub(super) struct Scribe {
    pub(super) file: RotatingFile,
    /// Lines that were said and are not in the file.
    pub(super) lost: Arc<AtomicU64>,
}

/// Written at once.
const BATCH_BYTES: usize = 32 << 10;

impl Scribe {
    /// Until the end is said.
    pub(super) fn serve(mut self, inbox: &Receiver<Said>) {
        while let Ok(Said::Line(line)) = inbox.recv() {
            let mut lines = line;
            let mut end = false;
            while !end && lines.len() < BATCH_BYTES {
                match inbox.try_recv() {
                    Ok(Said::Line(line)) => lines.push_str(&line),
                    Ok(Said::End) => end = true,
                    Err(_) => break,
                }
            }
            self.write(&lines);
            if end {
                return;
            }
        }
    }

    /// A disk that takes no more costs lines, and says so when it does again.
    fn write(&mut self, lines: &str) {
        let lost = self.lost.swap(0, Ordering::Relaxed);
        let note = if lost > 0 {
            event(Level::Warn, "lines-lost").with("lines", lost).line()
        } else {
            String::new()
        };
        if self.file.append(&(note + lines)).is_err() {
            self.lost.fetch_add(lost + lines.matches('\n').count() as u64, Ordering::Relaxed);
        }
    }
}
