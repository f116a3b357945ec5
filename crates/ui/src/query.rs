use crate::limits::{HOST_ROWS, SEARCH_BYTES, URL_BYTES};
use url::form_urlencoded;

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
    /// Part of the name; in lower case.
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
    pub(crate) fn parse(query: &str) -> Result<Self, String> {
        let mut found = None;
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if value.len() > URL_BYTES {
                return Err(format!("longer than {URL_BYTES} bytes"));
            }
            found = match &*name {
                "url" => Some(Self::Url(value.into_owned())),
                "host" => Some(Self::Host(value.into_owned())),
                _ => found,
            };
        }
        found.ok_or_else(|| "say what is to be explained: url=… or host=…".to_owned())
    }
}

impl HostQuery {
    /// `q=`, `sort=`, `after=`, `limit=`, each of which may be missing.
    pub(crate) fn parse(query: &str) -> Result<Self, String> {
        let mut parsed =
            Self { search: String::new(), sort: HostSort::Pending, after: None, limit: HOST_ROWS / 2 };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "q" if value.len() > SEARCH_BYTES => {
                    return Err(format!("q: longer than {SEARCH_BYTES} bytes"));
                }
                "q" => parsed.search = value.to_ascii_lowercase(),
                "sort" => parsed.sort = sort_of(&value)?,
                "after" => parsed.after = Some(value.into_owned()).filter(|after| !after.is_empty()),
                "limit" => parsed.limit = limit_of(&value)?,
                _ => {}
            }
        }
        Ok(parsed)
    }
}

fn sort_of(word: &str) -> Result<HostSort, String> {
    let known = HostSort::ALL.iter().find(|(name, _)| *name == word);
    known.map(|(_, sort)| *sort).ok_or_else(|| {
        let words: Vec<&str> = HostSort::ALL.iter().map(|(name, _)| *name).collect();
        format!("sort: one of {}", words.join(", "))
    })
}

fn limit_of(text: &str) -> Result<usize, String> {
    let limit = text.parse().ok().filter(|limit| (1..=HOST_ROWS).contains(limit));
    limit.ok_or_else(|| format!("limit: a number from 1 to {HOST_ROWS}"))
}
