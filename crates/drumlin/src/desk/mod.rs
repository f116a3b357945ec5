//! The program's side of the dashboard and the control API: asks the crawl, and has it told.
//!
//! `reception` opens the doors · `asked` reaches the machine, running or not · `seen` what goes by while it runs · `listing`, `listings` all
//! hosts as they were a moment ago, `hosts`, `stored_hosts` pages of them · `slices` hosts in memory, a few thousand at a time · `traps` · `contacts` the latest of the ledger · `outputs` files · `memory` the process.

mod asked;
mod contacts;
mod explained;
mod hosts;
mod listing;
mod listings;
mod memory;
mod outputs;
mod reception;
mod seen;
mod slices;
mod stored_hosts;
mod traps;

#[cfg(test)]
mod tests;

pub(crate) use asked::Asked;
pub(crate) use explained::explain_still;
pub(crate) use reception::Reception;
pub(crate) use seen::Seen;
pub(crate) use traps::about as about_trap;

use crate::overruled;
use contacts::Contacts;
use control::{Changes, Command, Receipt, Refusal};
use crawler::Promise;
use disk::SharedDisk;
use listings::Listings;
use serde_json::Value;
use snapshot::Snapshot;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ui::{
    AttemptSeen, ContactSeen, Desk, HostQuery, Hosts, Mode, Output, PageSeen, Standing, Subject, Traps,
    Unanswered,
};

/// A crawl's desk.
pub(crate) struct CrawlDesk {
    dir: PathBuf,
    disk: SharedDisk,
    asked: Asked,
    seen: Arc<Seen>,
    /// What the crawl last said of itself, if it has said anything: replaced by its loop, read by whoever asks, and held by neither.
    latest: Mutex<Option<Arc<Snapshot>>>,
    contacts: Mutex<Contacts>,
    /// What the configuration says of the settings that commands may change.
    told: Changes,
    listings: Listings,
    /// Of the whole process, in bytes.
    memory: AtomicU64,
}

impl CrawlDesk {
    /// For the crawl in `dir`, whose bytes are on `disk`; `promise` is what holds until its journal says what does.
    pub(crate) fn new(
        dir: PathBuf,
        disk: SharedDisk,
        asked: Asked,
        seen: Arc<Seen>,
        promise: Promise,
        told: Changes,
    ) -> Self {
        let contacts = Mutex::new(Contacts::new(promise));
        let (latest, memory) = (Mutex::default(), AtomicU64::new(0));
        Self { dir, disk, asked, seen, latest, contacts, told, listings: Listings::default(), memory }
    }

    /// Takes in what the crawl says of itself.
    pub(crate) fn show(&self, mut snapshot: Snapshot) {
        snapshot.resources.memory.process = self.memory.load(Ordering::Relaxed);
        snapshot.resources.asked_us = self.asked.answering_us();
        *locked(&self.latest) = Some(Arc::new(snapshot));
    }

    fn latest(&self) -> Result<Arc<Snapshot>, Unanswered> {
        locked(&self.latest).clone().ok_or(Unanswered::Recovering)
    }

    fn mode(&self, snapshot: &Snapshot) -> Mode {
        match () {
            () if self.asked.is_still() => Mode::Still,
            () if snapshot.paused => Mode::Paused,
            () => Mode::Running,
        }
    }

    /// Brings the contacts up to date.
    fn contacts(&self) -> MutexGuard<'_, Contacts> {
        let mut contacts = locked(&self.contacts);
        contacts.catch_up(&self.seen);
        contacts
    }
}

impl Desk for CrawlDesk {
    fn standing(&self) -> Result<Standing, Unanswered> {
        let snapshot = self.latest()?;
        Ok(Standing { crawl: self.dir.display().to_string(), mode: self.mode(&snapshot), snapshot })
    }

    fn explain(&self, subject: &Subject) -> Result<Value, Unanswered> {
        explained::explain(&self.asked, &self.listings, &self.disk, subject)
    }

    fn hosts(&self, query: &HostQuery) -> Result<Hosts, Unanswered> {
        hosts::page(&self.asked, &self.listings, query)
    }

    fn traps(&self) -> Result<Traps, Unanswered> {
        traps::found(&self.asked, self.latest()?.strain.put_off)
    }

    fn settings(&self) -> Result<Changes, Unanswered> {
        let told = self.told;
        self.asked.look(move |crawler, _| overruled::set(crawler, &told))
    }

    /// What was taken down since it went by is shown no more.
    fn pages(&self) -> Result<Vec<PageSeen>, Unanswered> {
        let takedowns = self.asked.look(|crawler, _| crawler.takedowns())?;
        let pages = self.seen.pages().into_iter().filter(|page| takedowns.covering(&page.url).is_none());
        Ok(pages.map(|page| page.shown).collect())
    }

    fn failures(&self) -> Vec<AttemptSeen> {
        self.contacts().failures()
    }

    fn contacts(&self) -> Vec<ContactSeen> {
        self.contacts().latest()
    }

    fn outputs(&self) -> Vec<Output> {
        outputs::of(&self.dir)
    }

    fn tick(&self) {
        self.memory.store(memory::of_process(), Ordering::Relaxed);
        self.listings.tick(&self.asked);
    }

    fn command(&self, command: Command) -> Result<Receipt, Refusal> {
        self.asked.tell(command)
    }
}

/// What a panic left behind is plain data all the same.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
