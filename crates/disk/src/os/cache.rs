use crate::ALIGNMENT;
use std::fs::File;
use std::ops::Range;

/// Tells the system that whole pages of `range` need not stay in memory. The one at its end that is not full does: whoever
/// appends to the file would have it read again.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library says nothing of what will be read; posix_fadvise does")]
pub(super) fn let_go(file: &File, range: Range<u64>) {
    use std::os::fd::AsRawFd;
    let [start, end] = [range.start, range.end].map(|at| at - at % ALIGNMENT as u64);
    // To the system a length of 0 is the rest of the file.
    if start >= end {
        return;
    }
    let (start, len) = (start.cast_signed(), (end - start).cast_signed());
    // SAFETY: the descriptor is open as long as `file` is borrowed; the call takes numbers, and refuses what it does not know.
    unsafe { libc::posix_fadvise(file.as_raw_fd(), start, len, libc::POSIX_FADV_DONTNEED) };
}

#[cfg(not(target_os = "linux"))]
pub(super) fn let_go(_: &File, _: Range<u64>) {}
