use crate::body::Body;
use crate::limits::{ARRIVING_BYTES, FIRST_BYTES};
use crate::spool::Spool;
use bytes::Bytes;
use disk::{File, MemDisk};
use std::fmt;
use std::io;
use std::sync::Arc;
use stdx::{Credit, Lease};
use warc::Sha1Stream;

/// Takes bodies in: into memory as far as the credit goes and the body is not too long, into the spool beyond.
#[derive(Clone)]
pub struct Intake {
    credit: Credit,
    spool: Spool,
    held_bytes: usize,
}

/// A body of which more may come. It can always go on with the memory it has: what cannot be taken in is spilled
/// first.
pub struct Arriving {
    intake: Intake,
    /// Covers the buffer beyond [`ARRIVING_BYTES`], which are the connection's own.
    lease: Lease,
    buffer: Vec<u8>,
    /// What the first buffer holds.
    first: usize,
    spilled: Option<Spilled>,
}

struct Spilled {
    file: Box<dyn File>,
    len: u64,
    digest: Sha1Stream,
}

impl fmt::Debug for Intake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Intake({:?}, {} bytes a body)", self.credit, self.held_bytes)
    }
}

impl Intake {
    /// Bodies of up to `held_bytes` may stay in memory, all of them together within `credit`.
    pub fn new(credit: Credit, spool: Spool, held_bytes: usize) -> Self {
        Self { credit, spool, held_bytes }
    }

    /// Keeps everything in memory: for tools that fetch a little.
    pub fn in_memory() -> Self {
        let spool = Spool::open(Arc::new(MemDisk::new())).expect("a disk in memory has no faults");
        Self::new(Credit::new(u64::MAX), spool, usize::MAX)
    }

    /// A body of which nothing has come.
    pub fn begin(&self) -> Arriving {
        let (intake, lease) = (self.clone(), self.credit.lease());
        Arriving { intake, lease, buffer: Vec::new(), first: FIRST_BYTES, spilled: None }
    }
}

impl Arriving {
    /// Says how long it is said to become, so that it need not be moved as it grows: most are as long as that, and the memory is
    /// the connection's own.
    #[must_use]
    pub fn expecting(self, bytes: u64) -> Self {
        Self { first: bytes.min(ARRIVING_BYTES as u64) as usize, ..self }
    }

    /// Takes in as much of `data` as there is memory for; gives how much. Where that is not all, [`Self::spill`] makes
    /// room.
    pub fn take(&mut self, data: &[u8]) -> usize {
        let wanted = self.buffer.len().saturating_add(data.len()).min(self.most());
        self.provide(wanted);
        let taken = self.buffer.capacity().min(wanted) - self.buffer.len();
        self.buffer.extend_from_slice(&data[..taken]);
        taken
    }

    /// Puts what is in memory to disk. Blocks.
    pub fn spill(&mut self) -> io::Result<()> {
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            none => {
                let (file, digest) = (self.intake.spool.file()?, Sha1Stream::default());
                none.insert(Spilled { file, len: 0, digest })
            }
        };
        spilled.file.write_at(&self.buffer, spilled.len)?;
        spilled.digest.update(&self.buffer);
        spilled.len += self.buffer.len() as u64;
        self.buffer.clear();
        self.buffer.shrink_to(ARRIVING_BYTES);
        self.lease.shrink_to(0);
        Ok(())
    }

    /// The whole body, in memory with `beside` bytes that go with it; itself back if it has to go to disk.
    pub fn finish(mut self, beside: usize) -> Result<Body, Box<Self>> {
        let whole = (self.buffer.len() + beside) as u64;
        if self.spilled.is_some() || self.lease.grow_to(whole).is_err() {
            return Err(Box::new(self));
        }
        self.buffer.shrink_to_fit();
        self.lease.shrink_to(whole);
        let held = Held { bytes: self.buffer, _lease: self.lease };
        Ok(Bytes::from_owner(held).into())
    }

    /// The whole body, in the spool. Blocks.
    pub fn finish_on_disk(mut self) -> io::Result<Body> {
        self.spill()?;
        let Spilled { file, len, digest } = self.spilled.expect("spilled just now");
        Ok(Body::in_spool(file, len, digest.finish()))
    }

    /// How long the buffer may become.
    fn most(&self) -> usize {
        if self.spilled.is_some() { ARRIVING_BYTES } else { self.intake.held_bytes.max(ARRIVING_BYTES) }
    }

    /// Makes the buffer large enough, or as large as the credit lets it be. It grows by half at least, so that a body
    /// is not moved often, and never far beyond what has come: a slow one holds nothing that others could use.
    fn provide(&mut self, wanted: usize) {
        let capacity = self.buffer.capacity();
        if wanted <= capacity {
            return;
        }
        let generous = wanted.max(capacity + capacity / 2).max(self.first).min(self.most());
        let target =
            [generous, wanted].into_iter().find(|target| self.lease.grow_to(beyond(*target)).is_ok());
        let target = target.unwrap_or(ARRIVING_BYTES);
        if target > capacity {
            self.buffer.reserve_exact(target - self.buffer.len());
        }
    }
}

/// What a buffer of so many bytes takes of the credit.
fn beyond(bytes: usize) -> u64 {
    bytes.saturating_sub(ARRIVING_BYTES) as u64
}

/// Bytes that give their part of the credit back when nobody holds them any more.
struct Held {
    bytes: Vec<u8>,
    _lease: Lease,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
