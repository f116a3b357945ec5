use crate::captures::bracketed;
use crate::owners::Terms;
use corpus::Row;

/// A row and what is known of it beside.
pub(super) struct Joined {
    pub(super) row: Row,
    pub(super) simhash: Option<u64>,
    pub(super) duplicate_of: Option<u64>,
    pub(super) terms: Terms,
}

impl Joined {
    pub(super) fn new(row: Row, duplicate_of: Option<u64>, terms: Terms) -> Self {
        Self { simhash: page::fingerprint(&row.text), row, duplicate_of, terms }
    }

    /// What it takes, about.
    pub(super) fn bytes(&self) -> usize {
        self.row.bytes() as usize + size_of::<Self>()
    }

    /// With angle brackets, as `FineWeb` has it.
    pub(super) fn id(&self) -> String {
        bracketed(&self.row.id)
    }

    pub(super) fn dump(&self) -> &str {
        self.row.dump()
    }

    pub(super) fn file_path(&self) -> String {
        self.row.file_path()
    }

    pub(super) fn token_count(&self) -> i64 {
        self.row.token_count()
    }

    /// 16 hexadecimal digits.
    pub(super) fn simhash(&self) -> Option<String> {
        self.simhash.map(|hash| format!("{hash:016x}"))
    }

    pub(super) fn preferences(&self) -> Option<String> {
        self.terms.written()
    }

    pub(super) fn language_score(&self) -> Option<f32> {
        self.row.language.is_some().then_some(self.row.language_score)
    }
}
