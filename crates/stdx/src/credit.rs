use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of memory that many may draw on, and no more than there are. Nobody ever waits for it: who is refused takes
/// less, or puts what it has to disk.
///
/// Shared, not owned by one: a body's bytes are drawn in one thread and given back wherever its last holder lets go of
/// it. Messages to an owner would arrive after the memory was taken; one number that is compared and swapped cannot be
/// overdrawn.
#[derive(Debug, Clone)]
pub struct Credit {
    account: Arc<Account>,
}

#[derive(Debug)]
struct Account {
    total: u64,
    drawn: AtomicU64,
    most: AtomicU64,
}

/// Some of a [`Credit`], given back when it is dropped.
#[derive(Debug)]
pub struct Lease {
    account: Arc<Account>,
    bytes: u64,
}

/// There is not so much left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused;

/// A credit is short when less than this part of it is left.
const SHORT_PART: u64 = 8;

impl Credit {
    /// A credit of `bytes`.
    pub fn new(bytes: u64) -> Self {
        let account = Account { total: bytes, drawn: AtomicU64::new(0), most: AtomicU64::new(0) };
        Self { account: Arc::new(account) }
    }

    /// A lease of nothing, to be grown.
    pub fn lease(&self) -> Lease {
        Lease { account: Arc::clone(&self.account), bytes: 0 }
    }

    /// All bytes there are.
    pub fn total(&self) -> u64 {
        self.account.total
    }

    /// Bytes drawn now.
    pub fn drawn(&self) -> u64 {
        self.account.drawn.load(Ordering::Relaxed)
    }

    /// The most that was ever drawn.
    pub fn most(&self) -> u64 {
        self.account.most.load(Ordering::Relaxed)
    }

    /// Whether so little is left that nothing new should be begun.
    pub fn is_short(&self) -> bool {
        self.account.total - self.drawn() <= self.account.total / SHORT_PART
    }
}

impl Lease {
    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Holds at least `bytes`, or what it held before.
    pub fn grow_to(&mut self, bytes: u64) -> Result<(), Refused> {
        let more = bytes.saturating_sub(self.bytes);
        self.account.draw(more)?;
        self.bytes += more;
        Ok(())
    }

    /// Holds at most `bytes`.
    pub fn shrink_to(&mut self, bytes: u64) {
        let less = self.bytes.saturating_sub(bytes);
        self.account.drawn.fetch_sub(less, Ordering::Relaxed);
        self.bytes -= less;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.shrink_to(0);
    }
}

impl Account {
    fn draw(&self, bytes: u64) -> Result<(), Refused> {
        let within = |drawn: u64| drawn.checked_add(bytes).filter(|sum| *sum <= self.total);
        // The number guards no other memory, so no order but its own is needed.
        let before = self.drawn.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within);
        let before = before.map_err(|_| Refused)?;
        self.most.fetch_max(before + bytes, Ordering::Relaxed);
        Ok(())
    }
}
