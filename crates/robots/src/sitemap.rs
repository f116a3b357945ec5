mod collect;
mod date;
mod xml;

use crate::limits::{SITEMAP_URLS, URL_BYTES};
use crate::text::{lines, trim, without_mark};
use collect::Collector;
use stdx::WallTime;

/// What a sitemap lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sitemap {
    /// Its URLs in order, [`SITEMAP_URLS`](crate::limits::SITEMAP_URLS) at most.
    pub urls: Vec<Entry>,
    /// The URLs are those of further sitemaps.
    pub is_index: bool,
    /// URLs it lists beyond the limit, which are not kept.
    pub beyond_limit: u64,
}

/// One URL of a sitemap.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The URL as written, entities decoded; it should be absolute, feeds also have relative ones.
    pub loc: String,
    /// When the page last changed, as far as the site says so legibly.
    pub lastmod: Option<WallTime>,
    /// The site's own ranking of its pages, 0 to 1; the protocol's default is 0.5.
    pub priority: Option<f32>,
}

/// Reads a sitemap or sitemap index (sitemaps.org 0.9, any namespace), a text list with a URL a line, an RSS 2.0
/// or 1.0 or an Atom feed. What it is shows in the bytes; declared types are too often wrong to be asked. Broken
/// XML gives what can be made out; an HTML page gives nothing. `body` is already decompressed. Time and memory are
/// linear in it.
pub fn parse_sitemap(body: &[u8]) -> Sitemap {
    let text = without_mark(body);
    let mut collector = Collector::default();
    for token in xml::tokens(&text) {
        collector.take(token);
    }
    collector.finish().unwrap_or_else(|| text_list(&text))
}

fn text_list(text: &[u8]) -> Sitemap {
    let mut sitemap = Sitemap::default();
    for line in lines(text) {
        let word = trim(line.bytes).split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if is_http(word) {
            sitemap.add(Entry { loc: crate::text::text_of(word), lastmod: None, priority: None });
        }
    }
    sitemap
}

fn is_http(word: &[u8]) -> bool {
    let begins =
        |scheme: &[u8]| word.len() > scheme.len() && word[..scheme.len()].eq_ignore_ascii_case(scheme);
    begins(b"http://") || begins(b"https://")
}

impl Sitemap {
    fn add(&mut self, entry: Entry) {
        if entry.loc.len() > URL_BYTES {
            return;
        }
        if self.urls.len() < SITEMAP_URLS {
            self.urls.push(entry);
        } else {
            self.beyond_limit += 1;
        }
    }
}
