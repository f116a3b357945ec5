use crate::Unanswered;
use crate::history::Span;
use crate::limits::{HOST_ROWS, SEARCH_BYTES, URL_BYTES};
use url::{Host, form_urlencoded};

/// What is to be explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A URL.
    Url(String),
    /// A host.
    Host(String),
}

/// Which hosts are to be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostQuery {
    /// Part of the name, as hosts have theirs: in lower case, and in ASCII where that can be.
    pub search: String,
    /// In which order.
    pub sort: HostSort,
    /// [`Hosts::next`](crate::Hosts::next) of the page before.
    pub after: Option<String>,
    /// Rows at most.
    pub limit: usize,
}

/// An order of hosts. Those that are equal stand by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostSort {
    /// Most URLs first.
    Pending,
    /// By name.
    Name,
    /// Soonest due first.
    Until,
    /// Most contacts first.
    Contacts,
    /// Slowest last answer first.
    Response,
    /// Most failures in a row first.
    Failures,
    /// As they lie on disk, and only those: the one order in which all of them can be gone through, however many they are.
    Stored,
}

/// Which part of a crawl's history.
pub(crate) struct HistoryQuery {
    pub(crate) span: Span,
    /// Only what came after; milliseconds since 1970.
    pub(crate) since_ms: u64,
}

impl HostSort {
    /// All, by the words for them.
    pub const ALL: [(&'static str, Self); 7] = [
        ("pending", Self::Pending),
        ("name", Self::Name),
        ("until", Self::Until),
        ("contacts", Self::Contacts),
        ("response", Self::Response),
        ("failures", Self::Failures),
        ("stored", Self::Stored),
    ];
}

impl Subject {
    /// `url=…` or `host=…`.
    pub(crate) fn parse(query: &str) -> Result<Self, Unanswered> {
        let mut found = None;
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if value.len() > URL_BYTES {
                return Err(Unanswered::Malformed(format!("longer than {URL_BYTES} bytes")));
            }
            found = match &*name {
                "url" => Some(Self::Url(value.into_owned())),
                "host" => Some(Self::Host(value.into_owned())),
                _ => found,
            };
        }
        found.ok_or_else(|| Unanswered::Malformed("say what is to be explained: url=… or host=…".to_owned()))
    }
}

impl HostQuery {
    /// `q=`, `sort=`, `after=`, `limit=`, each of which may be missing.
    pub(crate) fn parse(query: &str) -> Result<Self, Unanswered> {
        let mut parsed =
            Self { search: String::new(), sort: HostSort::Pending, after: None, limit: HOST_ROWS / 2 };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "q" if value.len() > SEARCH_BYTES => {
                    return Err(Unanswered::Malformed(format!("q: longer than {SEARCH_BYTES} bytes")));
                }
                "q" => parsed.search = in_ascii(&value),
                "sort" => parsed.sort = sort_of(&value)?,
                "after" => parsed.after = Some(value.into_owned()).filter(|after| !after.is_empty()),
                "limit" => parsed.limit = limit_of(&value)?,
                _ => {}
            }
        }
        Ok(parsed)
    }
}

impl HistoryQuery {
    /// `span=`, `since=`, each of which may be missing.
    pub(crate) fn parse(query: &str) -> Result<Self, Unanswered> {
        let mut parsed = Self { span: Span::Recent, since_ms: 0 };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "span" => parsed.span = span_of(&value)?,
                "since" => parsed.since_ms = since_of(&value)?,
                _ => {}
            }
        }
        Ok(parsed)
    }
}

fn span_of(word: &str) -> Result<Span, Unanswered> {
    match word {
        "recent" => Ok(Span::Recent),
        "whole" => Ok(Span::Whole),
        _ => Err(Unanswered::Malformed("span: recent or whole".to_owned())),
    }
}

fn since_of(text: &str) -> Result<u64, Unanswered> {
    text.parse().map_err(|_| Unanswered::Malformed("since: milliseconds since 1970".to_owned()))
}

/// Whole labels in other letters are looked for as hosts have them in their names (RFC 5890).
fn in_ascii(search: &str) -> String {
    match Host::parse(search) {
        Ok(Host::Domain(name)) if !search.is_ascii() => name,
        _ => search.to_ascii_lowercase(),
    }
}

fn sort_of(word: &str) -> Result<HostSort, Unanswered> {
    let known = HostSort::ALL.iter().find(|(name, _)| *name == word);
    known.map(|(_, sort)| *sort).ok_or_else(|| {
        let words: Vec<&str> = HostSort::ALL.iter().map(|(name, _)| *name).collect();
        Unanswered::Malformed(format!("sort: one of {}", words.join(", ")))
    })
}

fn limit_of(text: &str) -> Result<usize, Unanswered> {
    let limit = text.parse().ok().filter(|limit| (1..=HOST_ROWS).contains(limit));
    limit.ok_or_else(|| Unanswered::Malformed(format!("limit: a number from 1 to {HOST_ROWS}")))
}
