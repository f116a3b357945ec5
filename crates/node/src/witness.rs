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

/// All witnesses that there are.
#[derive(Clone, Default)]
pub struct Witnessed(Vec<Arc<dyn Witness>>);

impl Witnessed {
    /// By one more.
    #[must_use]
    pub fn by(mut self, witness: Arc<dyn Witness>) -> Self {
        self.0.push(witness);
        self
    }

    pub(crate) fn committed(&self, first_seq: u64, entries: &[Entry]) {
        for witness in &self.0 {
            witness.committed(first_seq, entries);
        }
    }

    pub(crate) fn digested(&self, digested: &Digested) {
        for witness in &self.0 {
            witness.digested(digested);
        }
    }
}

impl fmt::Debug for Witnessed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Witnessed({})", self.0.len())
    }
}
