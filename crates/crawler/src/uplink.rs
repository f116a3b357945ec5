//! Whether anybody can be reached from here. When a laptop loses its network, or a name server or a proxy dies, every contact fails, and hosts
//! would be given up one after the other for what is not their fault.

use crate::limits::{OUTAGE_BELIEVED_MS, OUTAGE_DOUBTS, OUTAGE_PROBES, OUTAGE_WAIT_MOST_MS, OUTAGE_WAIT_MS};
use crate::servers::HostRef;
use crate::{Crawler, Outcome};
use frontier::{Attempt, End, Failure, FailureKind, Result};
use serde::{Deserialize, Serialize};
use snapshot::Offline;
use stdx::Timestamp;

/// The way from here to the world, as the ends of contacts and look-ups tell of it.
#[derive(Debug, Default)]
pub(crate) struct Uplink {
    /// Failures since anybody was heard that are hardly those of a host.
    doubts: u8,
    outage: Option<Outage>,
    probing: Probing,
}

/// Nobody is heard. Outlives a run: whoever starts again too early has nothing to learn anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outage {
    pub(crate) since: Timestamp,
    /// What the failure said that told.
    pub(crate) because: String,
}

/// A few contacts are begun now and then, to see whether an outage is over.
#[derive(Debug, Default)]
struct Probing {
    /// How many of the present few are left.
    left: usize,
    /// How many the next are, where some of these were with strangers.
    wider: Option<usize>,
    /// When the next few may be begun …
    next_at: Timestamp,
    /// … and how long it was from the last to these.
    waited_ms: u64,
}

/// What the end of a contact or of a look-up says of the way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Somebody answered, whatever it was.
    Heard,
    /// Nobody did.
    Silence,
    /// Nothing left this machine, or nothing got beyond its proxy.
    Ours,
    /// It may have come from a cache, or be the end of a connection that was made before.
    Nothing,
}

impl Sign {
    fn of(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Local | FailureKind::Offline => Self::Ours,
            // A private address for the name of a public host is the word of somebody on the way: a captive portal, a filter.
            FailureKind::NameServer
            | FailureKind::ConnectTimeout
            | FailureKind::ResponseTimeout
            | FailureKind::AddressRefused => Self::Silence,
            FailureKind::NameNotFound | FailureKind::Disconnected => Self::Nothing,
            FailureKind::ConnectRefused
            | FailureKind::Certificate
            | FailureKind::Tls
            | FailureKind::Protocol
            | FailureKind::Blocked
            | FailureKind::NotModified => Self::Heard,
        }
    }
}

impl Uplink {
    /// Of a run that goes on where another has left.
    pub(crate) fn after(outage: Option<Outage>) -> Self {
        Self { outage, ..Self::default() }
    }

    /// A run begins. An outage that is not believed any more says nothing of the way now: while nothing ran, nothing was tried.
    pub(crate) fn begin_run(&mut self, now: Timestamp) {
        if self.believed(now).is_none() {
            self.reset();
        }
    }

    /// It is to be tried anew, whatever was.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }

    /// An outage that has not been seen to end.
    pub(crate) fn outage(&self) -> Option<&Outage> {
        self.outage.as_ref()
    }

    /// The same, as long as failures are put down to it. Of hosts that all died in one moment, and were the last of a crawl, nothing else
    /// would ever be heard.
    fn believed(&self, now: Timestamp) -> Option<&Outage> {
        self.outage.as_ref().filter(|outage| now <= outage.since + OUTAGE_BELIEVED_MS)
    }

    /// Whether something may be begun at `now`.
    pub(crate) fn may_begin(&self, now: Timestamp) -> bool {
        self.not_before(now) <= now
    }

    /// Before this moment nothing is begun.
    pub(crate) fn not_before(&self, now: Timestamp) -> Timestamp {
        let waits = self.believed(now).is_some() && self.probing.left == 0;
        if waits { self.probing.next_at } else { Timestamp::ZERO }
    }

    /// Something is begun.
    pub(crate) fn begun(&mut self, now: Timestamp) {
        if self.believed(now).is_some() {
            self.probing.begun(now);
        }
    }

    /// What was begun was a look-up, and it said something, from a cache perhaps: it is what follows it that tells.
    pub(crate) fn looked_up(&mut self) {
        if self.outage.is_some() && self.probing.left < OUTAGE_PROBES {
            self.probing.left += 1;
        }
    }

    /// When whoever has hoped since `started` gives up for this run.
    pub(crate) fn gives_up_at(
        &self,
        started: Timestamp,
        now: Timestamp,
        patience_ms: u64,
    ) -> Option<Timestamp> {
        Some(self.believed(now)?.since.max(started) + patience_ms)
    }

    /// For people.
    pub(crate) fn standing(&self, now: Timestamp) -> Option<Offline> {
        let Outage { since, because } = self.believed(now)?;
        Some(Offline { since_ms: since.as_ms(), because: because.clone() })
    }

    /// Takes in what an attempt says; live and in a replay.
    pub(crate) fn note(&mut self, attempt: &Attempt) {
        match &attempt.end {
            End::Captured(_) | End::PutOff { .. } => self.reset(),
            End::Failed(Failure { kind: FailureKind::Offline, detail }) => {
                let began = || Outage { since: attempt.at, because: detail.clone() };
                self.outage.get_or_insert_with(began);
            }
            End::Failed(failure) if Sign::of(failure.kind) == Sign::Heard => self.reset(),
            End::Failed(_) => {}
        }
    }

    /// Whether a failure is that of the way, not of whom it was met at. A host that has just answered and is silent now gives rise to a doubt, as does
    /// what failed here; more of them than chance would have, and nobody heard meanwhile, and it is the way. A host that is silent as it was before
    /// says nothing: at the end of a crawl there may be only such. At its beginning, before anybody was heard, all are taken for well
    /// that have been tried over IPv4 and IPv6, as far as they have both: one of the two may lead nowhere from here.
    fn is_to_blame(&mut self, kind: FailureKind, was_well: bool, now: Timestamp) -> bool {
        let sign = Sign::of(kind);
        if self.outage.is_some() {
            return matches!(sign, Sign::Silence | Sign::Ours) && self.believed(now).is_some();
        }
        let is_odd =
            sign == Sign::Ours || was_well && sign == Sign::Silence && kind != FailureKind::ResponseTimeout;
        self.doubts += u8::from(is_odd);
        is_odd && self.doubts >= OUTAGE_DOUBTS
    }
}

impl Probing {
    fn begun(&mut self, now: Timestamp) {
        if self.left == 0 {
            self.left = self.wider.take().unwrap_or(OUTAGE_PROBES);
            self.waited_ms = (2 * self.waited_ms).clamp(OUTAGE_WAIT_MS, OUTAGE_WAIT_MOST_MS);
            self.next_at = now + self.waited_ms;
        }
        self.left -= 1;
    }

    /// A stranger was silent, and nobody was ever heard: it may be dead itself, and so may be any number of those that are tried first. As many
    /// as there are slots are tried soon: whoever fell silent once has to wait, so that all strangers come before them.
    fn widen(&mut self, slots: usize, now: Timestamp) {
        self.wider = Some(slots.max(OUTAGE_PROBES));
        self.waited_ms = 0;
        self.next_at = self.next_at.min(now + OUTAGE_WAIT_MS);
    }
}

impl Crawler {
    /// What came of a contact, once it is known whose fault it is.
    pub(crate) fn judge_outcome(
        &mut self,
        who: HostRef,
        outcome: Outcome,
        now: Timestamp,
    ) -> Result<Outcome> {
        match outcome {
            Outcome::Failed(failure) => Ok(Outcome::Failed(self.judge_failure(who, failure, now)?)),
            Outcome::Captured(_) | Outcome::TooLate => Ok(outcome),
        }
    }

    /// The failure of a contact or of a look-up, by whose fault it is.
    pub(crate) fn judge_failure(
        &mut self,
        who: HostRef,
        failure: Failure,
        now: Timestamp,
    ) -> Result<Failure> {
        // Whoever begins with private hosts, and has not allowed them, has no outage.
        let is_first = self.tally.captures == 0 && failure.kind != FailureKind::AddressRefused;
        let shard = self.shards.get(who.shard)?;
        let was_well = if is_first { !shard.has_family_untried(who.host) } else { shard.is_well(who.host) };
        let is_stranger = is_first && shard.is_untried(who.host);
        if !self.uplink.is_to_blame(failure.kind, was_well, now) {
            return Ok(failure);
        }
        if is_stranger && Sign::of(failure.kind) == Sign::Silence {
            self.uplink.probing.widen(self.slots, now);
        }
        let detail = format!("{}: {}", failure.kind, failure.detail);
        Ok(Failure { kind: FailureKind::Offline, detail })
    }
}
