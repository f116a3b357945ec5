use bytes::Bytes;
use disk::{File, SequentialReader};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use warc::{PayloadReader, ResponseDigests, Sha1Digest};

/// The body of a response, wherever its bytes are: in memory, in the spool, or back in the archive. Cheap to clone.
#[derive(Clone)]
pub struct Body {
    place: Place,
    len: u64,
    /// Made when somebody asks, where the bytes are in memory: who archives them makes that of their record's block with it.
    digest: Arc<OnceLock<Sha1Digest>>,
}

#[derive(Clone)]
enum Place {
    Memory(Bytes),
    Spool(Arc<dyn File>),
    Archive(Member),
}

/// The gzip member of a response record.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) file: Arc<dyn File>,
    pub(crate) range: Range<u64>,
    /// Bytes of the HTTP head before the body.
    pub(crate) head_len: u64,
}

impl Body {
    /// What is in memory, where its digest is known.
    pub(crate) fn in_memory(bytes: Bytes, digest: Sha1Digest) -> Self {
        Self { digest: known(digest), ..Self::from(bytes) }
    }

    /// What has been written to a file of the spool.
    pub(crate) fn in_spool(file: Box<dyn File>, len: u64, digest: Sha1Digest) -> Self {
        Self { place: Place::Spool(file.into()), len, digest: known(digest) }
    }

    /// What is to be read from the archive.
    pub(crate) fn in_archive(member: Member, len: u64, digest: Sha1Digest) -> Self {
        Self { place: Place::Archive(member), len, digest: known(digest) }
    }

    /// Bytes of it.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The SHA-1 of its bytes.
    pub fn digest(&self) -> Sha1Digest {
        let make = || Sha1Digest::of(self.held().expect("what is elsewhere was read as it went there"));
        *self.digest.get_or_init(make)
    }

    /// The SHA-1 of the block that they are with this head, if they are in memory. That of the bytes alone is made with it.
    pub(crate) fn block_digest(&self, head: &[u8]) -> Option<Sha1Digest> {
        let ResponseDigests { block, payload } = ResponseDigests::of(head, self.held()?);
        self.digest.get_or_init(|| payload);
        Some(block)
    }

    /// All its bytes, if they are in memory.
    pub fn held(&self) -> Option<&Bytes> {
        match &self.place {
            Place::Memory(bytes) => Some(bytes),
            Place::Spool(_) | Place::Archive(_) => None,
        }
    }

    /// Its bytes from the start. Opens anew each time, and takes a buffer's memory.
    pub fn read(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(match &self.place {
            Place::Memory(bytes) => Box::new(bytes.as_ref()),
            Place::Spool(file) => Box::new(SequentialReader::new(Arc::clone(file), 0..self.len)),
            Place::Archive(member) => {
                let stream = SequentialReader::new(Arc::clone(&member.file), member.range.clone());
                Box::new(BufReader::new(PayloadReader::open(stream, member.head_len)?))
            }
        })
    }

    /// Its first `limit` bytes.
    pub fn start(&self, limit: usize) -> io::Result<Bytes> {
        if let Some(bytes) = self.held() {
            return Ok(bytes.slice(..bytes.len().min(limit)));
        }
        let mut start = Vec::new();
        self.read()?.take(limit as u64).read_to_end(&mut start)?;
        Ok(start.into())
    }
}

impl Default for Body {
    fn default() -> Self {
        Self::from(Bytes::new())
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self { len: bytes.len() as u64, place: Place::Memory(bytes), digest: Arc::default() }
    }
}

fn known(digest: Sha1Digest) -> Arc<OnceLock<Sha1Digest>> {
    Arc::new(digest.into())
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::Memory(_) => "memory",
            Place::Spool(_) => "spool",
            Place::Archive(_) => "archive",
        };
        write!(f, "Body({} bytes in {place}, {})", self.len, self.digest())
    }
}
