use crate::{
    AttemptSeen, ContactSeen, Desk, HostQuery, HostRow, Hosts, Mode, Output, PageSeen, Standing, Subject,
    Traps, Unanswered,
};
use control::{Changes, Command, Effect, Receipt, Refusal};
use serde_json::{Value, json};
use snapshot::Snapshot;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A desk that remembers what it was told.
#[derive(Default)]
pub(super) struct MadeUp {
    pub(super) told: Mutex<Vec<Command>>,
    /// Whether it has yet to say where it stands.
    pub(super) recovering: AtomicBool,
}

impl Desk for MadeUp {
    fn standing(&self) -> Result<Standing, Unanswered> {
        if self.recovering.load(Ordering::Relaxed) {
            return Err(Unanswered::Recovering);
        }
        let snapshot = Snapshot { pages: 42, ..Snapshot::default() };
        Ok(Standing { crawl: "made-up".to_owned(), mode: Mode::Running, snapshot: Arc::new(snapshot) })
    }

    fn explain(&self, subject: &Subject) -> Result<Value, Unanswered> {
        match subject {
            Subject::Url(url) => Ok(json!({ "url": url })),
            Subject::Host(_) => Err(Unanswered::Busy),
        }
    }

    fn hosts(&self, query: &HostQuery) -> Result<Hosts, Unanswered> {
        let row = HostRow {
            host: format!("{}.example", query.search),
            state: "wait",
            place: "memory",
            why: "its delay".to_owned(),
            until_ms: 1,
            pending: 2,
            deferred: 0,
            contacts: 3,
            last_response_ms: 4,
            failures: 0,
            crawl_delay_ms: None,
        };
        Ok(Hosts { rows: vec![row], seen: 1, matching: 1, ..Hosts::default() })
    }

    fn traps(&self) -> Result<Traps, Unanswered> {
        Ok(Traps::default())
    }

    fn settings(&self) -> Result<Changes, Unanswered> {
        Ok(Changes { delay_ms: Some(3_000), ..Changes::default() })
    }

    fn pages(&self) -> Result<Vec<PageSeen>, Unanswered> {
        Ok(Vec::new())
    }

    fn failures(&self) -> Vec<AttemptSeen> {
        Vec::new()
    }

    fn contacts(&self) -> Vec<ContactSeen> {
        Vec::new()
    }

    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    fn command(&self, command: Command) -> Result<Receipt, Refusal> {
        if command == Command::Stop {
            return Err(Refusal::Ending);
        }
        if command == Command::Resume {
            return Err(Refusal::Busy);
        }
        self.told.lock().expect("no test panics with it").push(command);
        Ok(Receipt { entry: 7, effect: Effect::Done })
    }
}
