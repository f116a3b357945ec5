//! The surroundings of a machine, by hand.

use super::examples::{START, address, capture, url};
use crate::{
    Action, Commitment, CrawlConfig, Crawler, Event, Exit, FetchJob, Fetched, Outcome, Parsed, Promise,
    ResolveOutcome, Resolved,
};
use archive::{Capture, Entry, ReplayEntry};
use control::{Receipt, Refusal};
use disk::MemDisk;
use frontier::{Address, Failure, FailureKind, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use stdx::Timestamp;

/// A web of endless pages on one host and nothing forbidden. Work is done when it is asked for, except commits.
pub(super) struct Hand {
    pub(super) crawler: Crawler,
    pub(super) now: Timestamp,
    pub(super) seeds: Vec<&'static str>,
    /// So many of them come at once.
    pub(super) chunk: usize,
    next_seq: u64,
    /// Entries of commits that are under way.
    pub(super) committing: Option<Vec<Entry>>,
    pub(super) commits: Vec<usize>,
    pub(super) fetches: Vec<FetchJob>,
    /// How many commits there were at each cut.
    pub(super) cuts: Vec<usize>,
    /// Whether the files of a cut are durable at once; if not, the test tells when.
    pub(super) quick_sync: bool,
    pub(super) checkpoints: Vec<u64>,
    /// Whether checkpoints are written at once; if not, their end is told by the test.
    pub(super) quick_disk: bool,
    /// How long a cut of all shards takes.
    pub(super) cut_ms: u64,
    /// How many cuts there were when each parse was asked for.
    pub(super) parses: Vec<usize>,
    pub(super) exit: Option<Exit>,
    /// Names that were asked for ahead.
    pub(super) ahead: Vec<String>,
    /// What operators were answered.
    pub(super) answers: Vec<Result<Receipt, Refusal>>,
    /// The answer to every robots.txt.
    pub(super) robots: &'static str,
    /// Those of every name …
    pub(super) addresses: Vec<Address>,
    /// … but for so many that are asked for first: their name servers fail.
    pub(super) dead_most: usize,
    pub(super) dead: BTreeSet<String>,
}

impl Hand {
    pub(super) fn new(config: CrawlConfig, seeds: &[&'static str]) -> Self {
        let none = std::iter::empty::<archive::Result<ReplayEntry>>();
        let mut crawler = Crawler::recover(config, Arc::new(MemDisk::new()), None, none).unwrap();
        crawler.resume(Stop::Clean, START, |_| false).unwrap();
        Self {
            crawler,
            now: START,
            seeds: seeds.to_vec(),
            chunk: usize::MAX,
            next_seq: 1,
            committing: None,
            commits: Vec::new(),
            fetches: Vec::new(),
            checkpoints: Vec::new(),
            quick_disk: true,
            cut_ms: 0,
            cuts: Vec::new(),
            quick_sync: true,
            parses: Vec::new(),
            exit: None,
            ahead: Vec::new(),
            answers: Vec::new(),
            robots: "HTTP/1.1 404 None",
            addresses: vec![address()],
            dead_most: 0,
            dead: BTreeSet::new(),
        }
    }

    /// The next run of the same crawl, which begins at once.
    pub(super) fn run_again(&mut self, config: CrawlConfig, promised: Option<Promise>) {
        let none = std::iter::empty::<archive::Result<ReplayEntry>>();
        let state = self.crawler.save(&mut stdx::nobody).unwrap().state;
        let disk = self.crawler.shards.disk().clone();
        let mut crawler = Crawler::recover(config, disk, Some(&state), none).unwrap();
        crawler.promised = promised;
        crawler.resume(Stop::Clean, self.now, |_| false).unwrap();
        (self.crawler, self.exit) = (crawler, None);
    }

    /// Performs everything there is to do now.
    pub(super) fn poll(&mut self) {
        while let Some(action) = self.crawler.poll(self.now) {
            self.perform(action);
        }
        self.crawler.check_invariants();
    }

    pub(super) fn perform(&mut self, action: Action) {
        match action {
            Action::MoreSeeds => {
                let chunk = self.chunk.min(self.seeds.len());
                let seeds = self.seeds.drain(..chunk).map(url).collect();
                self.handle(Event::Seeds(seeds));
            }
            Action::AskAhead { names } => self.ahead.extend(names),
            Action::Resolve(job) => {
                let outcome = self.look_up(&job.name);
                self.handle(Event::Resolved(Resolved { ticket: job.ticket, outcome }));
            }
            Action::Fetch(job) => self.fetches.push(job),
            Action::Commit(entries) => {
                assert!(self.committing.is_none(), "one commit at a time");
                self.commits.push(entries.len());
                self.committing = Some(entries);
            }
            Action::MakeDurable { .. } => {
                self.cuts.push(self.commits.len());
                self.now = self.now + self.cut_ms;
                if self.quick_sync {
                    self.handle(Event::MadeDurable);
                }
            }
            Action::Checkpoint(checkpoint) => {
                self.checkpoints.push(checkpoint.covers);
                if self.quick_disk {
                    self.handle(Event::Checkpointed);
                }
            }
            Action::Parse(job) => {
                self.parses.push(self.cuts.len());
                self.handle(Event::Parsed(Parsed::nothing(job.capture)));
            }
            Action::Work(work) => self.handle(Event::Worked(Box::new(work.perform()))),
            Action::Fail(error) => panic!("a disk in memory does not fail: {error}"),
            Action::CloseRows => self.handle(Event::RowsDone),
            Action::Finish => self.handle(Event::Finished),
            Action::Expire { .. } => unreachable!("captures are kept"),
            Action::Send(_) | Action::ReadJournal { .. } => unreachable!("it is alone"),
            Action::Answer { answer, .. } => self.answers.push(answer),
            Action::Exit(exit) => self.exit = Some(exit),
        }
    }

    fn look_up(&mut self, name: &str) -> ResolveOutcome {
        if self.dead.len() < self.dead_most {
            self.dead.insert(name.to_owned());
        }
        if self.dead.contains(name) {
            let (kind, detail) = (FailureKind::NameServer, "by hand".to_owned());
            return ResolveOutcome::Failed(Failure { kind, detail });
        }
        ResolveOutcome::Addresses { addresses: self.addresses.clone(), ttl_ms: 3_600_000 }
    }

    pub(super) fn handle(&mut self, event: Event) {
        self.crawler.handle(self.now, event);
    }

    /// What is said while an event is taken in.
    pub(super) fn stages_of(&mut self, event: Event) -> Vec<&'static str> {
        let mut stages = Vec::new();
        self.crawler.handle_watched(self.now, event, &mut |step| stages.push(step.stage));
        stages.dedup();
        stages
    }

    pub(super) fn end_commit(&mut self) {
        let Some(entries) = self.committing.take() else { return };
        let locations = entries.iter().zip(self.next_seq..);
        let locations = locations
            .map(|(entry, seq)| entry.capture.as_ref().map(|_| super::examples::location(seq)))
            .collect();
        let journal_bytes = entries.iter().map(|entry| entry.record.len() as u64).sum();
        let commitment = Commitment { first_seq: self.next_seq, locations, journal_bytes };
        self.next_seq += entries.len() as u64;
        self.handle(Event::Committed(commitment));
    }

    /// Answers the oldest fetch.
    pub(super) fn answer(&mut self, head: &str) {
        let head = if self.fetches[0].url.path() == "/robots.txt" { self.robots } else { head };
        self.answer_with(|url| capture(url, head, "body"));
    }

    /// The same with what is made of its URL.
    pub(super) fn answer_with(&mut self, make: impl FnOnce(&str) -> Arc<Capture>) {
        let job = self.fetches.remove(0);
        let outcome = Outcome::Captured(make(job.url.as_str()));
        let (started, ended) = (self.now, self.now);
        let address = job.address.ip();
        self.handle(Event::Fetched(Fetched { ticket: job.ticket, address, started, ended, outcome }));
    }

    /// The oldest fetch fails.
    pub(super) fn fail(&mut self, kind: FailureKind) {
        let job = self.fetches.remove(0);
        let outcome = Outcome::Failed(Failure { kind, detail: "by hand".to_owned() });
        let (started, ended, address) = (self.now, self.now, job.address.ip());
        self.handle(Event::Fetched(Fetched { ticket: job.ticket, address, started, ended, outcome }));
    }

    /// The oldest fetch was not begun in time.
    pub(super) fn be_late(&mut self) {
        let job = self.fetches.remove(0);
        let (started, address) = (job.begin_by + 1, job.address.ip());
        let fetched =
            Fetched { ticket: job.ticket, address, started, ended: started, outcome: Outcome::TooLate };
        self.handle(Event::Fetched(fetched));
    }

    /// Goes on until something is to be fetched, and all that was journaled before is durable.
    pub(super) fn go_on(&mut self) {
        self.poll();
        while self.fetches.is_empty() || self.committing.is_some() {
            match self.committing {
                Some(_) => self.end_commit(),
                None => self.now = self.crawler.next_deadline(self.now).expect("there is something to fetch"),
            }
            self.poll();
        }
    }

    /// Goes on until the exit or for so many steps.
    pub(super) fn run(&mut self, steps: u32, head: &str) {
        for _ in 0..steps {
            self.poll();
            if self.exit.is_some() {
                return;
            }
            self.end_commit();
            while !self.fetches.is_empty() {
                self.answer(head);
            }
            self.poll();
            if self.committing.is_none() && self.fetches.is_empty() && self.exit.is_none() {
                let Some(next) = self.crawler.next_deadline(self.now) else {
                    assert!(!(self.quick_disk && self.quick_sync), "there is something to wait for");
                    return;
                };
                assert!(next > self.now, "not polled again for nothing");
                self.now = next;
            }
        }
    }
}

pub(super) const OK: &str = "HTTP/1.1 200 OK";
