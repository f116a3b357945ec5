//! What the seen-set and the records keep of a URL.

use drum::Value;

/// The seen-set's value: the least depth at which the URL was discovered, or that it was let go: forgotten, because the
/// crawl is not about it any more, and new if it is discovered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    At(u16),
    LetGo,
}

/// Depths beyond this are alike: nobody limits a crawl to 65,000 links.
const DEEPEST: u16 = u16::MAX - 1;
const LET_GO: u16 = u16::MAX;

impl Seen {
    pub(crate) fn at(depth: u32) -> Self {
        Self::At(u16::try_from(depth).unwrap_or(DEEPEST).min(DEEPEST))
    }
}

impl Value for Seen {
    const SIZE: usize = 2;

    fn encode(&self, out: &mut [u8]) {
        let code = match self {
            Self::At(depth) => *depth,
            Self::LetGo => LET_GO,
        };
        out.copy_from_slice(&code.to_le_bytes());
    }

    fn decode(bytes: &[u8]) -> Self {
        match u16::from_le_bytes([bytes[0], bytes[1]]) {
            LET_GO => Self::LetGo,
            depth => Self::At(depth),
        }
    }

    fn merge(self, update: Self) -> Self {
        match (self, update) {
            (Self::At(old), Self::At(new)) => Self::At(old.min(new)),
            (_, update) => update,
        }
    }
}
