//! What work costs, for tests and benchmarks: bytes allocated, time of the processor, memory as the kernel counts it.
//!
//! A stated bound on memory is shown and not believed:
//!
//! ```
//! #[global_allocator]
//! static METER: meter::Meter = meter::Meter::new();
//!
//! let held = vec![0_u8; 1000];
//! let peak = METER.peak_while(|| drop(vec![0_u8; 5000]));
//! assert_eq!(peak, 5000, "beyond what was allocated before");
//! drop(held);
//! ```

#![expect(unsafe_code, reason = "an allocator is unsafe by its nature; this one only counts")]

mod process;

pub use process::{cpu_s, peak_bytes, peak_bytes_of, resident_bytes, thread_cpu_s};

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator with a meter. All threads count together.
#[derive(Debug, Default)]
pub struct Meter {
    allocated: AtomicUsize,
    peak: AtomicUsize,
}

impl Meter {
    /// A meter at zero.
    pub const fn new() -> Self {
        Self { allocated: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Bytes allocated and not freed.
    pub fn allocated(&self) -> usize {
        self.allocated.load(Ordering::SeqCst)
    }

    /// The most bytes that were allocated at once while `work` ran, beyond those allocated before.
    pub fn peak_while<T>(&self, work: impl FnOnce() -> T) -> usize {
        let before = self.begin();
        drop(work());
        self.peak_since(before)
    }

    /// Bytes allocated now; the peak is counted from here.
    pub fn begin(&self) -> usize {
        let before = self.allocated();
        self.peak.store(before, Ordering::SeqCst);
        before
    }

    /// The most bytes that were allocated at once since [`Self::begin`] gave `before`, beyond those.
    pub fn peak_since(&self, before: usize) -> usize {
        self.peak.load(Ordering::SeqCst).saturating_sub(before)
    }

    fn add(&self, bytes: usize) {
        let now = self.allocated.fetch_add(bytes, Ordering::SeqCst) + bytes;
        self.peak.fetch_max(now, Ordering::SeqCst);
    }

    fn subtract(&self, bytes: usize) {
        self.allocated.fetch_sub(bytes, Ordering::SeqCst);
    }
}

// SAFETY: every call goes to the system's allocator as it came; counting touches no allocation.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.add(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.subtract(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there for a moment.
        self.add(size);
        // SAFETY: the caller's promise is passed on.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        self.subtract(layout.size());
        moved
    }
}
