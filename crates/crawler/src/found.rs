use frontier::Kind;
use weburl::KeyHash;

/// A link in scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<'a> {
    /// Where it leads.
    pub url: &'a str,
    /// Its identity.
    pub key: KeyHash,
    /// The shard that owns it.
    pub shard: u8,
    /// Links added to the depth of the page: 0 for a redirect's target, 1 for all else.
    pub steps: u32,
    /// Redirects added.
    pub hops: u8,
    /// What is expected there.
    pub kind: Kind,
}

/// The links of a page, in two blocks of memory however many they are: one thread asks for it and another lets it go, which for a
/// block a link costs more than finding them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundLinks {
    /// The URLs, one behind the other.
    urls: String,
    links: Vec<Kept>,
}

/// All but the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    key: KeyHash,
    /// Where its URL ends.
    end: usize,
    steps: u32,
    shard: u8,
    hops: u8,
    kind: Kind,
}

impl FoundLinks {
    /// With room for so many, and so many bytes of URLs.
    pub fn with_capacity(links: usize, url_bytes: usize) -> Self {
        Self { urls: String::with_capacity(url_bytes), links: Vec::with_capacity(links) }
    }

    /// Makes room for so many more, and so many bytes more of URLs.
    pub(crate) fn reserve(&mut self, links: usize, url_bytes: usize) {
        self.urls.reserve(url_bytes);
        self.links.reserve(links);
    }

    /// Appends a link.
    pub fn push(&mut self, link: Found<'_>) {
        let Found { url, key, shard, steps, hops, kind } = link;
        self.urls.push_str(url);
        self.links.push(Kept { key, end: self.urls.len(), steps, shard, hops, kind });
    }

    /// The links in order.
    pub fn iter(&self) -> impl Iterator<Item = Found<'_>> {
        let starts = [0].into_iter().chain(self.links.iter().map(|link| link.end));
        starts.zip(&self.links).map(|(start, &Kept { key, end, steps, shard, hops, kind })| {
            let url = &self.urls[start..end];
            Found { url, key, shard, steps, hops, kind }
        })
    }

    /// Bytes of the URLs.
    pub(crate) fn url_bytes(&self) -> usize {
        self.urls.len()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }
}

impl<'a> FromIterator<Found<'a>> for FoundLinks {
    fn from_iter<I: IntoIterator<Item = Found<'a>>>(links: I) -> Self {
        let mut found = Self::default();
        links.into_iter().for_each(|link| found.push(link));
        found
    }
}
