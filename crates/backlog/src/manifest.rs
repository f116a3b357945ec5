use crate::directory::DirectoryCut;
use crate::error::{Result, pass_version};
use crate::names;
use crate::queue::{Queue, QueueId, Queues, Stretch};
use crate::run::{RunId, RunSet, RunUse};
use disk::Damage;
use std::collections::BTreeMap;
use std::path::PathBuf;
use stdx::wire::{Fields, put_varint, put_varints};

const MAGIC: [u8; 8] = *b"BLOGmani";
const VERSION: u8 = 1;

/// An exact cut of a backlog: which files hold it, and how much of each counts. Kept by the caller, in a checkpoint that
/// is replaced atomically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    pub(crate) next_generation: u64,
    pub(crate) directory: Option<DirectoryCut>,
    pub(crate) runs: RunSet,
    pub(crate) queues: Queues,
}

/// A manifest, and what must be synced before it may be relied upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What [`Backlog::open`](crate::Backlog::open) returns to.
    pub manifest: Manifest,
    /// Files, as paths on the disk: each to be synced, and then the directories they are in.
    pub sync: Vec<PathBuf>,
}

impl Manifest {
    /// The cut in which nothing has happened.
    pub(crate) fn empty() -> Self {
        let (runs, queues) = (RunSet::default(), Queues::new());
        Self { next_generation: 1, directory: None, runs, queues }
    }

    /// Names, within the backlog's directory, of the files that hold the cut, and how many bytes of each count.
    pub fn files(&self) -> BTreeMap<String, u64> {
        let mut files: BTreeMap<String, u64> = BTreeMap::new();
        files.extend(self.directory.map(|cut| (names::directory(cut.generation), cut.len)));
        files.extend(self.runs.iter().map(|(id, run)| (names::run(id.0), run.total_bytes)));
        for stretch in self.queues.values().flat_map(Queue::stretches) {
            let end = files.entry(names::queue(stretch.file)).or_default();
            *end = stretch.end.max(*end);
        }
        files
    }

    /// The manifest as bytes, with magic, version and checksum; see `docs/formats/backlog.md`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(VERSION);
        put_varint(&mut out, self.next_generation);
        put_varint(&mut out, u64::from(self.directory.is_some()));
        if let Some(cut) = self.directory {
            put_varints(&mut out, [cut.generation, cut.len, cut.records]);
        }
        put_varint(&mut out, self.runs.len() as u64);
        for (id, run) in self.runs.iter() {
            put_varints(&mut out, [id.0, run.total_bytes, run.live_bytes]);
        }
        put_varint(&mut out, self.queues.len() as u64);
        self.queues.iter().for_each(|(id, queue)| put_queue(&mut out, *id, queue));
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    /// Reads what [`Manifest::to_bytes`] gave.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Ok(Self::parse(bytes).map_err(|damage| damage.in_file("manifest"))?)
    }

    pub(crate) fn check_invariants(&self) {
        let is_old = |generation: u64| generation < self.next_generation;
        assert!(self.directory.is_none_or(|cut| is_old(cut.generation) && cut.records > 0));
        assert!(self.runs.iter().all(|(id, run)| is_old(id.0) && run.is_possible()));
        let mut stretches: Vec<Stretch> = self.queues.values().flat_map(Queue::stretches).collect();
        assert!(stretches.iter().all(|stretch| is_old(stretch.file) && stretch.is_possible()));
        assert!(self.queues.values().all(|queue| !queue.is_empty()), "a queue has entries");
        stretches.sort_unstable_by_key(|stretch| (stretch.file, stretch.start));
        let apart = |a: &Stretch, b: &Stretch| a.file < b.file || a.end <= b.start;
        assert!(stretches.is_sorted_by(apart), "a block is in two queues");
    }

    fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let mut fields = Fields::new(bytes);
        pass_version(&mut fields, &MAGIC, VERSION, "not a backlog's manifest")?;
        let (body, checksum) = bytes.split_last_chunk().ok_or(Damage::Bad("too short"))?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Err(Damage::Bad("its checksum does not fit"));
        }
        let fields = body.get(MAGIC.len() + 1..).map(Fields::new);
        fields.and_then(Self::parse_fields).ok_or(Damage::Bad("its fields do not fit"))
    }

    fn parse_fields(mut fields: Fields) -> Option<Self> {
        let next_generation = fields.varint()?;
        let directory = match fields.varint()? {
            0 => None,
            _ => Some(parse_directory(&mut fields)?),
        };
        let mut runs = RunSet::default();
        for _ in 0..fields.varint()? {
            parse_run(&mut fields, &mut runs)?;
        }
        let mut queues = Queues::new();
        for _ in 0..fields.varint()? {
            let id = QueueId(u8::try_from(fields.varint()?).ok()?);
            queues.insert(id, parse_queue(&mut fields)?);
        }
        fields.is_empty().then_some(Self { next_generation, directory, runs, queues })
    }
}

fn parse_directory(fields: &mut Fields) -> Option<DirectoryCut> {
    Some(DirectoryCut { generation: fields.varint()?, len: fields.varint()?, records: fields.varint()? })
}

fn parse_run(fields: &mut Fields, runs: &mut RunSet) -> Option<()> {
    let id = RunId(fields.varint()?);
    let run = RunUse { total_bytes: fields.varint()?, live_bytes: fields.varint()? };
    (run.is_possible() && runs.get(id).is_none()).then(|| runs.insert(id, run))
}

fn put_queue(out: &mut Vec<u8>, id: QueueId, queue: &Queue) {
    put_varints(out, [u64::from(id.0), queue.stretches().len() as u64]);
    for stretch in queue.stretches() {
        put_varints(out, [stretch.file, stretch.start, stretch.end, stretch.entries]);
    }
}

fn parse_queue(fields: &mut Fields) -> Option<Queue> {
    let mut queue = Queue::default();
    for _ in 0..fields.varint()? {
        let (file, start) = (fields.varint()?, fields.varint()?);
        let stretch = Stretch { file, start, end: fields.varint()?, entries: fields.varint()? };
        stretch.is_possible().then(|| queue.push(stretch))?;
    }
    (!queue.is_empty()).then_some(queue)
}
