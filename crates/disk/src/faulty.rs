use crate::locked::locked;
use crate::path::about;
use crate::{Disk, File, MemDisk, Mode};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// What goes wrong, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPlan {
    /// The first call that fails; the first call of all is number 0.
    pub call: u64,
    /// How it fails.
    pub fault: Fault,
    /// Whether the calls after it fail too.
    pub lasts: Lasts,
}

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Any call: an input/output error, nothing done.
    Io,
    /// Any call: an input/output error; of a write a part is done, and a directory is made but not durable.
    TornWrite,
    /// Calls that take space: `StorageFull`, nothing done. Others succeed, the planned one too: [`FaultyDisk::failures`] tells
    /// whether the fault has struck.
    Full,
}

/// How long a fault lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasts {
    /// That one call.
    Once,
    /// That call and every later one: the disk is dead, as it is to a process about to be killed.
    Forever,
}

/// A [`MemDisk`] that fails as planned. Every call of [`Disk`] and [`File`] is counted, so that a test can
/// run once without faults, read [`FaultyDisk::calls`], and then fail at each of them.
#[derive(Clone)]
pub struct FaultyDisk {
    inner: MemDisk,
    injector: Injector,
}

impl FaultyDisk {
    /// Fails as `plan` says.
    pub fn new(inner: MemDisk, plan: FaultPlan) -> Self {
        Self { inner, injector: Injector::new(Some(plan)) }
    }

    /// Never fails, only counts.
    pub fn counting(inner: MemDisk) -> Self {
        Self { inner, injector: Injector::new(None) }
    }

    /// The disk below, for [`MemDisk::crash`] and [`MemDisk::kill`].
    pub fn inner(&self) -> &MemDisk {
        &self.inner
    }

    /// Calls made so far, failed ones too.
    pub fn calls(&self) -> u64 {
        self.injector.lock().calls
    }

    /// Calls that were made to fail so far; none if the fault has not struck.
    pub fn failures(&self) -> u64 {
        self.injector.lock().failures
    }

    /// Replaces the plan (`None`: nothing fails any more). Calls go on being counted from where they are.
    pub fn set_plan(&self, plan: Option<FaultPlan>) {
        self.injector.lock().plan = plan;
    }
}

impl Disk for FaultyDisk {
    fn open(&self, path: &Path, mode: Mode) -> io::Result<Box<dyn File>> {
        let creates = mode != Mode::Read && mode != Mode::Write;
        let need = if creates { Need::Space } else { Need::Nothing };
        self.injector.pass(need).map_err(about(path, "open"))?;
        let file = self.inner.open(path, mode)?;
        Ok(Box::new(FaultyFile { inner: file, injector: self.injector.clone(), path: path.to_owned() }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        self.injector.pass(Need::Nothing).map_err(about(dir, "list"))?;
        self.inner.list(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.injector.pass(Need::Nothing).map_err(about(from, "rename"))?;
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.injector.pass(Need::Nothing).map_err(about(path, "remove"))?;
        self.inner.remove(path)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        let passed = self.injector.pass(Need::Space).map_err(about(dir, "make directory"));
        if passed.is_err() && self.injector.torn().is_some() {
            self.inner.begin_dir(dir)?;
        }
        passed?;
        self.inner.create_dir(dir)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.injector.pass(Need::Nothing).map_err(about(dir, "sync directory"))?;
        self.inner.sync_dir(dir)
    }

    fn stat(&self, path: &Path) -> io::Result<Option<u64>> {
        self.injector.pass(Need::Nothing).map_err(about(path, "look at"))?;
        self.inner.stat(path)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        self.injector.pass(Need::Nothing)?;
        self.inner.free_bytes()
    }
}

struct FaultyFile {
    inner: Box<dyn File>,
    injector: Injector,
    path: PathBuf,
}

impl FaultyFile {
    fn pass(&self, need: Need, action: &'static str) -> io::Result<()> {
        self.injector.pass(need).map_err(about(&self.path, action))
    }
}

impl File for FaultyFile {
    fn len(&self) -> io::Result<u64> {
        self.pass(Need::Nothing, "look at")?;
        self.inner.len()
    }

    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        self.pass(Need::Nothing, "read")?;
        self.inner.read_at(buf, offset)
    }

    fn write_at(&mut self, data: &[u8], offset: u64) -> io::Result<()> {
        let passed = self.pass(Need::Space, "write");
        if passed.is_err()
            && let Some(part) = self.injector.torn_part(data)
        {
            self.inner.write_at(part, offset)?;
        }
        passed?;
        self.inner.write_at(data, offset)
    }

    fn set_len(&mut self, len: u64) -> io::Result<()> {
        self.pass(Need::Space, "cut")?;
        self.inner.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.pass(Need::Nothing, "sync")?;
        self.inner.sync()
    }

    fn let_go(&self, range: Range<u64>) {
        self.inner.let_go(range);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Nothing,
    Space,
}

/// Shared by a disk and its files: calls are counted in the one order in which they are made.
#[derive(Clone)]
struct Injector {
    progress: Arc<Mutex<Progress>>,
}

struct Progress {
    plan: Option<FaultPlan>,
    calls: u64,
    failures: u64,
}

impl Injector {
    fn new(plan: Option<FaultPlan>) -> Self {
        Self { progress: Arc::new(Mutex::new(Progress { plan, calls: 0, failures: 0 })) }
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        locked(&self.progress)
    }

    /// Counts a call and lets it through or not.
    fn pass(&self, need: Need) -> io::Result<()> {
        let mut progress = self.lock();
        let call = progress.calls;
        progress.calls += 1;
        let failure = progress.plan.and_then(|plan| plan.failure(call, need));
        progress.failures += u64::from(failure.is_some());
        failure.map_or(Ok(()), Err)
    }

    /// The plan, if the call just refused is torn. Only the planned one is; a dead disk does nothing more.
    fn torn(&self) -> Option<FaultPlan> {
        let progress = self.lock();
        progress.plan.filter(|plan| plan.fault == Fault::TornWrite && progress.calls == plan.call + 1)
    }

    /// The part of the write just refused that reaches the disk: nothing, all but a byte, or between, by
    /// the number of the call.
    fn torn_part<'a>(&self, data: &'a [u8]) -> Option<&'a [u8]> {
        let plan = self.torn().filter(|_| !data.is_empty())?;
        Some(&data[..stdx::Rng::new(plan.call).below(data.len() as u64) as usize])
    }
}

impl FaultPlan {
    fn failure(self, call: u64, need: Need) -> Option<io::Error> {
        let due = match self.lasts {
            Lasts::Once => call == self.call,
            Lasts::Forever => call >= self.call,
        };
        match self.fault {
            _ if !due => None,
            Fault::Full if need == Need::Nothing => None,
            Fault::Full => Some(io::ErrorKind::StorageFull.into()),
            Fault::Io | Fault::TornWrite => Some(io::Error::other("injected fault")),
        }
    }
}
