use crate::Class;
use crate::host::{HostId, Queued};
use crate::limits::CLASS_WEIGHTS;
use std::collections::VecDeque;
use stdx::{Map, Rng};
use weburl::KeyHash;

/// Mercator's front queues: one first-in-first-out queue per priority class, kept apart by host so that a refill
/// gives each host its window and a giant at the head hides nobody.
#[derive(Debug)]
pub struct FrontQueues {
    hosts: Map<HostId, [VecDeque<KeyHash>; 3]>,
    lottery: Rng,
}

impl FrontQueues {
    /// Empty queues; `seed` decides the lottery among classes.
    pub fn new(seed: u64) -> Self {
        Self { hosts: stdx::map(), lottery: Rng::new(seed) }
    }

    /// Appends a URL to its host's queue of that class.
    pub fn push(&mut self, host: HostId, class: Class, key: KeyHash) {
        self.hosts.entry(host).or_default()[class as usize].push_back(key);
    }

    /// Whether the host has anything queued.
    pub fn has(&self, host: HostId) -> bool {
        self.hosts.contains_key(&host)
    }

    /// The best class in which the host has something queued.
    pub fn best_class(&self, host: HostId) -> Option<Class> {
        let queues = self.hosts.get(&host)?;
        Class::ALL.into_iter().find(|&class| !queues[class as usize].is_empty())
    }

    /// Draws up to `window` URLs of the host: each draw picks a class 60/30/10, among those that have something.
    pub(crate) fn refill(&mut self, host: HostId, window: usize, into: &mut VecDeque<Queued>) {
        let Some(queues) = self.hosts.get_mut(&host) else { return };
        while into.len() < window {
            let Some(class) = draw_class(&mut self.lottery, |class| !queues[class as usize].is_empty())
            else {
                break;
            };
            let key = queues[class as usize].pop_front().expect("the drawn class has something");
            into.push_back(Queued { key, class });
        }
        if queues.iter().all(VecDeque::is_empty) {
            self.hosts.remove(&host);
        }
    }

    /// Everything that is queued, in no particular order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = KeyHash> + '_ {
        self.hosts.values().flatten().flatten().copied()
    }

    /// Drops everything of a host.
    pub(crate) fn forget(&mut self, host: HostId) {
        self.hosts.remove(&host);
    }

    /// Takes everything of a host out.
    pub(crate) fn remove(&mut self, host: HostId) -> impl Iterator<Item = KeyHash> + use<> {
        self.hosts.remove(&host).into_iter().flatten().flatten()
    }
}

/// Picks a class by weight among those that have something.
pub(crate) fn draw_class(lottery: &mut Rng, has: impl Fn(Class) -> bool) -> Option<Class> {
    let weight = |class: Class| if has(class) { CLASS_WEIGHTS[class as usize] } else { 0 };
    let total: u64 = Class::ALL.into_iter().map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut ticket = lottery.below(total);
    Class::ALL.into_iter().find(|&class| {
        let weight = weight(class);
        let hit = ticket < weight;
        ticket = ticket.saturating_sub(weight);
        hit
    })
}
