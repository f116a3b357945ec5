use crate::limits::CIRCLES;
use std::hash::BuildHasher;
use stdx::Map;
use weburl::KeyHash;

/// URLs that are being redirected from one form of themselves to another, as `http` and `https` are to each other where a server's
/// rules are at odds. A circle of forms is gone round twice, for a server may remember who has been where it sent them, and not
/// until there have been the most redirects.
///
/// Nothing of it is durable. Who has forgotten where a circle began goes round it once more.
#[derive(Debug, Default)]
pub(crate) struct Circles {
    rounds: Map<KeyHash, Round>,
}

#[derive(Debug)]
struct Round {
    /// Hash of the form that it began with.
    first: u64,
    /// Whether it has come back to that.
    again: bool,
}

impl Circles {
    /// Notes that a URL asked for as `from` goes on as `to`; says whether that is how it began, for the second time.
    pub(crate) fn closes(&mut self, key: KeyHash, from: &str, to: &str) -> bool {
        let hash = |form: &str| self.rounds.hasher().hash_one(form);
        let (from, to) = (hash(from), hash(to));
        if self.rounds.len() >= CIRCLES {
            self.rounds.clear();
        }
        let round = self.rounds.entry(key).or_insert(Round { first: from, again: false });
        let is_back = round.first == to;
        let closes = is_back && round.again;
        round.again |= is_back;
        closes
    }

    /// Its redirects have ended.
    pub(crate) fn forget(&mut self, key: KeyHash) {
        self.rounds.remove(&key);
    }
}
