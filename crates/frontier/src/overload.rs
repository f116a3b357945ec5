//! The pace that a host's 429s and 503s teach.

use serde::{Deserialize, Serialize};

/// By how much a host is left alone longer than it would be, in eighths of its delay: twice as much and a whole delay more with
/// each 429 or 503, a sixteenth less with each other answer, and an eighth of the delay at least. So few contacts are turned
/// away once the pace is about what the server bears, and a host that has recovered is soon contacted as before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overload(u16);

/// A whole delay.
const WHOLE: u16 = 8;

/// No host is left alone longer than for 64 delays by it (nor than [`OVERLOAD_DELAY_MAX_MS`](crate::limits::OVERLOAD_DELAY_MAX_MS)), and one that answers again for no longer than after six in a row.
const FELT: u16 = WHOLE * 63;

/// Ten in a row; no more are counted.
const MOST: u16 = WHOLE * 1023;

impl Overload {
    /// After as many in a row as were counted up to now.
    pub(crate) fn counted(in_a_row: u8) -> Self {
        (0..in_a_row).fold(Self::default(), |overload, _| overload.again())
    }

    /// After another.
    pub(crate) fn again(self) -> Self {
        Self((2 * self.0 + WHOLE).min(MOST))
    }

    /// After any other answer.
    pub(crate) fn eased(self) -> Self {
        let felt = self.0.min(FELT);
        Self(felt.saturating_sub((felt / 16).max(1)))
    }

    /// How many in a row would have taught as much.
    pub(crate) fn in_a_row(self) -> u8 {
        (self.0 / WHOLE + 1).ilog2() as u8
    }

    /// A delay with what is added to it.
    pub(crate) fn lengthen(self, delay_ms: u64) -> u64 {
        let felt = u64::from(self.0.min(FELT));
        delay_ms.saturating_add(delay_ms.saturating_mul(felt) / u64::from(WHOLE))
    }
}

#[cfg(test)]
mod tests {
    use super::Overload;

    #[test]
    fn each_in_a_row_counts_and_doubles_the_delay() {
        for n in 0..=10 {
            let overload = Overload::counted(n);
            assert_eq!((overload.in_a_row(), overload.lengthen(1000)), (n, 1000 << n.min(6)));
        }
        assert_eq!(Overload::counted(u8::MAX), Overload::counted(10), "there is a most");
    }

    #[test]
    fn a_host_that_recovers_is_soon_contacted_as_before() {
        let mut overload = Overload::counted(10);
        for _ in 0..80 {
            overload = overload.eased();
        }
        assert_eq!(overload, Overload::default());
    }

    /// A server that admits one contact in `least_ms`; how many of a thousand it turns away.
    fn turned_away(least_ms: u64) -> u32 {
        let (mut overload, mut turned_away) = (Overload::default(), 0);
        for _ in 0..1000 {
            if overload.lengthen(1000) < least_ms {
                overload = overload.again();
                turned_away += 1;
            } else {
                overload = overload.eased();
            }
        }
        turned_away
    }

    #[test]
    fn few_are_turned_away_whatever_the_server_bears() {
        for least_ms in [1_100, 1_500, 2_000, 3_000, 10_000, 30_000] {
            let turned_away = turned_away(least_ms);
            assert!((1..=125).contains(&turned_away), "{turned_away} of 1000 at {least_ms} ms");
        }
    }
}
