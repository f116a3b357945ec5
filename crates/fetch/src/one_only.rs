use crate::limits::ONE_ONLY;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(test)]
mod tests;

/// Authorities (scheme, host and port as in a URL) that agree to HTTP/2 and then require HTTP/1.1 (RFC 9113, section 7) or speak it wrongly: those that
/// said or did so last. The fetches of one loop share it; hence a lock, held for a few instructions.
#[derive(Default)]
pub(crate) struct OneOnly(Mutex<VecDeque<String>>);

impl OneOnly {
    /// Whether this one has said so.
    pub(crate) fn has(&self, authority: &str) -> bool {
        self.said_so().iter().any(|known| known == authority)
    }

    /// It has; whoever said so longest ago makes room.
    pub(crate) fn note(&self, authority: &str) {
        let mut said_so = self.said_so();
        if said_so.len() >= ONE_ONLY {
            said_so.pop_front();
        }
        said_so.push_back(authority.to_owned());
    }

    fn said_so(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
