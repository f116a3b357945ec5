use memchr::{memchr, memmem};

/// Looks for octets and counts its work, so that tests can hold it to its bound without a clock.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// One for each search, and one for each octet it went over.
    pub(crate) steps: usize,
}

impl Search {
    /// Where `sought` begins first.
    pub(crate) fn find(&mut self, octets: &[u8], sought: &[u8]) -> Option<usize> {
        // To make ready for what is long takes time, although it cannot be there.
        let at = if sought.len() > octets.len() { None } else { memmem::find(octets, sought) };
        self.steps += 1 + at.map_or(octets.len(), |at| at + sought.len());
        at
    }

    /// Where an octet stands first.
    pub(crate) fn octet(&mut self, octets: &[u8], sought: u8) -> Option<usize> {
        let at = memchr(sought, octets);
        self.steps += 1 + at.unwrap_or(octets.len());
        at
    }
}
