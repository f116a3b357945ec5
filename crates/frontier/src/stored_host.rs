//! A host as bytes: its record in the directory, and its part of a checkpoint. A job adds to its queues and looks at its
//! clock without reading its rules. Drawn in `docs/formats/frontier.md`.

use crate::entry::put_pending;
use crate::habits::Habits;
use crate::host::{Host, HostHead, HostRecord};
use crate::host_bytes::{FIRST_VERSION, VERSION};
use crate::lane::Lane;
use crate::{Class, Error, Pending, Result};
use backlog::{RunId, Section};
use std::borrow::Cow;
use stdx::Timestamp;
use stdx::wire::{Fields, put_bytes, put_varint};

const BARRED: u8 = 0b1;
const AT_HAND: u8 = 0b10;
const SECTIONS: u8 = 0b100;
const DEFERRED: u8 = 0b1000;
const CLASS_SHIFT: u8 = 4;

/// What a job must know of a host that it only passes.
#[expect(clippy::struct_excessive_bools, reason = "they are the flags of a record")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) next_at: Timestamp,
    /// When the first retry is due; `NEVER` if there is none.
    pub(crate) retry_at: Timestamp,
    /// URLs held, on disk too.
    pub(crate) pending: u64,
    pub(crate) barred: bool,
    /// Whether something waits for nothing but the host's clock.
    pub(crate) at_hand: bool,
    pub(crate) has_sections: bool,
    /// Whether some of its URLs are in BEAST's queues.
    pub(crate) deferred: bool,
    /// The best class that has something.
    pub(crate) class: Class,
}

impl Standing {
    /// When the host has something to do and may do it.
    pub(crate) fn due(&self) -> Option<Timestamp> {
        let work = if self.at_hand { Timestamp::ZERO } else { self.retry_at };
        let has_work = !self.barred && work < Timestamp::NEVER;
        has_work.then(|| work.max(self.next_at))
    }

    /// From when on it waits for BEAST and for nothing else, as [`Host::starves_from`] has it.
    pub(crate) fn starves_from(&self) -> Timestamp {
        match (self.deferred, self.barred) {
            (true, true) => Timestamp::ZERO,
            (true, false) if !self.at_hand => self.next_at,
            _ => Timestamp::NEVER,
        }
    }

    fn flags(&self) -> u8 {
        let flag = |is: bool, bit: u8| if is { bit } else { 0 };
        let flags = flag(self.barred, BARRED) | flag(self.at_hand, AT_HAND);
        let flags = flags | flag(self.has_sections, SECTIONS) | flag(self.deferred, DEFERRED);
        flags | ((self.class as u8) << CLASS_SHIFT)
    }
}

/// A stored host whose parts lie in the bytes it was read from, and in those that a job adds.
#[derive(Debug, Clone)]
pub(crate) struct StoredHost<'a> {
    pub(crate) standing: Standing,
    pub(crate) queues: StoredQueues<'a>,
    pub(crate) habits: Habits,
    /// In the present version.
    record: Cow<'a, [u8]>,
}

/// The queues of a stored host.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredQueues<'a> {
    pub(crate) back: Vec<&'a [u8]>,
    pub(crate) retries: Vec<&'a [u8]>,
    pub(crate) lanes: [StoredLane<'a>; 3],
}

/// One class of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredLane<'a> {
    pub(crate) head: Vec<&'a [u8]>,
    pub(crate) sections: Vec<Section>,
    pub(crate) tail: Vec<&'a [u8]>,
}

impl StoredLane<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_empty() && self.sections.is_empty() && self.tail.is_empty()
    }

    fn count(&self) -> u64 {
        let on_disk: u64 = self.sections.iter().map(|section| section.count).sum();
        on_disk + (self.head.len() + self.tail.len()) as u64
    }
}

/// The standing in front of a stored host.
pub(crate) fn standing_of(bytes: &[u8]) -> Result<Standing> {
    let mut fields = Fields::new(bytes);
    read_standing(&mut fields).map(|(_, standing)| standing).ok_or(DAMAGED)
}

/// What a list of hosts needs of a stored host: neither its queues nor its rules are read.
pub(crate) struct StoredHead {
    pub(crate) standing: Standing,
    pub(crate) head: HostHead,
    /// URLs in BEAST's queues.
    pub(crate) deferred: u64,
}

impl StoredHead {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        let mut fields = Fields::new(bytes);
        let (version, standing) = read_standing(&mut fields).ok_or(DAMAGED)?;
        let (_queues, habits) =
            (fields.counted_bytes().ok_or(DAMAGED)?, fields.counted_bytes().ok_or(DAMAGED)?);
        let deferred = if standing.deferred { Habits::deferred_in(habits)? } else { 0 };
        Ok(Self { standing, head: HostHead::decode(version, fields.rest())?, deferred })
    }
}

const DAMAGED: Error = Error::Damaged { what: "a host of the directory" };

impl<'a> StoredHost<'a> {
    /// A host that nobody has met before; `record` is its encoded record.
    pub(crate) fn new(record: &'a [u8], next_at: Timestamp) -> Self {
        let standing = Standing {
            next_at,
            retry_at: Timestamp::NEVER,
            pending: 0,
            barred: false,
            at_hand: false,
            has_sections: false,
            deferred: false,
            class: Class::Low,
        };
        let (queues, habits) = (StoredQueues::default(), Habits::default());
        Self { standing, queues, habits, record: Cow::Borrowed(record) }
    }

    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut fields = Fields::new(bytes);
        let (version, standing) = read_standing(&mut fields).ok_or(DAMAGED)?;
        let queues = fields.counted_bytes().and_then(StoredQueues::parse).ok_or(DAMAGED)?;
        let habits = Habits::parse(version, fields.counted_bytes().ok_or(DAMAGED)?)?;
        let record = match version {
            VERSION => Cow::Borrowed(fields.rest()),
            _ => Cow::Owned(HostRecord::decode(version, fields.rest())?.encode()),
        };
        Ok(Self { standing, queues, habits, record })
    }

    /// The same with another record.
    pub(crate) fn with_record<'b>(self, record: &'b [u8]) -> StoredHost<'b>
    where
        'a: 'b,
    {
        let record = Cow::Borrowed(record);
        StoredHost { standing: self.standing, queues: self.queues, habits: self.habits, record }
    }

    /// Its record: everything but the queues.
    pub(crate) fn record(&self) -> Result<HostRecord> {
        HostRecord::decode(VERSION, &self.record)
    }

    /// The host with its queues as they are now.
    pub(crate) fn encode(&mut self) -> Vec<u8> {
        self.update_standing();
        let mut queues = Vec::new();
        self.queues.encode(&mut queues);
        let mut out = Vec::with_capacity(queues.len() + self.record.len() + 40);
        put_standing(&mut out, &self.standing);
        put_bytes(&mut out, &queues);
        put_bytes(&mut out, &self.habits.encode());
        out.extend_from_slice(&self.record);
        out
    }

    fn update_standing(&mut self) {
        let (standing, queues) = (&mut self.standing, &self.queues);
        let lanes = &queues.lanes;
        let best = Class::ALL.into_iter().find(|class| !lanes[*class as usize].is_empty());
        standing.class = best.unwrap_or(Class::Low);
        standing.at_hand = best.is_some() || !queues.back.is_empty();
        standing.has_sections = lanes.iter().any(|lane| !lane.sections.is_empty());
        let waiting = (queues.back.len() + queues.retries.len()) as u64;
        standing.pending = waiting + lanes.iter().map(StoredLane::count).sum::<u64>();
        standing.deferred = self.habits.counts.deferred > 0;
    }
}

impl<'a> StoredQueues<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut fields = Fields::new(bytes);
        let mut queues =
            Self { back: entries(&mut fields)?, retries: entries(&mut fields)?, ..Self::default() };
        for lane in &mut queues.lanes {
            lane.head = entries(&mut fields)?;
            lane.sections = sections(&mut fields)?;
            lane.tail = entries(&mut fields)?;
        }
        fields.is_empty().then_some(queues)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        put_entries(out, &self.back);
        put_entries(out, &self.retries);
        for lane in &self.lanes {
            put_entries(out, &lane.head);
            put_sections(out, lane.sections.iter());
            put_entries(out, &lane.tail);
        }
    }
}

impl Host {
    /// The host as bytes. A URL in flight is one at hand: after a crash it is fetched again.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut queues = Vec::new();
        put_all(&mut queues, self.in_flight.iter().chain(self.back.iter()));
        put_all(&mut queues, self.retries.iter());
        self.lanes.iter().for_each(|lane| put_lane(&mut queues, lane));
        let mut out = Vec::with_capacity(queues.len() + self.record.robots_bytes as usize + 128);
        put_standing(&mut out, &self.standing());
        put_bytes(&mut out, &queues);
        put_bytes(&mut out, &self.habits.encode());
        out.extend_from_slice(&self.record.encode());
        out
    }

    fn standing(&self) -> Standing {
        let holds_some = |lane: &Lane| lane.len() > 0;
        let best = Class::ALL.into_iter().find(|class| holds_some(&self.lanes[*class as usize]));
        Standing {
            next_at: self.record.next_at,
            retry_at: self.retries.due().unwrap_or(Timestamp::NEVER),
            pending: self.pending,
            barred: self.record.barred.is_some(),
            at_hand: best.is_some() || !self.back.is_empty() || self.in_flight.is_some(),
            has_sections: self.lanes.iter().any(|lane| lane.all_sections().next().is_some()),
            deferred: self.habits.counts.deferred > 0,
            class: best.unwrap_or(Class::Low),
        }
    }
}

/// The version, and what stands behind it.
fn read_standing(fields: &mut Fields<'_>) -> Option<(u8, Standing)> {
    let (version, flags) = (fields.u8()?, fields.u8()?);
    let class = *Class::ALL.get(usize::from(flags >> CLASS_SHIFT))?;
    let standing = Standing {
        next_at: Timestamp::from_ms(fields.u64()?),
        retry_at: Timestamp::from_ms(fields.u64()?),
        pending: fields.u64()?,
        barred: flags & BARRED != 0,
        at_hand: flags & AT_HAND != 0,
        has_sections: flags & SECTIONS != 0,
        deferred: flags & DEFERRED != 0,
        class,
    };
    (FIRST_VERSION..=VERSION).contains(&version).then_some((version, standing))
}

fn put_standing(out: &mut Vec<u8>, standing: &Standing) {
    out.extend_from_slice(&[VERSION, standing.flags()]);
    for number in [standing.next_at.as_ms(), standing.retry_at.as_ms(), standing.pending] {
        out.extend_from_slice(&number.to_le_bytes());
    }
}

fn entries<'a>(fields: &mut Fields<'a>) -> Option<Vec<&'a [u8]>> {
    (0..fields.varint()?).map(|_| fields.counted_bytes()).collect()
}

fn put_entries(out: &mut Vec<u8>, entries: &[&[u8]]) {
    put_varint(out, entries.len() as u64);
    for entry in entries {
        put_bytes(out, entry);
    }
}

fn put_all<'a>(out: &mut Vec<u8>, entries: impl Iterator<Item = &'a Pending> + Clone) {
    put_varint(out, entries.clone().count() as u64);
    let mut encoded = Vec::new();
    for entry in entries {
        encoded.clear();
        put_pending(&mut encoded, entry);
        put_bytes(out, &encoded);
    }
}

fn put_lane(out: &mut Vec<u8>, lane: &Lane) {
    put_all(out, lane.head.iter());
    let sections: Vec<&Section> = lane.all_sections().collect();
    put_sections(out, sections.into_iter());
    put_all(out, lane.in_memory().skip(lane.head.len()));
}

fn sections(fields: &mut Fields<'_>) -> Option<Vec<Section>> {
    let section = |fields: &mut Fields<'_>| {
        let (run, offset) = (RunId(fields.varint()?), fields.varint()?);
        Some(Section { run, offset, bytes: fields.varint()?, count: fields.varint()? })
    };
    (0..fields.varint()?).map(|_| section(fields)).collect()
}

fn put_sections<'a>(out: &mut Vec<u8>, sections: impl ExactSizeIterator<Item = &'a Section>) {
    put_varint(out, sections.len() as u64);
    for Section { run, offset, bytes, count } in sections {
        for number in [run.0, *offset, *bytes, *count] {
            put_varint(out, number);
        }
    }
}
