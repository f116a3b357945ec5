//! The rules of a single record, and the little that must be remembered of the records before it.

use crate::check::{Finding, Report, Rule};
use crate::digest::{DigestMatch, compare_digest};
use crate::exchange::Truncation;
use crate::http::{HttpMessage, dechunk, number};
use crate::limits::CONCURRENT_WINDOW;
use crate::record::{Record, RecordType, strip_brackets};
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use stdx::{Set, WallTime, count_of};

/// What checking remembers between records.
pub(crate) struct RecordRules {
    seen_ids: Set<u64>,
    recent: VecDeque<Recent>,
    first: bool,
}

struct Recent {
    id: String,
    date: String,
    concurrent_to: Vec<String>,
}

impl RecordRules {
    pub(crate) fn new() -> Self {
        Self { seen_ids: stdx::set(), recent: VecDeque::new(), first: true }
    }

    pub(crate) fn apply(&mut self, record: &Record, report: &mut Report) {
        let mut sheet = Sheet { record, report };
        sheet.check_frame();
        sheet.check_presence();
        sheet.check_forms();
        sheet.check_block_digest();
        sheet.check_payload_digest();
        sheet.check_http();
        sheet.check_revisit();
        self.check_order(&mut sheet);
        self.remember(record);
    }

    /// A record could not be read.
    pub(crate) fn miss(&mut self) {
        self.first = false;
    }

    fn check_order(&mut self, sheet: &mut Sheet<'_>) {
        let record = sheet.record;
        if std::mem::take(&mut self.first) && record.record_type() != RecordType::Warcinfo {
            sheet.add(Rule::WarcinfoFirst, "the first record is no warcinfo");
        }
        if record.id().is_some_and(|id| !self.seen_ids.insert(hash(id))) {
            sheet.add(Rule::RecordIdUnique, "an earlier record has the same id");
        }
        for recent in self.recent.iter().filter(|recent| recent.is_of_one_exchange_with(record)) {
            if Some(recent.date.as_str()) != record.header.get("WARC-Date") {
                sheet.add(Rule::ConcurrentDate, &format!("{} has another WARC-Date", recent.id));
            }
        }
    }

    fn remember(&mut self, record: &Record) {
        if self.recent.len() == CONCURRENT_WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(Recent::of(record));
    }
}

impl Recent {
    fn of(record: &Record) -> Self {
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        Self {
            id: text(record.id()),
            date: text(record.header.get("WARC-Date")),
            concurrent_to: concurrent_to(record).map(str::to_owned).collect(),
        }
    }

    /// Either names the other as concurrent.
    fn is_of_one_exchange_with(&self, record: &Record) -> bool {
        concurrent_to(record).any(|id| id == self.id)
            || record.id().is_some_and(|id| self.concurrent_to.iter().any(|other| other == id))
    }
}

fn concurrent_to(record: &Record) -> impl Iterator<Item = &str> {
    record.header.get_all("WARC-Concurrent-To").map(strip_brackets)
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Fields that may be there more than once.
const MAY_REPEAT: [&str; 2] = ["WARC-Concurrent-To", "WARC-Protocol"];

/// One record under examination.
struct Sheet<'a> {
    record: &'a Record,
    report: &'a mut Report,
}

impl Sheet<'_> {
    fn add(&mut self, rule: Rule, detail: &str) {
        let record_id = self.record.id().map(str::to_owned);
        self.report.add(Finding { offset: self.record.offset, record_id, rule, detail: detail.to_owned() });
    }

    fn is_1_0(&self) -> bool {
        self.record.version == "WARC/1.0"
    }

    fn check_frame(&mut self) {
        if !matches!(self.record.version.as_str(), "WARC/1.0" | "WARC/1.1") {
            self.add(Rule::Version, &self.record.version);
        }
        if self.record.malformed_lines > 0 {
            self.add(Rule::HeaderLine, &format!("{} lines are no field", self.record.malformed_lines));
        }
        if self.record.bare_line_ends > 0 {
            let lines = count_of(self.record.bare_line_ends as u64, "line");
            self.add(Rule::HeaderLine, &format!("{lines} with LF alone at the end, not CRLF"));
        }
        if self.record.trailer != b"\r\n\r\n" {
            self.add(
                Rule::RecordEnd,
                &format!("{:?} follows the block", self.record.trailer.escape_ascii().to_string()),
            );
        }
    }

    fn check_presence(&mut self) {
        for name in ["WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length"] {
            if self.record.header.get(name).is_none() {
                self.add(Rule::MandatoryHeader, &format!("{name} is missing"));
            }
        }
        let kind = self.record.record_type();
        for name in needed(kind).iter().filter(|name| self.record.header.get(name).is_none()) {
            self.add(Rule::TypeNeedsHeader, &format!("{kind:?} without {name}"));
        }
        for name in forbidden(kind).iter().filter(|name| self.record.header.get(name).is_some()) {
            self.add(Rule::TypeForbidsHeader, &format!("{kind:?} with {name}"));
        }
        self.check_repeats();
        let untyped = self.record.header.get("Content-Type").is_none();
        if untyped && self.record.block_len > 0 && kind != RecordType::Continuation {
            self.add(Rule::ContentType, "a block without Content-Type");
        }
    }

    fn check_repeats(&mut self) {
        let may_repeat = |name: &&str| MAY_REPEAT.iter().any(|other| name.eq_ignore_ascii_case(other));
        let mut names: Vec<&str> = self.record.header.names().filter(|name| !may_repeat(name)).collect();
        names.sort_unstable_by(|a, b| lower(a).cmp(lower(b)));
        for pair in names.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case(pair[1])) {
            self.add(Rule::RepeatedHeader, &pair[0].to_ascii_lowercase());
        }
    }

    fn check_forms(&mut self) {
        let header = &self.record.header;
        if let Some(id) = header.get("WARC-Record-ID").filter(|id| !is_bracketed_uri(id)) {
            self.add(Rule::RecordIdForm, id);
        }
        if let Some(date) = header.get("WARC-Date").filter(|date| !self.has_date_form(date)) {
            self.add(Rule::DateForm, date);
        }
        if let Some(uri) = header.get("WARC-Target-URI") {
            let bare = if self.is_1_0() { strip_brackets(uri) } else { uri };
            if !is_uri(bare) {
                self.add(Rule::TargetUriForm, uri);
            }
        }
        if let Some(word) = header.get("WARC-Truncated").filter(|word| Truncation::from_name(word).is_none())
        {
            self.add(Rule::TruncatedWord, word);
        }
    }

    /// ISO 28500:2017, section 5.4: any granularity of W3CDTF, in UTC; the edition of 2009 has none but the full form.
    fn has_date_form(&self, date: &str) -> bool {
        WallTime::parse_iso(date).is_some() || !self.is_1_0() && is_coarse_date(date)
    }

    fn check_block_digest(&mut self) {
        let Some(label) = self.record.header.get("WARC-Block-Digest") else { return };
        let found = self.compare(label, &self.record.block);
        self.report_digest(Rule::BlockDigest, label, found);
    }

    fn check_payload_digest(&mut self) {
        let Some(label) = self.record.header.get("WARC-Payload-Digest") else { return };
        let record = self.record;
        if record.record_type() == RecordType::Revisit {
            return;
        }
        let http = record.http();
        let payload = http.map_or(record.block.as_slice(), |http| http.payload);
        let plain = http.filter(HttpMessage::is_chunked).and_then(|_| dechunk(payload));
        let found = match self.compare(label, plain.as_deref().unwrap_or(payload)) {
            DigestMatch::Different if self.is_segment() => DigestMatch::Unverified,
            found => found,
        };
        if found == DigestMatch::Different && self.compare(label, payload) == DigestMatch::Same {
            self.add(Rule::PayloadDigest, "the digest was made over the chunk framing");
            return;
        }
        self.report_digest(Rule::PayloadDigest, label, found);
    }

    fn compare(&self, label: &str, bytes: &[u8]) -> DigestMatch {
        match compare_digest(label, &[bytes]) {
            DigestMatch::Different if !self.record.is_whole() => DigestMatch::Unverified,
            found => found,
        }
    }

    /// Whether the record is a part of one that others go on with. What is said of the payload and its length is said of that one's
    /// (ISO 28500:2017, section 5.9).
    fn is_segment(&self) -> bool {
        self.record.header.get("WARC-Segment-Number").is_some()
    }

    fn report_digest(&mut self, rule: Rule, label: &str, found: DigestMatch) {
        match found {
            DigestMatch::Same => self.report.digests_verified += 1,
            DigestMatch::Unverified => self.report.digests_unverified += 1,
            DigestMatch::Different => self.add(rule, &format!("the bytes do not have {label}")),
            DigestMatch::Malformed => self.add(Rule::DigestForm, label),
        }
    }

    fn check_http(&mut self) {
        let Some(http) = self.record.http() else { return };
        let kind = self.record.record_type();
        // The header may say all: a revisit need not have a block.
        if kind == RecordType::Revisit && self.record.block_len == 0 {
            return;
        }
        let start = String::from_utf8_lossy(http.start_line()).into_owned();
        if !has_http1_line(kind, &start) {
            self.add(Rule::HttpStartLine, &start);
        }
        if kind != RecordType::Response {
            return;
        }
        if let Some(coding) = http.header("transfer-encoding") {
            self.add(Rule::HttpTransferEncoding, &coding);
        }
        let stored = self.record.block_len - http.head.len() as u64;
        if let Some(length) = http.header("content-length")
            && !http.is_chunked()
            && !self.is_segment()
            && number(length.as_bytes()) != Some(stored)
        {
            self.add(Rule::HttpContentLength, &format!("{length}, but {stored} bytes are stored"));
        }
    }

    fn check_revisit(&mut self) {
        if self.record.record_type() != RecordType::Revisit {
            return;
        }
        let header = &self.record.header;
        if let Some(profile) = header.get("WARC-Profile").filter(|profile| !is_known_profile(profile)) {
            self.add(Rule::RevisitProfile, profile);
        }
        for name in ["WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"] {
            if header.get(name).is_none() {
                self.add(Rule::RevisitRefers, &format!("{name} is missing"));
            }
        }
        let is_empty = |label| compare_digest(label, &[]) == DigestMatch::Same;
        let is_compared = header.get("WARC-Profile").is_none_or(|profile| !is_not_modified(profile));
        // A page may be empty and stay so; where payloads are compared, nobody refers to nothing.
        if is_compared && header.get("WARC-Payload-Digest").is_some_and(is_empty) {
            self.add(Rule::RevisitDigest, "the payload digest is that of an empty payload");
        }
    }
}

fn lower(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().map(|byte| byte.to_ascii_lowercase())
}

/// To less than the second, from the year alone on.
fn is_coarse_date(date: &str) -> bool {
    let shape: String = date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let moment = match shape.as_str() {
        "0000" => format!("{date}-01-01T00:00:00Z"),
        "0000-00" => format!("{date}-01T00:00:00Z"),
        "0000-00-00" => format!("{date}T00:00:00Z"),
        "0000-00-00T00:00Z" => date.replace('Z', ":00Z"),
        _ => return false,
    };
    WallTime::parse_iso(&moment).is_some()
}

fn needed(kind: RecordType) -> &'static [&'static str] {
    match kind {
        RecordType::Request | RecordType::Response | RecordType::Resource | RecordType::Conversion => {
            &["WARC-Target-URI"]
        }
        RecordType::Revisit => &["WARC-Target-URI", "WARC-Profile"],
        RecordType::Continuation => &["WARC-Target-URI", "WARC-Segment-Number", "WARC-Segment-Origin-ID"],
        _ => &[],
    }
}

fn forbidden(kind: RecordType) -> &'static [&'static str] {
    match kind {
        RecordType::Warcinfo => &[
            "WARC-Target-URI",
            "WARC-IP-Address",
            "WARC-Concurrent-To",
            "WARC-Refers-To",
            "WARC-Profile",
            "WARC-Identified-Payload-Type",
        ],
        RecordType::Request | RecordType::Response | RecordType::Resource => {
            &["WARC-Refers-To", "WARC-Filename", "WARC-Profile"]
        }
        RecordType::Conversion => &["WARC-IP-Address", "WARC-Concurrent-To", "WARC-Filename"],
        RecordType::Metadata | RecordType::Revisit => &["WARC-Filename"],
        RecordType::Continuation => {
            &["WARC-IP-Address", "WARC-Concurrent-To", "WARC-Refers-To", "WARC-Filename"]
        }
        RecordType::Other => &[],
    }
}

fn has_http1_line(kind: RecordType, line: &str) -> bool {
    match kind {
        RecordType::Request => line.rsplit(' ').next().is_some_and(|version| version.starts_with("HTTP/1.")),
        _ => line.starts_with("HTTP/1."),
    }
}

fn is_known_profile(uri: &str) -> bool {
    let rest = ["http://netpreserve.org/warc/1.1/revisit/", "http://netpreserve.org/warc/1.0/revisit/"];
    rest.iter()
        .filter_map(|base| uri.strip_prefix(base))
        .any(|name| matches!(name, "identical-payload-digest" | "server-not-modified"))
}

fn is_not_modified(profile: &str) -> bool {
    is_known_profile(profile) && profile.ends_with("/server-not-modified")
}

fn is_bracketed_uri(text: &str) -> bool {
    text.len() > 2 && strip_brackets(text).len() + 2 == text.len() && is_uri(strip_brackets(text))
}

/// A scheme, a colon, and nothing that would end or split a header value.
fn is_uri(text: &str) -> bool {
    let scheme = text.split(':').next().unwrap_or_default();
    let named = scheme.len() < text.len() && scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let clean = !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == '<' || c == '>');
    named && clean && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}
