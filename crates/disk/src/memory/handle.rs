use super::{Node, Space};
use crate::locked::locked;
use crate::path::about;
use crate::{File, Mode};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A handle: it outlives the name it was opened by, as on POSIX.
pub(super) struct MemFile {
    node: Node,
    space: Arc<Space>,
    path: PathBuf,
    mode: Mode,
}

impl MemFile {
    pub(super) fn new(node: Node, space: Arc<Space>, path: PathBuf, mode: Mode) -> Self {
        Self { node, space, path, mode }
    }

    fn full(&self) -> io::Error {
        about(&self.path, "write")(io::ErrorKind::StorageFull.into())
    }
}

impl File for MemFile {
    fn len(&self) -> io::Result<u64> {
        Ok(locked(&self.node).len())
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(locked(&self.node).read(buf, offset))
    }

    /// On a full disk the part that fits is written, as POSIX does.
    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        self.mode.check_writable(&self.path)?;
        if data.is_empty() {
            return Ok(());
        }
        let mut content = locked(&self.node);
        let growth = (offset + data.len() as u64).saturating_sub(content.len());
        let granted = if content.is_unlinked() { growth } else { self.space.take(growth) };
        let missing = (growth - granted) as usize;
        if missing < data.len() {
            content.write(&data[..data.len() - missing], offset);
        } else {
            self.space.release(granted);
        }
        if missing > 0 { Err(self.full()) } else { Ok(()) }
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.mode.check_writable(&self.path)?;
        let mut content = locked(&self.node);
        let (before, counted) = (content.len(), !content.is_unlinked());
        let growth = len.saturating_sub(before);
        if counted {
            let granted = self.space.take(growth);
            if granted < growth {
                self.space.release(granted);
                return Err(self.full());
            }
            self.space.release(before.saturating_sub(len));
        }
        content.resize(len);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        locked(&self.node).sync();
        Ok(())
    }
}
