use crate::Crawler;
use crate::limits::{ERRAND_AGAIN_MS, ERRANDS_FOR_OTHERS};
use crate::wire;
use cluster::{Message, NodeId};
use frontier::{Result, RobotsAnswer, RobotsErrand, RobotsRecord};
use std::collections::{BTreeMap, BTreeSet};
use stdx::Timestamp;
use weburl::Url;

/// A robots.txt that redirects to a host of another node is fetched by that node, under that host's clocks. The node that
/// wants it repeats itself until it has an answer; nobody else on the way remembers anything for long.
#[derive(Debug, Default)]
pub(crate) struct Errands {
    /// Those this node waits for, by authority.
    abroad: BTreeMap<String, Abroad>,
    /// The authorities for which this node runs errands of others.
    for_others: BTreeSet<String>,
}

#[derive(Debug)]
struct Abroad {
    to: NodeId,
    errand: RobotsErrand,
    since: Timestamp,
    again_at: Timestamp,
}

impl Errands {
    /// Whether this node waits for no other.
    pub(crate) fn is_idle(&self) -> bool {
        self.abroad.is_empty()
    }

    /// When one is to be repeated.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.abroad.values().map(|abroad| abroad.again_at).min()
    }

    fn due(&mut self, now: Timestamp) -> Vec<Due> {
        let due = self.abroad.values_mut().filter(|abroad| abroad.again_at <= now);
        due.map(|abroad| {
            abroad.again_at = now + ERRAND_AGAIN_MS;
            Due { to: abroad.to, errand: abroad.errand.clone() }
        })
        .collect()
    }
}

struct Due {
    to: NodeId,
    errand: RobotsErrand,
}

impl Crawler {
    /// Passes an errand to the node that owns the host its URL names.
    pub(crate) fn send_errand_abroad(&mut self, shard: u8, errand: &RobotsErrand) -> Result<()> {
        let (to, now) = (self.config.placement.owner_of_shard(shard), self.tally.latest);
        self.post(to, Message::Errand(wire::encode(errand)));
        let authority = errand.authority.clone();
        if !self.is_ours(&authority) {
            self.peers.errands.for_others.remove(&authority);
            return Ok(());
        }
        self.await_robots(&authority)?;
        let abroad = Abroad { to, errand: errand.clone(), since: now, again_at: now + ERRAND_AGAIN_MS };
        self.peers.errands.abroad.insert(authority, abroad);
        Ok(())
    }

    pub(crate) fn repeat_errands(&mut self, now: Timestamp) {
        for Due { to, errand } in self.peers.errands.due(now) {
            self.post(to, Message::Errand(wire::encode(&errand)));
        }
    }

    /// Another node wants a robots.txt of a host of ours. One errand an authority: more are repetitions.
    pub(crate) fn errand_arrived(&mut self, body: &[u8]) -> Result<()> {
        let Some(errand) = wire::decode::<RobotsErrand>(body) else { return Ok(()) };
        let errands = &self.peers.errands.for_others;
        let may_run = errands.len() < ERRANDS_FOR_OTHERS && !errands.contains(&errand.authority);
        let is_for_us = Url::parse(&errand.url).is_ok_and(|url| self.owns(&url));
        let is_of_another = Url::parse(&errand.authority).is_ok_and(|url| !self.owns(&url));
        if may_run && is_for_us && is_of_another {
            self.send_errand(&errand, self.tally.latest)?;
        }
        Ok(())
    }

    /// This node runs an errand for another.
    pub(crate) fn note_errand_for_other(&mut self, authority: &str) {
        self.peers.errands.for_others.insert(authority.to_owned());
    }

    /// What came of another node's errand.
    pub(crate) fn answer_errand(&mut self, owner: NodeId, record: &RobotsRecord) {
        self.peers.errands.for_others.remove(&record.authority);
        self.post(owner, Message::Answer(wire::encode(record)));
    }

    /// What came of an errand of ours. When it was fetched its node knows by a clock of its own; by ours it was after we asked.
    pub(crate) fn answer_arrived(&mut self, now: Timestamp, body: &[u8]) -> Result<()> {
        let Some(record) = wire::decode::<RobotsRecord>(body) else { return Ok(()) };
        let Some(abroad) = self.peers.errands.abroad.get(&record.authority) else { return Ok(()) };
        let at = match record.answer {
            RobotsAnswer::Unreachable { .. } => now,
            _ => abroad.since,
        };
        let asker = self.shard_of_authority(&record.authority);
        self.learn_robots(record.authority, at, record.answer)?;
        self.answer_stranded(asker)
    }

    /// An answer is here, from wherever.
    pub(crate) fn errand_is_answered(&mut self, authority: &str) {
        self.peers.errands.abroad.remove(authority);
    }

    fn owns(&self, url: &Url) -> bool {
        self.config.placement.owns_shard(self.shard_of(url))
    }

    /// Whether the host of an authority belongs to a shard of this node.
    pub(crate) fn is_ours(&self, authority: &str) -> bool {
        Url::parse(authority).is_ok_and(|url| self.owns(&url))
    }
}
