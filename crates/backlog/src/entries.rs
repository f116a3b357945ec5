/// Entries of one block, in order.
#[derive(Debug, Default, Clone)]
pub struct Entries {
    bytes: Vec<u8>,
    count: usize,
}

impl Entries {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The entries, first to last.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let _ = &self.bytes;
        todo!();
        #[allow(unreachable_code)]
        std::iter::empty()
    }
}
