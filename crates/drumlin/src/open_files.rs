//! Every request takes a file descriptor; the process asks for as many as it may have.

use crate::exit::bad_usage;

/// Descriptors besides those of requests: archive, journal, corpus, log, index runs, event loops, DNS.
const OTHERS: u64 = 192;

/// Makes room for `concurrency` requests and as many idle connections, or says what stands in the way.
pub(crate) fn provide(concurrency: usize, idle: usize) -> anyhow::Result<()> {
    let wanted = (concurrency + idle) as u64 + OTHERS;
    let available = raise(wanted);
    if available >= wanted {
        return Ok(());
    }
    Err(bad_usage(format!(
        "--concurrency {concurrency} takes {wanted} open files and the system allows {available}; \
         lower it, or raise the limit with `ulimit -n {wanted}`"
    )))
}

/// Raises the soft limit as far as is wanted and the hard limit allows; gives what it is then.
#[expect(unsafe_code, reason = "the standard library has no resource limits; getrlimit and setrlimit do")]
fn raise(wanted: u64) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer points to one `rlimit`, which the call fills.
    if unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } != 0 {
        return u64::MAX;
    }
    if limit.rlim_cur >= wanted {
        return limit.rlim_cur;
    }
    let raised = libc::rlimit { rlim_cur: wanted.min(limit.rlim_max), ..limit };
    // SAFETY: the pointer points to one whole `rlimit`, which the call only reads.
    let status = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) };
    if status == 0 { raised.rlim_cur } else { limit.rlim_cur }
}
