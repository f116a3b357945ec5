//! What is kept of a URL that needs nothing any more: one record of fixed size in the `records` DRUM, written once an
//! outcome and never for a link. Drawn in `docs/formats/frontier.md`.

use crate::{CaptureSeq, Exclusion, FailureKind, Location, ParkReason, UrlState};
use drum::Value;
use stdx::Timestamp;

/// The final state of a URL, and the least depth at which it was discovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UrlRecord {
    pub(crate) end: End,
    pub(crate) depth: u32,
}

/// How a URL ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It has not: only a shorter path to it has been found.
    None,
    Fetched(Answer),
    Excluded(Exclusion),
    Parked(ParkReason),
    /// It had been parked and is tried again.
    Again,
}

/// A final answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) capture: CaptureSeq,
    pub(crate) location: Location,
    pub(crate) at: Timestamp,
}

const NONE: u8 = 0;
const FETCHED: u8 = 1;
const EXCLUDED: u8 = 2;
const PARKED: u8 = 3;
const AGAIN: u8 = 4;

impl UrlRecord {
    /// The URL's state; `None` if it has not ended.
    pub(crate) fn state(&self) -> Option<UrlState> {
        let depth = self.depth;
        match self.end {
            End::None | End::Again => None,
            End::Fetched(Answer { capture, location, .. }) => {
                Some(UrlState::Fetched { depth, capture, location: Some(location) })
            }
            End::Excluded(rule) => Some(UrlState::Excluded { depth, rule }),
            End::Parked(reason) => Some(UrlState::Parked { depth, reason }),
        }
    }

    /// What `update` shows of a page whose links were derived by a longer path than the shortest one known now: the
    /// answer, and that path's depth.
    pub(crate) fn shallower(before: Option<Self>, update: Self) -> Option<(Answer, u32)> {
        let before = before?;
        match (before.end, update.end) {
            (End::Fetched(answer), End::None) if update.depth < before.depth => Some((answer, update.depth)),
            (End::None, End::Fetched(answer)) if before.depth < update.depth => Some((answer, before.depth)),
            _ => None,
        }
    }
}

impl Value for UrlRecord {
    const SIZE: usize = 88;

    fn encode(&self, out: &mut [u8]) {
        let mut fields = Writer { out };
        let (state, code) = codes(&self.end);
        fields.put(&[state, code.number]);
        fields.put(&code.detail.to_le_bytes());
        fields.put(&code.line.to_le_bytes());
        fields.put(&self.depth.to_le_bytes());
        let answer = if let End::Fetched(answer) = self.end { answer } else { Answer::NOTHING };
        fields.put(&answer.location.serial.to_le_bytes());
        let location = answer.location;
        for number in [answer.capture.0, answer.at.as_ms(), location.offset, location.length] {
            fields.put(&number.to_le_bytes());
        }
        for number in [location.response_offset, location.response_length] {
            fields.put(&number.to_le_bytes());
        }
        fields.out.fill(0);
    }

    fn decode(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let u64_at = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let detail = u16::from_le_bytes([bytes[2], bytes[3]]);
        let code = Code { number: bytes[1], detail, line: u32_at(4) };
        let location = Location {
            serial: u32_at(12),
            offset: u64_at(32),
            length: u64_at(40),
            response_offset: u64_at(48),
            response_length: u64_at(56),
        };
        let answer = Answer { capture: CaptureSeq(u64_at(16)), location, at: Timestamp::from_ms(u64_at(24)) };
        let end = match bytes[0] {
            FETCHED => End::Fetched(answer),
            EXCLUDED => End::Excluded(code.exclusion()),
            PARKED => End::Parked(code.park_reason()),
            AGAIN => End::Again,
            _ => End::None,
        };
        Self { end, depth: u32_at(8) }
    }

    fn merge(self, update: Self) -> Self {
        let end = if update.end == End::None { self.end } else { update.end };
        Self { end, depth: self.depth.min(update.depth) }
    }
}

impl Answer {
    const NOTHING: Self = Self {
        capture: CaptureSeq(0),
        location: Location { serial: 0, offset: 0, length: 0, response_offset: 0, response_length: 0 },
        at: Timestamp::ZERO,
    };
}

/// A rule or a reason in numbers.
struct Code {
    number: u8,
    detail: u16,
    line: u32,
}

fn codes(end: &End) -> (u8, Code) {
    let plain = |number, detail, line| Code { number, detail, line };
    match end {
        End::None => (NONE, plain(0, 0, 0)),
        End::Again => (AGAIN, plain(0, 0, 0)),
        End::Fetched(_) => (FETCHED, plain(0, 0, 0)),
        End::Excluded(Exclusion::Robots { line }) => (EXCLUDED, plain(1, 0, *line)),
        End::Excluded(Exclusion::AddressRefused) => (EXCLUDED, plain(2, 0, 0)),
        End::Excluded(Exclusion::RedirectLimit) => (EXCLUDED, plain(3, 0, 0)),
        End::Parked(ParkReason::Status(status)) => (PARKED, plain(1, *status, 0)),
        End::Parked(ParkReason::Failed(kind)) => (PARKED, plain(2, kind_code(*kind), 0)),
        End::Parked(ParkReason::Host(kind)) => (PARKED, plain(3, kind_code(*kind), 0)),
        End::Parked(ParkReason::RobotsUnreachable) => (PARKED, plain(4, 0, 0)),
        End::Parked(ParkReason::CrawlDelay) => (PARKED, plain(5, 0, 0)),
    }
}

impl Code {
    fn exclusion(&self) -> Exclusion {
        match self.number {
            1 => Exclusion::Robots { line: self.line },
            2 => Exclusion::AddressRefused,
            _ => Exclusion::RedirectLimit,
        }
    }

    fn park_reason(&self) -> ParkReason {
        match self.number {
            1 => ParkReason::Status(self.detail),
            2 => ParkReason::Failed(kind_of(self.detail)),
            3 => ParkReason::Host(kind_of(self.detail)),
            4 => ParkReason::RobotsUnreachable,
            _ => ParkReason::CrawlDelay,
        }
    }
}

/// The numbers of the kinds, for good: a new kind comes at the end.
const KINDS: [FailureKind; 14] = [
    FailureKind::NameNotFound,
    FailureKind::NameServer,
    FailureKind::AddressRefused,
    FailureKind::ConnectRefused,
    FailureKind::ConnectTimeout,
    FailureKind::ResponseTimeout,
    FailureKind::Disconnected,
    FailureKind::Certificate,
    FailureKind::Tls,
    FailureKind::Protocol,
    FailureKind::Local,
    FailureKind::Blocked,
    FailureKind::NotModified,
    FailureKind::Offline,
];

fn kind_code(kind: FailureKind) -> u16 {
    KINDS.iter().position(|known| *known == kind).expect("every kind has a number") as u16
}

fn kind_of(code: u16) -> FailureKind {
    KINDS.get(usize::from(code)).copied().unwrap_or(FailureKind::Local)
}

struct Writer<'a> {
    out: &'a mut [u8],
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        let (head, rest) = std::mem::take(&mut self.out).split_at_mut(bytes.len());
        head.copy_from_slice(bytes);
        self.out = rest;
    }
}
