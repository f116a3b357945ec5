//! What standard error is.

use std::io::{IsTerminal, stderr};

/// Whether somebody is looking.
pub(crate) fn is_watched() -> bool {
    stderr().is_terminal()
}

/// Columns of the terminal on standard error, 80 if it does not tell.
#[expect(unsafe_code, reason = "the standard library does not ask terminals for their size; ioctl does")]
pub(crate) fn columns() -> usize {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: TIOCGWINSZ writes one `winsize` where the pointer points, and `size` is one.
    let status = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    if status == 0 && size.ws_col > 0 { usize::from(size.ws_col) } else { 80 }
}
