use crate::Tally;
use corpus::Traits;
use serde::Serialize;

/// What pages were like, from the corpus.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Pages {
    /// Rows.
    pub rows: u64,
    /// Rows whose language is known, by it.
    pub languages: Tally,
    /// Rows by media type.
    pub types: Tally,
    /// Rows by encoding.
    pub charsets: Tally,
    /// Rows that have less than the server, by reason.
    pub truncated: Tally,
}

impl Pages {
    pub(crate) fn take(&mut self, row: Traits<'_>) {
        self.rows += 1;
        self.types.add(row.content_type);
        self.charsets.add(row.charset);
        if let Some(language) = row.language {
            self.languages.add(language);
        }
        if let Some(reason) = row.truncated {
            self.truncated.add(reason);
        }
    }
}
