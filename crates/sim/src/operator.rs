use crate::Sim;
use crate::checks::Delays;
use control::{Changes, Command, Selection, Target};
use crawler::OrderId;
use std::collections::BTreeMap;
use stdx::{Rng, Timestamp};

/// Somebody who speaks to a crawl by chance, over its deaths, and writes down what was said and when it was answered.
#[derive(Debug, Clone)]
pub struct Operator {
    rng: Rng,
    /// All that was said.
    pub said: Vec<Said>,
    /// What was taken down, and the crawl withheld no more although nobody took it back.
    pub forgotten: Vec<Target>,
    /// What is excluded, as far as the operator knows.
    excluded: Vec<Target>,
    /// Whether delays are set too.
    sets: bool,
    /// What has not been answered in this run, by its order.
    open: BTreeMap<OrderId, usize>,
    next: Timestamp,
}

/// A command, as whoever gave it knows it.
#[derive(Debug, Clone)]
pub struct Said {
    /// What.
    pub command: Command,
    /// When it was given.
    pub given: Timestamp,
    /// When a receipt came; `None` if none did: nobody knows whether it is done.
    pub acknowledged: Option<Timestamp>,
}

/// Silence between two commands, at most.
const SILENCE_MS: u64 = 12_000;

impl Operator {
    /// Somebody who has said nothing.
    pub fn new(seed: u64) -> Self {
        let (said, forgotten, excluded) = (Vec::new(), Vec::new(), Vec::new());
        let (rng, next) = (Rng::new(seed), Timestamp::ZERO);
        Self { rng, said, forgotten, excluded, sets: false, open: BTreeMap::new(), next }
    }

    /// The same, and delays are changed too, to none that is shorter than the program's own.
    #[must_use]
    pub fn setting_delays(self) -> Self {
        Self { sets: true, ..self }
    }

    /// When something is said next.
    pub(crate) fn next_at(&mut self, now: Timestamp) -> Timestamp {
        if self.next <= now {
            self.next = now + 1 + self.rng.below(SILENCE_MS);
        }
        self.next
    }

    /// Whether the moment has come that [`Operator::next_at`] gave last.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.next <= now
    }

    /// A run begins: what was not answered never will be.
    pub(crate) fn begin(&mut self) {
        self.open.clear();
    }

    /// Says something to a crawl that has contacted these hosts and begins at these URLs.
    pub(crate) fn speak(&mut self, sim: &mut Sim, hosts: &[&str], seeds: &[String]) {
        if self.sets && self.rng.one_in(2) {
            let command = Command::Set(self.delays());
            return self.say(sim, command);
        }
        let command = match self.rng.below(8) {
            0 => Command::Pause,
            1..=3 => Command::Resume,
            4 if !hosts.is_empty() => self.exclude(hosts),
            5 if !self.excluded.is_empty() => Command::Readmit(self.excluded[0].clone()),
            6 => Command::Seeds(seeds.first().into_iter().cloned().collect()),
            _ => Command::Retry(Selection::All),
        };
        self.say(sim, command);
    }

    /// Takes back all that restrains the crawl.
    pub(crate) fn relent(&mut self, sim: &mut Sim) {
        for target in std::mem::take(&mut self.excluded) {
            self.say(sim, Command::Readmit(target));
        }
        if self.sets {
            let Delays { host_ms, server_ms, domain_ms, .. } = Delays::DEFAULT;
            self.say(sim, Command::Set(delays(Some(host_ms), Some(server_ms), Some(domain_ms))));
        }
        self.say(sim, Command::Resume);
    }

    /// Writes down what has been answered.
    pub(crate) fn listen(&mut self, sim: &mut Sim) {
        for answered in std::mem::take(&mut sim.answers) {
            let Some(index) = self.open.remove(&answered.order) else { continue };
            let said = &mut self.said[index];
            let Ok(_) = answered.answer else { continue };
            said.acknowledged = Some(answered.at);
            if let Command::Readmit(target) = &said.command {
                self.excluded.retain(|excluded| excluded != target);
            }
        }
        let withheld = sim.crawler.takedowns();
        let is_withheld = |target: &Target| withheld.iter().any(|takedown| takedown.target == *target);
        let forgotten: Vec<Target> =
            self.taken_down().filter(|target| !is_withheld(target)).cloned().collect();
        self.forgotten.extend(forgotten);
    }

    /// Some of them.
    fn delays(&mut self) -> Changes {
        let mut some = |of: [u64; 3]| self.rng.one_in(2).then(|| of[self.rng.below(3) as usize]);
        delays(some([1_000, 3_000, 20_000]), some([250, 500, 3_000]), some([250, 700, 5_000]))
    }

    fn exclude(&mut self, hosts: &[&str]) -> Command {
        let host = hosts[self.rng.below(hosts.len() as u64) as usize];
        let target = Target::Host(host.parse().expect("a host that was contacted"));
        self.excluded.retain(|excluded| *excluded != target);
        self.excluded.push(target.clone());
        if self.rng.below(2) == 0 { Command::Takedown(target) } else { Command::Exclude(target) }
    }

    /// What was taken down by an order that was answered, and stands.
    fn taken_down(&self) -> impl Iterator<Item = &Target> {
        let is_taken_back = |target: &Target, later: &[Said]| {
            later.iter().any(|said| said.command == Command::Readmit(target.clone()))
        };
        self.said.iter().enumerate().filter_map(move |(index, said)| match &said.command {
            Command::Takedown(target) if said.acknowledged.is_some() => {
                (!is_taken_back(target, &self.said[index + 1..])).then_some(target)
            }
            _ => None,
        })
    }

    fn say(&mut self, sim: &mut Sim, command: Command) {
        let order = sim.order(command.clone());
        self.open.insert(order, self.said.len());
        self.said.push(Said { command, given: sim.now, acknowledged: None });
    }
}

fn delays(delay_ms: Option<u64>, ip_delay_ms: Option<u64>, domain_delay_ms: Option<u64>) -> Changes {
    Changes { delay_ms, ip_delay_ms, domain_delay_ms, ..Changes::default() }
}
