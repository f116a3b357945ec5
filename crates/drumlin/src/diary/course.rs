use super::{Diary, event};
use crate::exit::{Exit, exit_of, whole};
use logs::{Event, Level};
use node::Ended;
use snapshot::Snapshot;
use std::sync::Arc;
use std::time::Instant;

/// The end of a run, by whose fault it is.
pub(crate) fn how_it_ended(ended: &anyhow::Result<Ended>) -> Event {
    let exit = ended.as_ref().map_or_else(exit_of, |ended| Exit::from(ended.exit));
    let level = match exit {
        Exit::Internal | Exit::DiskFull | Exit::BrokenPromise => Level::Error,
        Exit::Usage => Level::Warn,
        Exit::Done | Exit::Waiting | Exit::LimitReached | Exit::Interrupted => Level::Info,
    };
    let why = ended.as_ref().map_or_else(|error| Some(whole(error)), |ended| ended.snapshot.no_room.clone());
    event(level, "ended").with("exit", exit.name()).with("why", why)
}

/// Says how a run comes along.
pub(crate) struct Course {
    diary: Arc<Diary>,
    began: Instant,
    stage: Stage,
}

/// What was said last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Recovering,
    Crawling,
    DiskLow,
    Offline,
}

impl Course {
    /// Of a run that begins now.
    pub(crate) fn new(diary: Arc<Diary>) -> Self {
        Self { diary, began: now(), stage: Stage::Recovering }
    }

    /// Takes in how the crawl stands: the first time, what earlier runs had left has been brought back.
    pub(crate) fn look(&mut self, snapshot: &Snapshot) {
        if self.stage == Stage::Recovering {
            let ms = now().duration_since(self.began).as_millis() as u64;
            self.enter(Stage::Crawling, &event(Level::Info, "recovered").with("ms", ms));
        }
        match (self.stage, snapshot.disk_low, &snapshot.strain.offline) {
            (Stage::Crawling, true, _) => self.enter(Stage::DiskLow, &event(Level::Error, "disk-low")),
            (Stage::DiskLow, false, _) => self.enter(Stage::Crawling, &event(Level::Info, "disk-free")),
            (Stage::Crawling, false, Some(offline)) => {
                let event = event(Level::Error, "offline").with("because", offline.because.as_str());
                self.enter(Stage::Offline, &event);
            }
            (Stage::Offline, _, None) => self.enter(Stage::Crawling, &event(Level::Info, "online")),
            _ => {}
        }
    }

    fn enter(&mut self, stage: Stage, event: &Event) {
        self.stage = stage;
        self.diary.say(event);
    }
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads the clock")]
fn now() -> Instant {
    Instant::now()
}
