use control::Takedowns;
use serde::Serialize;

/// What an operator had taken down, and how much of it the files of the crawl still hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TakenDown {
    /// Takedowns whose pages are withheld: in the files of the crawl, and in nothing that is made of them.
    pub withheld: u64,
    /// Takedowns that are purged: of their pages nothing is in the files.
    pub purged: u64,
    /// Rows of the corpus that are withheld.
    pub pages: u64,
}

impl TakenDown {
    /// The orders; pages are counted as they are met.
    pub(crate) fn of(takedowns: &Takedowns) -> Self {
        let withheld = takedowns.withheld().count() as u64;
        Self { withheld, purged: takedowns.iter().count() as u64 - withheld, pages: 0 }
    }
}
