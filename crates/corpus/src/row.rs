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
    /// `sha1:` and the digest of the payload in base32, as in WARC-Payload-Digest.
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
    /// Who wrote it, as the page says; names separated by `, `.
    pub author: Option<String>,
    /// When it was published, as the page says: `YYYY-MM-DD`.
    pub published: Option<String>,
    /// Name of the site, as the page says.
    pub site: Option<String>,
    /// `SimHash` of `text`; none of a text of too few words.
    pub simhash: Option<u64>,
    /// What its owner says of uses, as it was fetched: `train-ai=n, search=y`.
    pub preferences: Option<String>,
    /// What it names as its licence.
    pub license: Option<String>,
}

/// Bytes of text that make a token, about: of English by GPT-2's tokenizer, which `FineWeb` counts with.
const TOKEN_BYTES: usize = 4;

impl Row {
    /// The crawl, as `FineWeb` calls it: the prefix of its archive.
    pub fn dump(&self) -> &str {
        crawl_of(&self.warc_file)
    }

    /// The archive file in the crawl's directory.
    pub fn file_path(&self) -> String {
        format!("archive/{}", self.warc_file)
    }

    /// Tokens of the text, estimated by its length.
    pub fn token_count(&self) -> i64 {
        self.text.len().div_ceil(TOKEN_BYTES) as i64
    }

    /// 16 hexadecimal digits.
    pub(crate) fn simhash_digits(&self) -> Option<String> {
        self.simhash.map(|hash| format!("{hash:016x}"))
    }

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
        let of_page = [&self.title, &self.language, &self.truncated];
        let of_owner = [&self.author, &self.published, &self.site, &self.preferences, &self.license];
        let optional = of_page.into_iter().chain(of_owner);
        let strings: usize = texts.iter().map(|s| s.len()).sum();
        let present: usize = optional.flatten().map(String::len).sum();
        (strings + present) as u64 + FIXED_BYTES
    }
}

/// The numbers of a row, what is made of others (`date`, `file_path` …), and an offset for each string.
const FIXED_BYTES: u64 = 256;

/// The prefix of a WARC file's name: what stands before its 14 digits, or before `-kept-` where it has what a takedown has moved.
pub fn crawl_of(warc_file: &str) -> &str {
    let is_time = |part: &str| part.len() == 14 && part.bytes().all(|byte| byte.is_ascii_digit());
    let split = match warc_file.split('-').find(|part| is_time(part)) {
        Some(time) => warc_file.split_once(&format!("-{time}-")),
        None => warc_file.rsplit_once("-kept-"),
    };
    split.map_or("", |(crawl, _)| crawl)
}
