use crate::outcome::remainder_of;
use crate::{Crawler, Record, RecoveryError, Wants};
use archive::ReplayEntry;
use frontier::{CaptureSeq, Origin, Pending, UrlState};
use weburl::{Url, Verdict};

/// What happens when the rules of a crawl change between runs. Verdicts on links are never stored, so widening means to
/// derive the links again from the archive, and narrowing to forget what waits and is out (blueprint, section 8.7).
impl Crawler {
    pub(crate) fn scope_has_changed(&self) -> bool {
        self.judged_by.is_some_and(|fingerprint| fingerprint != self.fingerprint)
    }

    /// Forgets what waits and is out of scope, and wants the links of everything fetched.
    pub(crate) fn judge_anew<E: From<RecoveryError>>(
        &mut self,
        ledger: impl Iterator<Item = Result<ReplayEntry, E>>,
    ) -> Result<(), E> {
        self.forget_out_of_scope();
        for entry in ledger {
            self.want_links_of(&entry?)?;
        }
        Ok(())
    }

    /// Notes in the journal that all links have been judged by the present rules, once that is so.
    pub(crate) fn settle_scope(&mut self) {
        let fingerprint = self.fingerprint;
        if self.judged_by != Some(fingerprint) && self.unfinished.unparsed() == 0 {
            self.journal(Record::Scope { fingerprint }, None);
        }
    }

    pub(crate) fn apply_scope(&mut self, fingerprint: u64) {
        self.judged_by = Some(fingerprint);
        if !self.scope_has_changed() {
            self.forget_out_of_scope();
        }
    }

    fn forget_out_of_scope(&mut self) {
        let (rules, depth) = (self.config.rules.clone(), self.config.depth);
        let stays = |pending: &Pending| {
            let Ok(url) = Url::parse(&pending.url) else { return false };
            let verdict = match pending.origin {
                Origin::Seed => rules.scope.judge_seed(&url),
                Origin::Document(_) | Origin::Robots(_) => rules.scope.judge(&url),
            };
            verdict == Verdict::In && depth.is_none_or(|limit| pending.depth <= limit)
        };
        for shard in 0..=u8::MAX {
            self.shard(shard).forget(stays);
            self.reschedule(shard);
        }
    }

    fn want_links_of(&mut self, entry: &ReplayEntry) -> Result<(), RecoveryError> {
        let (seq, Some(location)) = (CaptureSeq(entry.seq), entry.location) else { return Ok(()) };
        let Record::Attempt { shard, attempt } = Record::decode(entry.seq, &entry.record)? else {
            return Ok(());
        };
        let Some(mut remainder) = remainder_of(shard, &attempt) else { return Ok(()) };
        let is_answer = matches!(
            self.shards[usize::from(shard)].state(remainder.key),
            Some(UrlState::Fetched { capture, .. }) if *capture == seq
        );
        if is_answer {
            remainder.location = Some(location);
            remainder.wants = Wants { links: true, row: false };
            self.unfinished.want_links(seq, remainder);
        }
        Ok(())
    }
}
