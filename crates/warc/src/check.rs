use crate::limits::{FINDINGS, QUOTED_CHARS};
use crate::read::{NoteKind, ReadError, ReadErrorKind, Reader};
use crate::rules::RecordRules;
use std::fmt;
use std::io::Read;
use stdx::count_of;

/// Reads a whole file and holds every record to the rules that warcio, jwarc and pywb hold it to. What cannot be read is passed over, to
/// the next gzip member (in a plain file: the next line) that begins a record.
///
/// Memory is bounded: one block, one 64-bit hash a record id, twice [`FINDINGS`] findings.
pub fn check<R: Read>(read: R) -> Report {
    let mut reader = Reader::searching(read);
    let mut report = Report::default();
    let mut rules = RecordRules::new();
    while let Some(item) = reader.next() {
        match item {
            Ok(record) => {
                report.records += 1;
                rules.apply(&record, &mut report);
            }
            Err(error) => {
                rules.miss();
                report.pass_over(&error, &mut reader);
            }
        }
    }
    report.require_record();
    for note in reader.notes() {
        let (rule, detail) = match note.kind {
            NoteKind::SharedMember => (Rule::GzipMember, "several records share one gzip member"),
            NoteKind::EmptyMember => (Rule::GzipMember, "a gzip member holds no record"),
        };
        report.add(Finding { offset: note.offset, record_id: None, rule, detail: detail.to_owned() });
    }
    report
}

/// What [`check`] found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Records read.
    pub records: u64,
    /// Bytes of the file that were passed over, since no record could be read there.
    pub skipped_bytes: u64,
    /// Digests that were computed and compared.
    pub digests_verified: u64,
    /// Digests that could not be compared: another algorithm, a block too long to keep.
    pub digests_unverified: u64,
    /// The findings, in file order, at most twice [`FINDINGS`].
    pub findings: Vec<Finding>,
    /// Findings beyond that.
    pub findings_dropped: u64,
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Where the record begins in the file.
    pub offset: u64,
    /// Its `WARC-Record-ID`, if it has one.
    pub record_id: Option<String>,
    /// The rule.
    pub rule: Rule,
    /// The particulars.
    pub detail: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Allowed, but some reader will do the wrong thing.
    Warning,
    /// The standard forbids it, or bytes are not what they are said to be.
    Error,
}

/// The rules, by what they look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The file can be read to its end.
    Readable,
    /// There is a record in it.
    AnyRecord,
    /// One gzip member a record.
    GzipMember,
    /// `WARC/1.0` or `WARC/1.1`.
    Version,
    /// Every header line is `Name: value`, and ends with CRLF, as the version line and the empty line do.
    HeaderLine,
    /// Type, id, date and length are there.
    MandatoryHeader,
    /// Headers a type needs are there.
    TypeNeedsHeader,
    /// Headers a type must not have are not.
    TypeForbidsHeader,
    /// Only `WARC-Concurrent-To` and `WARC-Protocol` repeat.
    RepeatedHeader,
    /// `<urn:uuid:…>`.
    RecordIdForm,
    /// No two records of a file have one id.
    RecordIdUnique,
    /// `YYYY-MM-DDThh:mm:ssZ`; in WARC/1.1 also less of it, from `YYYY` on.
    DateForm,
    /// An absolute URI without angle brackets or spaces.
    TargetUriForm,
    /// `WARC-Truncated` is one of the four words that the standard has; it allows others (ISO 28500:2017, section 5.13).
    TruncatedWord,
    /// The block is followed by exactly CRLFCRLF.
    RecordEnd,
    /// A block has a `Content-Type`.
    ContentType,
    /// A digest is `algorithm:value`.
    DigestForm,
    /// `WARC-Block-Digest` is the block's.
    BlockDigest,
    /// `WARC-Payload-Digest` is the payload's.
    PayloadDigest,
    /// An HTTP block begins with an HTTP/1 line.
    HttpStartLine,
    /// No `Transfer-Encoding` is left in stored HTTP heads.
    HttpTransferEncoding,
    /// An HTTP `Content-Length` is the stored payload's length.
    HttpContentLength,
    /// A revisit's profile is a known URI.
    RevisitProfile,
    /// A revisit says what it refers to, by URI and date.
    RevisitRefers,
    /// A revisit's payload digest is the original's, not that of nothing, unless the server said that nothing has changed.
    RevisitDigest,
    /// Records of one exchange have one date.
    ConcurrentDate,
    /// The file begins with a warcinfo.
    WarcinfoFirst,
}

impl Rule {
    /// The name in reports: `payload-digest`.
    pub fn name(self) -> String {
        let mut name = String::new();
        for c in format!("{self:?}").chars() {
            if c.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    /// How bad breaking it is.
    pub fn severity(self) -> Severity {
        match self {
            Self::GzipMember
            | Self::TruncatedWord
            | Self::ContentType
            | Self::HttpTransferEncoding
            | Self::HttpContentLength
            | Self::RevisitProfile
            | Self::RevisitRefers
            | Self::ConcurrentDate
            | Self::WarcinfoFirst => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.record_id.as_deref().unwrap_or("-");
        write!(f, "{} {} {}: {}", self.offset, id, self.rule.name(), self.detail)
    }
}

impl Report {
    /// Whether no rule is broken, warnings included.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Findings that are errors.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.rule.severity() == Severity::Error)
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        // Warnings leave room for errors: the first of these is not to be missed for them.
        let room = if finding.rule.severity() == Severity::Error { 2 * FINDINGS } else { FINDINGS };
        if self.findings.len() < room {
            let Finding { offset, record_id, rule, detail } = finding;
            let (record_id, detail) = (record_id.as_deref().map(quoted), quoted(&detail));
            self.findings.push(Finding { offset, record_id, rule, detail });
        } else {
            self.findings_dropped += 1;
        }
    }

    /// What cannot be read has been reported.
    fn require_record(&mut self) {
        if self.records == 0 && self.is_clean() {
            let detail = "no record".to_owned();
            self.add(Finding { offset: 0, record_id: None, rule: Rule::AnyRecord, detail });
        }
    }

    fn pass_over<R: Read>(&mut self, error: &ReadError, reader: &mut Reader<R>) {
        if matches!(error.kind, ReadErrorKind::Io(_)) {
            return self.add_unreadable(error.offset, error.kind.to_string());
        }
        match reader.recover() {
            Ok(skipped) => {
                self.skipped_bytes += skipped;
                let skipped = count_of(skipped, "byte");
                self.add_unreadable(error.offset, format!("{}; {skipped} passed over", error.kind));
            }
            Err(failed) => {
                self.add_unreadable(error.offset, error.kind.to_string());
                self.add_unreadable(failed.offset, failed.kind.to_string());
            }
        }
    }

    fn add_unreadable(&mut self, offset: u64, detail: String) {
        self.add(Finding { offset, record_id: None, rule: Rule::Readable, detail });
    }
}

/// What a file says, as people may read it: of bounded length, and without what a terminal would obey.
fn quoted(text: &str) -> String {
    let is_cut = text.chars().nth(QUOTED_CHARS).is_some();
    let shown = text.chars().take(QUOTED_CHARS);
    let shown = shown.map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    shown.chain(is_cut.then_some('…')).collect()
}
