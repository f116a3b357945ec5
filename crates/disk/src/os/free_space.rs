#![expect(
    unsafe_code,
    reason = "the standard library cannot ask a filesystem for its free space; statvfs can"
)]

use std::ffi::CString;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes that an unprivileged process can still write on the filesystem of `path`.
pub(super) fn free_bytes(path: &Path) -> io::Result<u64> {
    let c_path = CString::new(path.as_os_str().as_bytes())?;
    let mut answer = MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: `c_path` is a C string that outlives the call and `answer` has room for one `statvfs`.
    let status = unsafe { libc::statvfs(c_path.as_ptr(), answer.as_mut_ptr()) };
    if status != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `statvfs` returned 0, so it filled `answer`.
    let answer = unsafe { answer.assume_init() };
    Ok(answer.f_bavail.saturating_mul(answer.f_frsize))
}
