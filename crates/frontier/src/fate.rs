//! Where URLs end: fetched, excluded, parked, one by one or with their host.

use crate::host::{Barred, HostId};
use crate::limits::{CRAWL_DELAY_MAX_MS, ROBOTS_PER_HOST};
use crate::shard::Landing;
use crate::url_record::{Answer, End, UrlRecord};
use crate::{
    CaptureSeq, Consequence, Exclusion, Frontier, Location, ParkReason, Pending, Result, RobotsRecord,
};
use stdx::Timestamp;
use weburl::KeyHash;

impl Frontier {
    /// Pending → fetched. The answer is recorded when it is known where it lies.
    pub(crate) fn fetched_now(
        &mut self,
        id: HostId,
        pending: &Pending,
        capture: CaptureSeq,
        at: Timestamp,
    ) -> Consequence {
        self.drop_pending(id);
        self.durable.tally.fetched += 1;
        self.durable.landing.insert(pending.key, Landing { depth: pending.depth, capture, at });
        Consequence::Final
    }

    /// Where the capture of a fetched URL lies, when it is durable; live and in replay. Told for captures whose
    /// consequence was [`Consequence::Final`]; of others nothing is kept.
    pub fn located(&mut self, key: KeyHash, capture: CaptureSeq, location: Location) -> Result<()> {
        let Some(landing) = self.durable.landing.get(&key).filter(|landing| landing.capture == capture)
        else {
            return Ok(());
        };
        let answer = Answer { capture, location, at: landing.at };
        let record = UrlRecord { end: End::Fetched(answer), depth: landing.depth };
        self.append_record(key, record)?;
        self.durable.landing.remove(&key);
        Ok(())
    }

    /// Pending → excluded.
    pub(crate) fn exclude(&mut self, id: HostId, pending: &Pending, rule: Exclusion) -> Result<()> {
        self.append_record(pending.key, UrlRecord { end: End::Excluded(rule), depth: pending.depth })?;
        self.drop_pending(id);
        self.durable.tally.exclude(rule.name(), 1);
        Ok(())
    }

    /// Pending → parked, by the next order.
    pub(crate) fn park(&mut self, id: HostId, mut pending: Pending, reason: ParkReason) -> Result<()> {
        pending.order = self.durable.take_order();
        self.append_record(pending.key, UrlRecord { end: End::Parked(reason), depth: pending.depth })?;
        self.disk.hosts.append(crate::limits::PARKED, &pending.encoded())?;
        self.drop_pending(id);
        self.durable.tally.parked += 1;
        Ok(())
    }

    /// Nothing of this host is fetched any more. Its URLs share its fate where they stand, however many there are.
    pub(crate) fn bar(&mut self, id: HostId, fate: Barred) {
        let host = &mut self.hosts[id.0];
        if host.record.barred.is_some() {
            return;
        }
        let tally = &mut self.durable.tally;
        tally.let_go(None, host.pending);
        tally.hold(Some(&fate), host.pending);
        self.hosts_with_work -= u64::from(host.has_work());
        host.record.barred = Some(fate);
        self.unanswered.extend(std::mem::take(&mut host.errands));
    }

    /// A host goes on that was barred so: what it has waits again.
    pub(crate) fn goes_on(&mut self, id: HostId, barred: &Barred) {
        let host = &self.hosts[id.0];
        self.hosts_with_work += u64::from(host.has_work());
        let tally = &mut self.durable.tally;
        tally.let_go(Some(barred), host.pending);
        tally.hold(None, host.pending);
    }

    /// One URL more is held by a host.
    pub(crate) fn add_pending(&mut self, id: HostId) {
        let host = &mut self.hosts[id.0];
        host.pending += 1;
        self.hosts_with_work += u64::from(host.has_work() && host.pending == 1);
        self.durable.tally.hold(host.record.barred.as_ref(), 1);
    }

    /// One less.
    pub(crate) fn drop_pending(&mut self, id: HostId) {
        let host = &mut self.hosts[id.0];
        self.hosts_with_work -= u64::from(host.has_work() && host.pending == 1);
        host.pending -= 1;
        self.durable.tally.let_go(host.record.barred.as_ref(), 1);
    }
}

impl crate::host::HostRecord {
    /// Why the last robots.txt that could not be had could not.
    pub(crate) fn robots_failure(&self) -> Option<&str> {
        let failed =
            self.robots.iter().filter_map(|record| Some((record.fetched_at, record.answer.failure()?)));
        failed.max_by_key(|(at, _)| *at).map(|(_, failure)| failure)
    }

    /// Remembers what an authority answered in the place of what it did before. A failure takes the place of a failure only: what
    /// was said before it holds.
    pub(crate) fn learn(&mut self, record: RobotsRecord) {
        let has_failed = record.answer.failure().is_some();
        let is_rules_of_it =
            |known: &RobotsRecord| known.authority == record.authority && known.answer.failure().is_none();
        let was_known = self.robots.iter().any(is_rules_of_it);
        self.robots
            .retain(|known| known.authority != record.authority || (has_failed && is_rules_of_it(known)));
        self.robots.push(record);
        if self.robots.len() > ROBOTS_PER_HOST {
            // What failed goes before what was said: by that alone it shows that the host answers.
            let failed = self.robots.iter().position(|known| known.answer.failure().is_some());
            self.robots.remove(failed.unwrap_or(0));
        }
        // One that is too long parks whoever asks for it, and counts where that is the host.
        let asked = self.robots.iter().filter_map(RobotsRecord::crawl_delay_ms);
        let asked = asked.filter(|ms| *ms <= CRAWL_DELAY_MAX_MS || self.barred.is_some()).max();
        // What was asked for before may be of rules that are forgotten, perhaps of these.
        self.crawl_delay_ms = if was_known { asked } else { asked.max(self.crawl_delay_ms) };
        self.bill_robots();
    }

    /// Rules whose crawl-delay is too long are as if they had never been asked for.
    pub(crate) fn forget_too_slow(&mut self) {
        let is_too_slow = |known: &RobotsRecord| known.crawl_delay_ms() > Some(CRAWL_DELAY_MAX_MS);
        self.robots.retain(|known| !is_too_slow(known));
        if self.crawl_delay_ms > Some(CRAWL_DELAY_MAX_MS) {
            self.crawl_delay_ms = self.robots.iter().filter_map(RobotsRecord::crawl_delay_ms).max();
        }
        self.bill_robots();
    }

    /// Counts what its rules take of memory.
    pub(crate) fn bill_robots(&mut self) {
        self.robots_bytes = self.robots.iter().map(RobotsRecord::bytes).sum();
    }
}
