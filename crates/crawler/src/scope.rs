use crate::exchange::Exchange;
use crate::limits::CAPTURES_DERIVED_AHEAD;
use crate::outcome::remainder_of;
use crate::{CrawlConfig, Crawler, Discoveries, Record, RecoveryError, Rules, Wants};
use archive::{Replay, ReplayEntry};
use frontier::{Attempt, CaptureSeq, Judge, Origin, Pending, Stays};
use snapshot::Reread;
use std::collections::BTreeSet;
use std::sync::Arc;
use weburl::{Folding, Key, Url, Verdict};

/// What the crawl is about, as its shards ask for it: where the rules have changed between runs, what waits is judged
/// anew when it comes up.
#[derive(Debug)]
pub(crate) struct ScopeJudge {
    rules: Arc<Rules>,
    depth: Option<u32>,
    fingerprint: u64,
}

impl ScopeJudge {
    pub(crate) fn new(config: &CrawlConfig) -> Self {
        Self { rules: config.rules.clone(), depth: config.depth, fingerprint: config.fingerprint() }
    }

    fn judge_found(&self, url: &str, origin: &Origin, depth: u32) -> Stays {
        let Ok(url) = Url::parse(url) else { return Stays::Out };
        let verdict = match origin {
            Origin::Seed => self.rules.scope.judge_seed(&url),
            Origin::Document(_) | Origin::Robots(_) | Origin::Sitemap(_) | Origin::Voted(_) => {
                self.rules.scope.judge(&url)
            }
        };
        match verdict {
            Verdict::In if self.depth.is_none_or(|limit| depth <= limit) => Stays::In,
            Verdict::In => Stays::TooDeep,
            Verdict::Out(_) => Stays::Out,
        }
    }
}

impl Judge for ScopeJudge {
    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn judge(&self, pending: &Pending) -> Stays {
        self.judge_found(&pending.url, &pending.origin, pending.depth)
    }

    fn shuns(&self, host: &str) -> bool {
        self.rules.scope.shuns(host).is_some()
    }

    /// By the scheme that it was found with: the other one has a robots.txt of its own, and need not be served.
    fn plainest(&self, pending: &Pending) -> Option<String> {
        let url = Url::parse(&pending.url).ok()?;
        let key = Key::of(&url, &Folding { scheme: false, ..self.rules.folding }).to_string();
        let is_in = key != pending.url && self.judge_found(&key, &pending.origin, pending.depth) == Stays::In;
        is_in.then_some(key)
    }
}

/// In place of a fingerprint: links have been judged by several sets of rules, and by none of them all.
const UNSETTLED: u64 = 0;

/// Whether what was left aside by narrower rules has been found again.
pub(crate) enum Rereading {
    /// It has, or there is nothing.
    Done,
    /// It has not, and nobody has begun.
    Owed,
    /// The journal is being read for it.
    UnderWay(Box<Reading>),
    /// The journal has been read; of captures from `first` to `until`, links may still have to be derived.
    Read { first: CaptureSeq, until: CaptureSeq },
}

impl Rereading {
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }

    /// As people see it.
    pub(crate) fn progress(&self) -> Option<Reread> {
        match self {
            Self::UnderWay(reading) => Some(Reread { entry: reading.read, of: reading.until }),
            Self::Done | Self::Owed | Self::Read { .. } => None,
        }
    }
}

/// The journal, read once more from its first entry as far as it goes when the reading begins: a bounded number of captures
/// and links at a time, whatever has been fetched.
pub(crate) struct Reading {
    ledger: Replay,
    /// The entry that was read last.
    read: u64,
    /// The last entry of then. What is not durable then is not parsed either.
    until: u64,
    /// Captures of which links were still to be derived then: they are, by the present rules.
    queued: BTreeSet<CaptureSeq>,
}

impl Reading {
    /// The next capture that may have links to derive again, discoveries that no capture tells of, or a robots.txt that names sitemaps.
    fn next(&mut self) -> Option<archive::Result<ReplayEntry>> {
        loop {
            let entry = match self.ledger.next()? {
                Ok(entry) if entry.seq > self.until => return None,
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            self.read = entry.seq;
            let is_queued = || self.queued.contains(&CaptureSeq(entry.seq));
            if Record::is_told_by_no_capture(&entry.record)
                || Record::is_robots(&entry.record)
                || Record::is_attempt(&entry.record) && !is_queued()
            {
                return Some(Ok(entry));
            }
        }
    }
}

/// What happens when the rules of a crawl change, between runs or by an operator's word. Verdicts on links are never stored, so
/// widening means to derive the links again from the archive, and narrowing to forget what waits and is out.
impl Crawler {
    pub(crate) fn scope_has_changed(&self) -> bool {
        self.judged_by.is_some_and(|fingerprint| fingerprint != self.fingerprint)
    }

    /// Notes in the journal, before anything is judged by the present rules, that the links are no longer as the rules of before have
    /// them: who goes back to those before all has been judged by these wants back what these have let go.
    pub(crate) fn unsettle_scope(&mut self) -> frontier::Result<()> {
        if self.judged_by == Some(UNSETTLED) {
            return Ok(());
        }
        self.journal(Record::Scope { fingerprint: UNSETTLED }, None)
    }

    /// Begins to derive the links anew of everything that was fetched by other rules.
    pub(crate) fn reread(&mut self) -> Result<(), RecoveryError> {
        self.rereading = Rereading::UnderWay(Box::new(Reading {
            ledger: archive::ledger(self.shards.disk().clone())?,
            read: 0,
            until: self.outbox.last_seq().unwrap_or(0),
            queued: self.unfinished.with_links().collect(),
        }));
        Ok(())
    }

    /// Wants the links of some more of it, while few captures wait for a parser, and discoveries find room. Whoever ends does not wait
    /// for all of it: the next run begins anew.
    pub(crate) fn derive_more(&mut self) -> Result<(), RecoveryError> {
        if !self.is_running() {
            return Ok(());
        }
        if matches!(self.rereading, Rereading::Owed) {
            self.reread()?;
        }
        while self.unfinished.stored() < CAPTURES_DERIVED_AHEAD
            && self.outbox.waiting_bytes() <= self.config.link_bytes
            && !self.shards.are_congested()
            && let Rereading::UnderWay(reading) = &mut self.rereading
        {
            if let Some(entry) = reading.next() {
                self.find_again(&entry?)?;
            } else {
                let until = CaptureSeq(reading.until);
                self.rereading = Rereading::Read { first: CaptureSeq(0), until };
            }
        }
        Ok(())
    }

    /// Notes in the journal that all links have been judged by the present rules, once that is so, whatever has been fetched
    /// since then.
    pub(crate) fn settle_scope(&mut self) -> frontier::Result<()> {
        if let Rereading::Read { first, until } = &mut self.rereading {
            match self.unfinished.first_with_links(*first..=*until) {
                Some(left) => *first = left,
                None => self.rereading = Rereading::Done,
            }
        }
        let fingerprint = self.fingerprint;
        let is_news = self.judged_by != Some(fingerprint) || self.orders.wants_rereading();
        if is_news && self.rereading.is_done() {
            self.journal(Record::Scope { fingerprint }, None)?;
        }
        Ok(())
    }

    fn find_again(&mut self, entry: &ReplayEntry) -> Result<(), RecoveryError> {
        match Record::decode(entry.seq, &entry.record)? {
            Record::Attempt { shard, attempt } => self.want_links_of(entry, shard, &attempt),
            Record::Discovered { origin, discoveries, .. } => Ok(self.admit_again(&origin, &discoveries)?),
            Record::Robots { record, .. } => Ok(self.follow_again(&record)?),
            _ => Ok(()),
        }
    }

    /// Seeds, and what robots.txt leads to: what was let go is new, and of the others nothing changes.
    pub(crate) fn admit_again(&mut self, origin: &Origin, discoveries: &Discoveries) -> frontier::Result<()> {
        let (rules, depth) = (self.config.rules.clone(), self.config.depth);
        // Not made anew: a fingerprint goes through all seeds, and a crawl may have as many entries like this one.
        let judge = ScopeJudge { rules, depth, fingerprint: self.fingerprint };
        let mut exchange = Exchange::default();
        for batch in discoveries.by_shard() {
            for found in batch.iter() {
                let stays = judge.judge_found(found.url, origin, found.depth) == Stays::In;
                if stays && !self.is_no_news(batch.shard, found.key, found.depth)? {
                    exchange.send(batch.shard, found);
                }
            }
        }
        self.deliver(exchange, None, origin)
    }

    fn want_links_of(
        &mut self,
        entry: &ReplayEntry,
        shard: u8,
        attempt: &Attempt,
    ) -> Result<(), RecoveryError> {
        let (seq, Some(location)) = (CaptureSeq(entry.seq), entry.location) else { return Ok(()) };
        let Some(mut remainder) = remainder_of(attempt).filter(|_| attempt.is_answer()) else {
            return Ok(());
        };
        remainder.location = Some(location);
        remainder.wants = Wants { links: false, row: false };
        remainder.depth = self.least_depth(shard, attempt, remainder.depth)?;
        self.unfinished.want_links(seq, remainder);
        Ok(())
    }

    /// Under a depth limit it matters by how short a path a page has been reached since it was fetched.
    fn least_depth(&self, shard: u8, attempt: &Attempt, fetched_at: u32) -> Result<u32, RecoveryError> {
        let Some(shard) = self.shards.if_open(shard).filter(|_| self.config.depth.is_some()) else {
            return Ok(fetched_at);
        };
        let Ok(url) = Url::parse(&attempt.url) else { return Ok(fetched_at) };
        let state = shard.look_up(self.config.rules.key(&url), &url, self.tally.latest)?.state;
        Ok(state.map_or(fetched_at, |state| state.depth().min(fetched_at)))
    }
}
