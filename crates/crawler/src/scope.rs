use crate::outcome::remainder_of;
use crate::{CrawlConfig, Crawler, Record, RecoveryError, Rules, Wants};
use archive::ReplayEntry;
use frontier::{Attempt, CaptureSeq, Judge, Origin, Pending, Stays};
use std::sync::Arc;
use weburl::{Url, Verdict};

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
}

impl Judge for ScopeJudge {
    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn judge(&self, pending: &Pending) -> Stays {
        let Ok(url) = Url::parse(&pending.url) else { return Stays::Out };
        let verdict = match pending.origin {
            Origin::Seed => self.rules.scope.judge_seed(&url),
            Origin::Document(_) | Origin::Robots(_) | Origin::Sitemap(_) | Origin::Voted(_) => {
                self.rules.scope.judge(&url)
            }
        };
        let is_near = self.depth.is_none_or(|limit| pending.depth <= limit);
        if verdict == Verdict::In && is_near { Stays::In } else { Stays::Out }
    }

    fn shuns(&self, host: &str) -> bool {
        self.rules.scope.shuns(host).is_some()
    }
}

/// What happens when the rules of a crawl change between runs. Verdicts on links are never stored, so widening means to
/// derive the links again from the archive, and narrowing to forget what waits and is out (blueprint, section 8.7).
impl Crawler {
    pub(crate) fn scope_has_changed(&self) -> bool {
        self.judged_by.is_some_and(|fingerprint| fingerprint != self.fingerprint)
    }

    /// Wants the links of everything fetched.
    pub(crate) fn derive_anew<E: From<RecoveryError>>(
        &mut self,
        ledger: impl Iterator<Item = Result<ReplayEntry, E>>,
    ) -> Result<(), E> {
        for entry in ledger {
            self.want_links_of(&entry?)?;
        }
        Ok(())
    }

    /// Notes in the journal that all links have been judged by the present rules, once that is so.
    pub(crate) fn settle_scope(&mut self) -> frontier::Result<()> {
        let fingerprint = self.fingerprint;
        let is_news = self.judged_by != Some(fingerprint) || self.orders.wants_rereading();
        let is_owed = self.orders.wants_rereading() && !self.rereads;
        if is_news && !is_owed && self.unfinished.unparsed() == 0 {
            self.journal(Record::Scope { fingerprint }, None)?;
        }
        Ok(())
    }

    fn want_links_of(&mut self, entry: &ReplayEntry) -> Result<(), RecoveryError> {
        let (seq, Some(location)) = (CaptureSeq(entry.seq), entry.location) else { return Ok(()) };
        let Record::Attempt { shard, attempt } = Record::decode(entry.seq, &entry.record)? else {
            return Ok(());
        };
        let Some(mut remainder) = remainder_of(&attempt).filter(|_| attempt.is_answer()) else {
            return Ok(());
        };
        remainder.location = Some(location);
        remainder.wants = Wants { links: true, row: false };
        remainder.again = true;
        remainder.depth = self.least_depth(shard, &attempt, remainder.depth)?;
        self.unfinished.want_links(seq, remainder);
        Ok(())
    }

    /// Under a depth limit it matters by how short a path a page has been reached since it was fetched.
    fn least_depth(&self, shard: u8, attempt: &Attempt, fetched_at: u32) -> Result<u32, RecoveryError> {
        let Some(shard) = self.shards.if_open(shard).filter(|_| self.config.depth.is_some()) else {
            return Ok(fetched_at);
        };
        let Ok(url) = Url::parse(&attempt.url) else { return Ok(fetched_at) };
        let state = shard.look_up(self.config.rules.key(&url), &url)?.state;
        Ok(state.map_or(fetched_at, |state| state.depth().min(fetched_at)))
    }
}
