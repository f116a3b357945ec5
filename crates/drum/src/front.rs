//! Front coding: each text as how much of it the one before began with, and the rest. The links of a page are
//! much alike, and what they share need be neither gathered, compressed nor unpacked.

use stdx::wire::{Fields, put_varints, shared_prefix};

/// Texts in the order of discovery, as two columns.
#[derive(Default)]
pub(crate) struct FrontCoded {
    /// Of each text, the bytes shared with the one before and the bytes of its rest, as varints.
    pub(crate) lengths: Vec<u8>,
    /// The rests.
    pub(crate) rests: Vec<u8>,
    last: Vec<u8>,
}

impl FrontCoded {
    #[inline]
    pub(crate) fn push(&mut self, text: &[u8]) {
        let shared = shared_prefix(&self.last, text);
        self.append(text, shared);
        self.last.truncate(shared);
        self.last.extend_from_slice(&text[shared..]);
    }

    /// Appends a text that leans on none.
    pub(crate) fn push_bare(&mut self, text: &[u8]) {
        self.append(text, 0);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lengths.len() + self.rests.len()
    }

    /// Empties the columns; their memory stays.
    pub(crate) fn clear(&mut self) {
        self.lengths.clear();
        self.rests.clear();
        self.last.clear();
    }

    #[inline]
    fn append(&mut self, text: &[u8], shared: usize) {
        let rest = &text[shared..];
        put_varints(&mut self.lengths, [shared as u64, rest.len() as u64]);
        self.rests.extend_from_slice(rest);
    }
}

/// Reads texts back, from front to back.
pub(crate) struct FrontReader<'a> {
    lengths: Fields<'a>,
    rests: Fields<'a>,
    text: Vec<u8>,
}

impl<'a> FrontReader<'a> {
    pub(crate) fn new(lengths: &'a [u8], rests: &'a [u8]) -> Self {
        Self { lengths: Fields::new(lengths), rests: Fields::new(rests), text: Vec::new() }
    }

    /// The next text; `None` if the columns end or contradict each other.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        let [shared, rest] = self.lengths.varints()?;
        let (shared, rest) = (usize::try_from(shared).ok()?, self.rests.bytes(rest.try_into().ok()?)?);
        (shared <= self.text.len()).then(|| self.text.truncate(shared))?;
        self.text.extend_from_slice(rest);
        Some(&self.text)
    }
}
