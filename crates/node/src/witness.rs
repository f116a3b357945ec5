use archive::Entry;
use crawler::Digested;
use std::fmt;
use std::sync::Arc;

/// Somebody who sees what goes by: called on the threads that do the work, so whatever takes longer than a copy is to be done
/// elsewhere, and whoever is busy lets it pass.
pub trait Witness: Send + Sync {
    /// These entries are durable; the first is the journal's entry `first_seq`.
    fn committed(&self, first_seq: u64, entries: &[Entry]);

    /// A capture was parsed.
    fn digested(&self, digested: &Digested);
}

/// A witness, or none.
#[derive(Clone, Default)]
pub struct Witnessed(Option<Arc<dyn Witness>>);

impl Witnessed {
    /// Has one.
    pub fn by(witness: Arc<dyn Witness>) -> Self {
        Self(Some(witness))
    }

    pub(crate) fn committed(&self, first_seq: u64, entries: &[Entry]) {
        if let Some(witness) = &self.0 {
            witness.committed(first_seq, entries);
        }
    }

    pub(crate) fn digested(&self, digested: &Digested) {
        if let Some(witness) = &self.0 {
            witness.digested(digested);
        }
    }
}

impl fmt::Debug for Witnessed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Witnessed" } else { "Unwitnessed" })
    }
}
