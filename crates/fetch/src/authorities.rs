use crate::limits::AUTHORITIES;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(test)]
mod tests;

/// Authorities (scheme, host and port as in a URL) of which something has been found out: those that were noted last. The fetches of one
/// loop share it; hence a lock, held for a few instructions.
#[derive(Default)]
pub(crate) struct Authorities(Mutex<VecDeque<String>>);

impl Authorities {
    /// Whether this one has been noted.
    pub(crate) fn has(&self, authority: &str) -> bool {
        self.noted().iter().any(|known| known == authority)
    }

    /// Notes one; whoever was noted longest ago makes room.
    pub(crate) fn note(&self, authority: &str) {
        let mut noted = self.noted();
        if noted.len() >= AUTHORITIES {
            noted.pop_front();
        }
        noted.push_back(authority.to_owned());
    }

    fn noted(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
