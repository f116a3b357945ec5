use bytes::Bytes;
use disk::{File, SequentialReader};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;
use warc::{PayloadReader, Sha1Digest};

/// The body of a response, wherever its bytes are: in memory, in the spool, or back in the archive. Cheap to clone.
#[derive(Clone)]
pub struct Body {
    place: Place,
    len: u64,
    digest: Sha1Digest,
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
    /// What has arrived in memory.
    pub(crate) fn in_memory(bytes: Bytes, digest: Sha1Digest) -> Self {
        Self { len: bytes.len() as u64, place: Place::Memory(bytes), digest }
    }

    /// What has been written to a file of the spool.
    pub(crate) fn in_spool(file: Box<dyn File>, len: u64, digest: Sha1Digest) -> Self {
        Self { place: Place::Spool(file.into()), len, digest }
    }

    /// What is to be read from the archive.
    pub(crate) fn in_archive(member: Member, len: u64, digest: Sha1Digest) -> Self {
        Self { place: Place::Archive(member), len, digest }
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
        self.digest
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
        let digest = Sha1Digest::of(&bytes);
        Self::in_memory(bytes, digest)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::Memory(_) => "memory",
            Place::Spool(_) => "spool",
            Place::Archive(_) => "archive",
        };
        write!(f, "Body({} bytes in {place}, {})", self.len, self.digest)
    }
}
