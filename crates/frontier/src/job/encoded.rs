use crate::Pending;
use crate::entry::put_pending;

/// URLs that wait, as bytes, in two blocks of memory however many they are.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Encoded {
    /// They, in order.
    pub(super) fn of<'p>(pending: impl Iterator<Item = &'p Pending> + Clone) -> Self {
        let bytes = pending.clone().map(Pending::encoded_bytes).sum();
        let mut encoded = Self { bytes: Vec::with_capacity(bytes), ends: Vec::new() };
        for pending in pending {
            put_pending(&mut encoded.bytes, pending);
            encoded.ends.push(encoded.bytes.len());
        }
        encoded
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }
}
