use serde::{Deserialize, Serialize};
use weburl::KeyHash;

/// A URL on its way into the frontier: a seed, a link, a redirect's target or a sitemap's entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// As it would be requested.
    pub url: String,
    /// Its identity.
    pub key: KeyHash,
    /// Links from the nearest seed.
    pub depth: u32,
    /// Redirects that led here from the last link.
    pub hops: u8,
    /// What is expected there.
    pub kind: Kind,
}

/// The same, its URL lying elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Discovered<'a> {
    /// As it would be requested.
    pub url: &'a str,
    /// Its identity.
    pub key: KeyHash,
    /// Links from the nearest seed.
    pub depth: u32,
    /// Redirects that led here from the last link.
    pub hops: u8,
    /// What is expected there.
    pub kind: Kind,
}

impl<'a> From<&'a Discovery> for Discovered<'a> {
    fn from(discovery: &'a Discovery) -> Self {
        let Discovery { ref url, key, depth, hops, kind } = *discovery;
        Self { url, key, depth, hops, kind }
    }
}

impl From<Discovered<'_>> for Discovery {
    fn from(discovered: Discovered<'_>) -> Self {
        let Discovered { url, key, depth, hops, kind } = discovered;
        Self { url: url.to_owned(), key, depth, hops, kind }
    }
}

/// How a URL came into the crawl.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    /// Named by the operator.
    Seed,
    /// A link or a redirect, in the document at this URL.
    Document(String),
    /// A sitemap named by the robots.txt at this URL.
    Robots(String),
    /// An entry of the sitemap at this URL.
    Sitemap(String),
    /// The same as [`Origin::Document`], and the document's vote for the domain it leads to: of all its links one is.
    Voted(String),
}

/// What a URL is expected to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A page: counted by limits, parsed for links, a row in the corpus.
    Page,
    /// A sitemap: parsed for URLs only.
    Sitemap,
}

/// The front queue of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Seeds and sitemaps.
    High,
    /// Near the seeds.
    Medium,
    /// All else.
    Low,
}

/// Links from a seed up to which a URL counts as near.
const NEAR: u32 = 3;

impl Discovery {
    /// Which front queue it joins.
    pub fn class(&self) -> Class {
        Class::of(self.kind, self.depth, &self.url)
    }
}

impl Origin {
    /// The document it was found in; a seed has none.
    pub fn via(&self) -> Option<&str> {
        match self {
            Self::Seed => None,
            Self::Document(via) | Self::Robots(via) | Self::Sitemap(via) | Self::Voted(via) => Some(via),
        }
    }
}

impl Class {
    /// All classes, high to low.
    pub const ALL: [Self; 3] = [Self::High, Self::Medium, Self::Low];

    /// The class of a URL: seeds and sitemaps high, near the seeds medium, deep or with a query low.
    pub fn of(kind: Kind, depth: u32, url: &str) -> Self {
        match (kind, depth) {
            (Kind::Sitemap, _) | (_, 0) => Self::High,
            (_, 1..=NEAR) if !url.contains('?') => Self::Medium,
            _ => Self::Low,
        }
    }

    /// The next higher one.
    pub(crate) fn above(self) -> Self {
        match self {
            Self::High | Self::Medium => Self::High,
            Self::Low => Self::Medium,
        }
    }
}
