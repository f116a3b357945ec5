use crate::limits::FALSE_CONDITIONS;
use stdx::Set;
use weburl::KeyHash;

/// URLs whose servers have answered a conditional request as if something else had been asked (`not-modified`). Nothing of it is durable: who
/// has forgotten one fails at it once more.
#[derive(Debug, Default)]
pub(crate) struct FalseConditions {
    urls: Set<KeyHash>,
}

impl FalseConditions {
    pub(crate) fn note(&mut self, key: KeyHash) {
        if self.urls.len() >= FALSE_CONDITIONS {
            self.urls.clear();
        }
        self.urls.insert(key);
    }

    pub(crate) fn has(&self, key: KeyHash) -> bool {
        self.urls.contains(&key)
    }
}
