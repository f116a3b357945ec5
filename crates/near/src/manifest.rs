use crate::error::Result;
use disk::{Damage, Disk, read_all, replace_file};
use std::path::Path;

const MAGIC: [u8; 8] = *b"NEARmani";
const VERSION: u16 = 1;
const BYTES: usize = 30;

/// Which files are the tables; see `docs/formats/near.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Manifest {
    /// 0 before anything was added: there are no files.
    pub(crate) generation: u64,
    /// Of each table.
    pub(crate) entries: u64,
}

impl Manifest {
    pub(crate) fn read(disk: &dyn Disk, path: &Path) -> Result<Self> {
        if disk.stat(path)?.is_none() {
            return Ok(Self::default());
        }
        Ok(Self::parse(&read_all(disk, path)?).map_err(|damage| damage.in_file(path))?)
    }

    pub(crate) fn replace(&self, disk: &dyn Disk, path: &Path) -> Result<()> {
        Ok(replace_file(disk, path, &self.to_bytes())?)
    }

    fn to_bytes(self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        out.extend_from_slice(&self.entries.to_le_bytes());
        out.extend_from_slice(&crc32fast::hash(&out).to_le_bytes());
        out
    }

    fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(Damage::Bad("not a manifest of tables"))?;
        let (version, body) = body.split_first_chunk().ok_or(Damage::Bad("too short"))?;
        if u16::from_le_bytes(*version) != VERSION {
            return Err(Damage::Version { found: u16::from_le_bytes(*version), known: VERSION });
        }
        let (numbers, checksum) = body.as_chunks::<8>();
        let ([generation, entries], Ok(checksum), BYTES) =
            (numbers, <[u8; 4]>::try_from(checksum), bytes.len())
        else {
            return Err(Damage::Bad("another length than a manifest's"));
        };
        if crc32fast::hash(&bytes[..BYTES - 4]) != u32::from_le_bytes(checksum) {
            return Err(Damage::Bad("its checksum does not fit"));
        }
        let generation = u64::from_le_bytes(*generation);
        // What follows a generation has the next number.
        if generation == u64::MAX {
            return Err(Damage::Bad("an impossible generation"));
        }
        Ok(Self { generation, entries: u64::from_le_bytes(*entries) })
    }
}
