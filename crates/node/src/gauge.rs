use crawler::Memory;
use stdx::Credit;

/// Watches the memory for bodies.
pub(crate) struct Gauge {
    credit: Credit,
    last: Memory,
}

impl Gauge {
    pub(crate) fn new(credit: Credit) -> Self {
        Self { credit, last: Memory::Enough }
    }

    /// What changed since the last look.
    pub(crate) fn look(&mut self) -> Option<Memory> {
        let memory = if self.credit.is_short() { Memory::Short } else { Memory::Enough };
        let changed = memory != self.last;
        self.last = memory;
        changed.then_some(memory)
    }
}
