//! Every request takes a file descriptor; the process asks for as many as it may have.

use crate::exit::bad_usage;

#[cfg(test)]
mod tests;

/// Descriptors besides those of requests and fetch cores: archive, journal, corpus, log, index runs, event loops.
const OTHERS: u64 = 192;

/// What a crawl has open at once, at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Requests under way, all fetch cores together.
    pub(crate) requests: usize,
    /// Files of a request: its connection, a file of the spool, and what it reads of an earlier crawl.
    pub(crate) files_a_request: usize,
    /// Fetch cores.
    pub(crate) cores: usize,
    /// Connections that a core keeps beside those in use.
    pub(crate) idle_a_core: usize,
    /// Names that a core asks for at once, each by a socket of its own.
    pub(crate) lookups_a_core: usize,
}

impl Needs {
    fn descriptors(self) -> u64 {
        let requests = self.requests * self.files_a_request;
        let cores = self.cores * (self.idle_a_core + self.lookups_a_core);
        (requests + cores) as u64 + OTHERS
    }
}

/// Makes room for a crawl, or says what stands in the way.
pub(crate) fn provide(needs: Needs) -> anyhow::Result<()> {
    let wanted = needs.descriptors();
    let available = raise(wanted);
    if available >= wanted {
        return Ok(());
    }
    let concurrency = needs.requests;
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
