use std::sync::atomic::{AtomicU64, Ordering};

/// How much of a [`MemDisk`](super::MemDisk) is taken. Atomic, since its handles write from several threads.
pub(super) struct Space {
    used: AtomicU64,
    capacity: AtomicU64,
}

impl Space {
    pub(super) fn new(used: u64, capacity: u64) -> Self {
        Self { used: AtomicU64::new(used), capacity: AtomicU64::new(capacity) }
    }

    pub(super) fn capacity(&self) -> u64 {
        self.capacity.load(Ordering::Relaxed)
    }

    pub(super) fn set_capacity(&self, bytes: u64) {
        self.capacity.store(bytes, Ordering::Relaxed);
    }

    pub(super) fn free(&self) -> u64 {
        self.capacity().saturating_sub(self.used.load(Ordering::Relaxed))
    }

    /// Takes up to `wanted` bytes; returns how many there were.
    pub(super) fn take(&self, wanted: u64) -> u64 {
        let capacity = self.capacity();
        let grow = |used: u64| Some(used + wanted.min(capacity.saturating_sub(used)));
        let before =
            self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grow).unwrap_or_else(|used| used);
        wanted.min(capacity.saturating_sub(before))
    }

    pub(super) fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}
