//! How much the allocator of glibc may keep of what was freed.
//!
//! Left to itself it takes for granted that what was freed once is asked for again: after the first large block it serves
//! all up to 32 MiB from its heaps, of which it has eight for each processor, and of a heap nothing goes back to the
//! system while anything lies behind it. A crawl frees bodies, buffers of merges and checkpoints on one thread and asks
//! for them on another. Other allocators, and other systems, are left as they are.

/// Heaps, whatever the number of threads: small blocks have caches of the threads' own before them.
const HEAPS: u64 = 2;

/// Larger blocks than this part of the memory are mapped one by one, and given back when they are freed.
const MAPPED_PART: u64 = 1024;

/// Smaller ones are not: a system call each …
const MAPPED_MIN_BYTES: u64 = 64 << 10;

/// … and larger ones always, so that what lies unused in heaps is a few of them.
const MAPPED_MAX_BYTES: u64 = 4 << 20;

/// The end of a heap is given back when it is as long as so many of them: a page is unpacked, decoded and let go of, and if all
/// that were given back each time, the next page would begin with memory that the system has to find and clear first: half of all
/// page faults of a crawl.
const TRIMMED_AT: u64 = 8;

/// How blocks are taken from the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thresholds {
    mapped_bytes: u64,
    trimmed_bytes: u64,
}

/// Tells the allocator to keep little, in a crawl that may take `memory` bytes. Threads that exist keep their heaps.
pub(crate) fn keep_little(memory: u64) {
    tell(Thresholds::of(memory));
}

impl Thresholds {
    fn of(memory: u64) -> Self {
        let mapped_bytes = (memory / MAPPED_PART).clamp(MAPPED_MIN_BYTES, MAPPED_MAX_BYTES);
        Self { mapped_bytes, trimmed_bytes: mapped_bytes * TRIMMED_AT }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the standard library does not tell the allocator anything; mallopt does")]
fn tell(thresholds: Thresholds) {
    let settings = [
        (libc::M_ARENA_MAX, HEAPS),
        (libc::M_MMAP_THRESHOLD, thresholds.mapped_bytes),
        (libc::M_TRIM_THRESHOLD, thresholds.trimmed_bytes),
    ];
    for (name, value) in settings {
        // SAFETY: `mallopt` takes two numbers and may be called at any time; it refuses what it does not know.
        unsafe { libc::mallopt(name, value as libc::c_int) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn tell(_: Thresholds) {}

#[cfg(test)]
mod tests;
