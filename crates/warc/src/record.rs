use crate::exchange::RevisitProfile;
use crate::fields::Fields;
use crate::http::{HttpMessage, number};
use stdx::WallTime;

/// Where the original of a revisit is: headers that Heritrix has introduced.
pub(crate) const REFERS_TO_FILENAME: &str = "WARC-Refers-To-Filename";
pub(crate) const REFERS_TO_FILE_OFFSET: &str = "WARC-Refers-To-File-Offset";

/// One record as it was read.
#[derive(Debug, Clone)]
pub struct Record {
    /// Where its gzip member begins in the file (in a plain file: where the record does).
    pub offset: u64,
    /// Bytes it takes in the file; `None` when it shares its gzip member with other records and so cannot
    /// be read on its own.
    pub length: Option<u64>,
    /// `WARC/1.1`.
    pub version: String,
    /// The named fields.
    pub header: Fields,
    /// Header lines that were no field.
    pub malformed_lines: usize,
    /// Lines of the header that end in LF without CR, the version line and the empty one among them.
    pub bare_line_ends: usize,
    /// The block, or as much of it as the reader's limit lets in.
    pub block: Vec<u8>,
    /// Length of the whole block.
    pub block_len: u64,
    /// What stood between the block and the next record; CRLFCRLF is right.
    pub trailer: Vec<u8>,
}

/// `WARC-Type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordType {
    /// About the file.
    Warcinfo,
    /// A server's answer.
    Response,
    /// What was asked.
    Request,
    /// Bytes without a protocol around them.
    Resource,
    /// About another record.
    Metadata,
    /// The same as an earlier record.
    Revisit,
    /// Another rendering of a record.
    Conversion,
    /// The next segment of a record.
    Continuation,
    /// Some other word.
    Other,
}

impl Record {
    /// `WARC-Type`.
    pub fn record_type(&self) -> RecordType {
        RecordType::from_name(self.header.get("WARC-Type").unwrap_or_default())
    }

    /// `WARC-Record-ID` without its brackets.
    pub fn id(&self) -> Option<&str> {
        self.header.get("WARC-Record-ID").map(strip_brackets)
    }

    /// `WARC-Date`.
    pub fn date(&self) -> Option<WallTime> {
        WallTime::parse_iso(self.header.get("WARC-Date")?)
    }

    /// `WARC-Target-URI`, without the brackets some writers of 1.0 put around it.
    pub fn target_uri(&self) -> Option<&str> {
        self.header.get("WARC-Target-URI").map(strip_brackets)
    }

    /// `WARC-Profile` of a revisit.
    pub fn profile(&self) -> Option<RevisitProfile> {
        RevisitProfile::from_uri(self.header.get("WARC-Profile")?)
    }

    /// `WARC-Refers-To` without its brackets: of a revisit the original's id.
    pub fn refers_to(&self) -> Option<&str> {
        self.header.get("WARC-Refers-To").map(strip_brackets)
    }

    /// The file that holds a revisit's original, where the record says it.
    pub fn refers_to_file(&self) -> Option<&str> {
        self.header.get(REFERS_TO_FILENAME)
    }

    /// Where in that file the original begins.
    pub fn refers_to_offset(&self) -> Option<u64> {
        number(self.header.get(REFERS_TO_FILE_OFFSET)?.as_bytes())
    }

    /// The HTTP message in the block, where `Content-Type` says there is one.
    pub fn http(&self) -> Option<HttpMessage<'_>> {
        let kind = self.header.get("Content-Type")?;
        let is_http = kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case("application/http"));
        is_http.then(|| HttpMessage::split(&self.block))
    }

    /// Whether the whole block is in memory.
    pub fn is_whole(&self) -> bool {
        self.block.len() as u64 == self.block_len
    }
}

impl RecordType {
    /// The type called `name`, case aside.
    pub fn from_name(name: &str) -> Self {
        match name.to_ascii_lowercase().as_str() {
            "warcinfo" => Self::Warcinfo,
            "response" => Self::Response,
            "request" => Self::Request,
            "resource" => Self::Resource,
            "metadata" => Self::Metadata,
            "revisit" => Self::Revisit,
            "conversion" => Self::Conversion,
            "continuation" => Self::Continuation,
            _ => Self::Other,
        }
    }
}

pub(crate) fn strip_brackets(text: &str) -> &str {
    text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(text)
}
