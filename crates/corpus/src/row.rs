use stdx::WallTime;

/// What the corpus says of one page. Columns and their meaning: `docs/formats/corpus.md`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// Sequence number of the capture; names the row during recovery. At most 2^63 − 1.
    pub capture: u64,
    /// `WARC-Record-ID` of the response record without its angle brackets, `urn:uuid:…`.
    pub id: String,
    /// The URL as requested.
    pub url: String,
    /// Final status code.
    pub status: u16,
    /// When the request was sent, as in `WARC-Date`.
    pub fetched: WallTime,
    /// Title of the page.
    pub title: Option<String>,
    /// ISO 639-1.
    pub language: Option<String>,
    /// Confidence in `language`, 0 to 1; not kept where there is no language.
    pub language_score: f32,
    /// Visible text.
    pub text: String,
    /// `blake3:` and the hex digest of the decoded body.
    pub digest: String,
    /// Media type without parameters, lower case, as the server said or else as sniffed.
    pub content_type: String,
    /// WHATWG name of the encoding the body was decoded with.
    pub charset: String,
    /// Links followed from the nearest seed.
    pub depth: u32,
    /// File name (not path) of the archive file.
    pub warc_file: String,
    /// Byte offset of the response record's gzip member.
    pub warc_offset: u64,
    /// Byte length of that member.
    pub warc_length: u64,
    /// Why body or text are shorter than what the server has: `length`, `time`, `disconnect`, `parse`.
    pub truncated: Option<String>,
}

impl Row {
    /// Bytes that the row takes decoded, as row groups are counted.
    pub fn bytes(&self) -> u64 {
        let texts = [
            &self.id,
            &self.url,
            &self.text,
            &self.digest,
            &self.content_type,
            &self.charset,
            &self.warc_file,
        ];
        let optional = [&self.title, &self.language, &self.truncated];
        let strings: usize = texts.iter().map(|s| s.len()).sum();
        let present: usize = optional.iter().filter_map(|s| s.as_ref()).map(String::len).sum();
        (strings + present) as u64 + FIXED_BYTES
    }
}

/// The numbers of a row, its `date`, and an offset for each string.
const FIXED_BYTES: u64 = 128;
