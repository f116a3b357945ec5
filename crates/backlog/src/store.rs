use crate::config::Config;
use crate::error::Result;
use disk::{Appender, Mode, SharedDisk};
use std::io::Write;
use std::path::PathBuf;

/// Where a backlog's files are, and their shape. Cheap to clone: owner and job have one each.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) disk: SharedDisk,
    pub(crate) dir: PathBuf,
    pub(crate) config: Config,
}

impl Store {
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

/// A new file, written from front to back. It is made when there is something to write.
pub(crate) struct Output {
    store: Store,
    name: String,
    appender: Option<Appender>,
}

impl Output {
    pub(crate) fn new(store: Store, name: String) -> Self {
        Self { store, name, appender: None }
    }

    /// Where the next byte goes.
    pub(crate) fn offset(&self) -> u64 {
        self.appender.as_ref().map_or(0, Appender::offset)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.appender.is_none() {
            let file = self.store.disk.open(&self.store.path(&self.name), Mode::CreateNew)?;
            self.appender = Some(Appender::with_buffer(file, 0, crate::limits::STREAM_BYTES));
        }
        let appender = self.appender.as_mut().expect("it was just made");
        Ok(appender.write_all(bytes)?)
    }

    /// Brings what is buffered into the file.
    pub(crate) fn finish(self) -> Result<()> {
        self.appender.map(Appender::into_file).transpose()?;
        Ok(())
    }
}
