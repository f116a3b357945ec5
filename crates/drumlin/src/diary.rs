//! The log of events: said on any thread, written by one of its own, so that nobody waits for the disk. What it cannot keep
//! up with is counted instead of kept.

mod course;
mod scribe;

#[cfg(test)]
mod tests;

pub(crate) use course::{Course, how_it_ended};

use crate::config::Logging;
use anyhow::Context;
use archive::Entry;
use crawler::{Digested, Record};
use crossbeam_channel::{Receiver, Sender, bounded};
use disk::OsDisk;
use logs::{Event, Level, RotatingFile, for_people, told_by};
use node::Witness;
use node::limits::CLOCK_BEHIND_MS;
use scribe::{Said, Scribe};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::SystemTime;
use stdx::{Timestamp, WallTime};

/// Its files, below the crawl's directory.
pub(crate) const DIR: &str = "log";

/// Lines that wait to be written: some megabytes at most, whatever goes wrong at once.
const LINES_WAITING: usize = 1024;

/// Lines that wait to be shown: more than a terminal shows at a time.
const NOTICES_WAITING: usize = 32;

/// Where a run says what happens.
pub(crate) struct Diary {
    level: Option<Level>,
    said: Sender<Said>,
    lost: Arc<AtomicU64>,
    notices: Sender<String>,
}

/// The thread that writes; it ends when this is dropped, with everything written that was said.
pub(crate) struct Keeper {
    said: Sender<Said>,
    thread: Option<JoinHandle<()>>,
}

/// A diary, who keeps it, and what of it is for the terminal.
pub(crate) struct Begun {
    pub(crate) diary: Arc<Diary>,
    pub(crate) notices: Receiver<String>,
    pub(crate) keeper: Option<Keeper>,
}

/// Goes on with the log of the crawl in `dir`.
pub(crate) fn begin(dir: &Path, logging: Logging) -> anyhow::Result<Begun> {
    let (said, inbox) = bounded(LINES_WAITING);
    let (notices, shown) = bounded(NOTICES_WAITING);
    let lost = Arc::new(AtomicU64::new(0));
    let keeper = logging.level.map(|_| Keeper::start(dir, logging, said.clone(), inbox, lost.clone()));
    let diary = Arc::new(Diary { level: logging.level, said, lost, notices });
    Ok(Begun { diary, notices: shown, keeper: keeper.transpose()? })
}

impl Diary {
    /// Takes in an event that is worth a line. Waits for nobody.
    pub(crate) fn say(&self, event: &Event) {
        if self.level.is_none_or(|most| event.level() > most) {
            return;
        }
        let line = event.line();
        if event.level() == Level::Error {
            let _ = for_people(&line).map(|notice| self.notices.try_send(notice));
        }
        if self.said.try_send(Said::Line(line)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What is durable is told: the log never knows more than the journal.
impl Witness for Diary {
    fn committed(&self, first_seq: u64, entries: &[Entry]) {
        if self.level.is_none() {
            return;
        }
        for (seq, entry) in (first_seq..).zip(entries) {
            let telling =
                Record::is_of_ledger(&entry.record).then(|| Record::decode(seq, &entry.record).ok());
            let Some(record) = telling.flatten() else { continue };
            let clock = match &record {
                Record::Promised { promise } => behind(promise.began, now()),
                _ => None,
            };
            for event in clock.iter().chain(told_by(&record).iter()) {
                self.say(event);
            }
        }
    }

    fn digested(&self, _: &Digested) {}
}

/// By how much the clock that says `now` is behind a moment on the crawl's timeline, where that is more than a correction.
pub(crate) fn clock_behind_ms(moment_ms: u64, now: WallTime) -> Option<u64> {
    let ms = moment_ms.saturating_sub(now.unix_ms());
    (ms > CLOCK_BEHIND_MS).then_some(ms)
}

/// A run begins later on the crawl's timeline, which never goes back, than the machine's clock says: that was ahead once, and moments in the
/// log of attempts and in reports are ahead of it until it has caught up.
fn behind(began: Timestamp, now: WallTime) -> Option<Event> {
    clock_behind_ms(began.as_ms(), now).map(|ms| {
        Event::new(now, Level::Error, "clock-behind").with("ms", ms).with(
            "detail",
            "this machine's clock is behind the last run's; the log of attempts goes on by that one",
        )
    })
}

impl Keeper {
    fn start(
        dir: &Path,
        logging: Logging,
        said: Sender<Said>,
        inbox: Receiver<Said>,
        lost: Arc<AtomicU64>,
    ) -> anyhow::Result<Self> {
        let failed = || format!("cannot write the log in {}", dir.join(DIR).display());
        let disk = OsDisk::new(dir.to_owned()).with_context(failed)?;
        let file = RotatingFile::open(Arc::new(disk), Path::new(DIR), logging.bounds).with_context(failed)?;
        let scribe = Scribe { file, lost };
        let thread = std::thread::Builder::new().name("log".to_owned()).spawn(move || scribe.serve(&inbox));
        Ok(Self { said, thread: Some(thread.with_context(failed)?) })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // It has room as soon as the thread has written what came before.
        let _ = self.said.send(Said::End);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Something that happens now.
pub(crate) fn event(level: Level, name: &str) -> Event {
    Event::new(now(), level, name)
}

/// What the machine's clock says.
#[expect(clippy::disallowed_methods, reason = "the program is what reads the clock")]
pub(crate) fn now() -> WallTime {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    WallTime::from_unix_ms(since.as_millis() as u64)
}
