//! A line that is too long to stand in: whoever would is given a moment to come again, and may go to disk until then.

use crate::limits::{IDLE_SERVERS, IN_LINE, IN_LINE_PRESSED, PUT_OFF_MS};
use cluster::clock_of;
use std::net::IpAddr;
use stdx::{Map, Timestamp};

/// How many hosts may stand in a line.
pub(crate) fn room(is_pressed: bool) -> usize {
    if is_pressed { IN_LINE_PRESSED } else { IN_LINE }
}

/// Moments for those who find a line full, one after the other, as it serves them at its quickest: so there is always somebody in it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Appointments {
    next: Timestamp,
}

impl Appointments {
    /// The moment for one more, while so many stand in the line, each of which takes `turn_ms` at least. Nobody is put off for longer than
    /// [`PUT_OFF_MS`]: those behind share moments with those before them.
    pub(crate) fn give(&mut self, standing: usize, turn_ms: u64, now: Timestamp) -> Timestamp {
        let latest = now + PUT_OFF_MS;
        let first = latest.min(now + standing as u64 * turn_ms);
        let moment = if self.next > latest { first } else { self.next.max(first) };
        self.next = moment + turn_ms;
        moment
    }

    /// How many have a moment that is yet to come.
    pub(crate) fn ahead(self, turn_ms: u64, now: Timestamp) -> u64 {
        self.next.since_ms(now) / turn_ms.max(1)
    }
}

/// Those of lines in which others count who stands there.
#[derive(Debug, Default)]
pub(crate) struct Lines(Map<IpAddr, Appointments>);

impl Lines {
    /// As [`Appointments::give`].
    pub(crate) fn give(&mut self, ip: IpAddr, standing: usize, turn_ms: u64, now: Timestamp) -> Timestamp {
        if self.0.len() >= IDLE_SERVERS {
            self.0.retain(|_, line| line.next > now);
        }
        self.0.entry(clock_of(ip)).or_default().give(standing, turn_ms, now)
    }
}
