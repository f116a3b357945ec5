use fetch::Handshakes;
use snapshot::{MemoryParts, Resources, Snapshot};
use stdx::Credit;

/// What the machine cannot know of itself.
pub(crate) struct Meters {
    pub(crate) credit: Credit,
    pub(crate) handshakes: Handshakes,
}

impl Meters {
    /// The machine's snapshot, completed.
    pub(crate) fn complete(&self, snapshot: Snapshot) -> Snapshot {
        let resources = Resources {
            tls_handshakes: self.handshakes.made(),
            tls_resumptions: self.handshakes.resumed(),
            memory: MemoryParts {
                bodies: self.credit.drawn(),
                bodies_most: self.credit.total(),
                ..snapshot.resources.memory
            },
            ..snapshot.resources
        };
        Snapshot { resources, ..snapshot }
    }
}
