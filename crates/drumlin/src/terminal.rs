//! What standard error is.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};

#[cfg(test)]
mod tests;

/// Says something to whoever started the program. Nobody may be reading any more, which is no reason to stop.
pub(crate) fn tell(line: impl Display) {
    tell_raw(format_args!("drumlin: {line}\n"));
}

/// The same for text that has its own form.
pub(crate) fn tell_raw(text: impl Display) {
    let _ = stderr().write_all(text.to_string().as_bytes());
}

/// Whether somebody is looking, at a terminal that can take back what it shows.
pub(crate) fn is_watched() -> bool {
    stderr().is_terminal() && takes_back(std::env::var_os("TERM").as_deref())
}

/// One of this name can, but for the one that says it can do nothing.
fn takes_back(name: Option<&OsStr>) -> bool {
    name.is_none_or(|name| name != "dumb")
}

/// Columns of the terminal on standard error, 80 if it does not tell.
#[expect(unsafe_code, reason = "the standard library does not ask terminals for their size; ioctl does")]
pub(crate) fn columns() -> usize {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: TIOCGWINSZ writes one `winsize` where the pointer points, and `size` is one.
    let status = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    if status == 0 && size.ws_col > 0 { usize::from(size.ws_col) } else { 80 }
}
