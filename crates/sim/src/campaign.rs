use crate::{Faults, Kind, Outcome, Scenario};
use std::any::Any;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Many simulations, one seed after the other, every kind in its turn: at least so many of them, and on until the crawls have
/// died so often.
#[derive(Debug, Clone, Copy)]
pub struct Campaign {
    /// The first seed.
    pub first: u64,
    /// Simulations at least.
    pub seeds: u64,
    /// Deaths at least, of all of them together.
    pub crashes: u64,
    /// Ordinary pages of each web, roughly.
    pub pages: u64,
    /// Simulations at once.
    pub threads: usize,
}

/// A simulation of a campaign that is over.
#[derive(Debug)]
pub struct Ran {
    /// Which.
    pub scenario: Scenario,
    /// What came of it, or what it said when it panicked.
    pub outcome: Result<Outcome, String>,
}

/// What simulations came to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    /// How many there were.
    pub simulations: u64,
    /// Deaths.
    pub deaths: u64,
    /// Contacts with servers.
    pub contacts: u64,
    /// Hosts contacted.
    pub hosts: u64,
    /// Pages fetched.
    pub pages: u64,
    /// Virtual time.
    pub virtual_ms: u64,
    /// Simulations in which judges found something wrong, or that panicked.
    pub violated: u64,
}

/// Simulations that may be over before somebody looks at them.
const UNSEEN: usize = 64;

impl Campaign {
    /// Runs it; `see` is shown every simulation when it is over, in no certain order. Gives the figures of each kind.
    pub fn run(&self, mut see: impl FnMut(&Ran)) -> BTreeMap<Kind, Figures> {
        let next = Mutex::new(Next { number: 0, deaths: 0 });
        let (sender, over) = sync_channel(UNSEEN);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(scenario) = self.next(next) {
                        let ran = run(scenario);
                        note(next, &ran);
                        if sender.send(ran).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            gather(&over, &mut see)
        })
    }

    /// The lock is held for a look at two numbers: threads have nothing else in common.
    fn next(&self, next: &Mutex<Next>) -> Option<Scenario> {
        let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
        let number = next.number;
        let is_enough = number >= self.seeds && next.deaths >= self.crashes;
        next.number += 1;
        (!is_enough).then(|| self.scenario(number))
    }

    fn scenario(&self, number: u64) -> Scenario {
        Scenario {
            seed: self.first + number,
            pages: self.pages,
            faults: if self.crashes > 0 { Faults::Everything } else { Faults::Network },
            deaths: self.crashes.div_ceil(self.seeds.max(1)) as u32,
            kind: Kind::ALL[number as usize % Kind::ALL.len()],
        }
    }
}

struct Next {
    number: u64,
    deaths: u64,
}

fn note(next: &Mutex<Next>, ran: &Ran) {
    let deaths = ran.outcome.as_ref().map_or(0, |outcome| u64::from(outcome.deaths));
    next.lock().unwrap_or_else(PoisonError::into_inner).deaths += deaths;
}

fn gather(over: &Receiver<Ran>, see: &mut impl FnMut(&Ran)) -> BTreeMap<Kind, Figures> {
    let mut by_kind: BTreeMap<Kind, Figures> = BTreeMap::new();
    for ran in over {
        *by_kind.entry(ran.scenario.kind).or_default() += Figures::of(&ran);
        see(&ran);
    }
    by_kind
}

/// A machine that breaks an invariant panics, and the campaign goes on.
fn run(scenario: Scenario) -> Ran {
    let outcome = catch_unwind(AssertUnwindSafe(|| scenario.run()));
    Ran { scenario, outcome: outcome.map_err(|panic| said(panic.as_ref())) }
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

impl Ran {
    /// What was wrong with it.
    pub fn violations(&self) -> &[String] {
        match &self.outcome {
            Ok(outcome) => &outcome.violations,
            Err(panic) => std::slice::from_ref(panic),
        }
    }
}

impl Figures {
    fn of(ran: &Ran) -> Self {
        let violated = u64::from(!ran.violations().is_empty());
        let Ok(outcome) = &ran.outcome else { return Self { simulations: 1, violated, ..Self::default() } };
        Self {
            simulations: 1,
            deaths: u64::from(outcome.deaths),
            contacts: outcome.contacts,
            hosts: outcome.hosts,
            pages: outcome.pages,
            virtual_ms: outcome.virtual_ms,
            violated,
        }
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        let Self { simulations, deaths, contacts, hosts, pages, virtual_ms, violated } = other;
        self.simulations += simulations;
        self.deaths += deaths;
        self.contacts += contacts;
        self.hosts += hosts;
        self.pages += pages;
        self.virtual_ms += virtual_ms;
        self.violated += violated;
    }
}
