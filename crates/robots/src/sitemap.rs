mod collect;
mod list;
mod value;
mod xml;

use crate::limits::{SITEMAP_URLS, URL_BYTES};
use crate::text::Utf8;
use collect::Collector;
use std::io::{self, Read};
use stdx::WallTime;

/// What a sitemap lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sitemap {
    /// Its URLs in order, [`SITEMAP_URLS`] at most.
    pub urls: Vec<Entry>,
    /// The URLs are those of further sitemaps.
    pub is_index: bool,
    /// URLs it lists beyond the limit, which are not kept.
    pub beyond_limit: u64,
    /// What relative URLs are relative to, where the root of a feed says so.
    pub base: Option<String>,
}

/// One URL of a sitemap.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The URL as written, entities decoded; it should be absolute, some begin at the root of the site, and feeds also
    /// have relative ones.
    pub loc: String,
    /// When the page last changed, as far as the site says so legibly.
    pub lastmod: Option<WallTime>,
    /// The site's own ranking of its pages, 0 to 1; the protocol's default is 0.5.
    pub priority: Option<f32>,
}

/// How much of a document there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it, as far as its end can be trusted.
    Whole,
    /// It was cut, maybe within a URL: what has no end there is not shown.
    Cut,
}

/// What the URLs of a sitemap are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Pages.
    Pages,
    /// Further sitemaps.
    Sitemaps,
}

/// Reads a sitemap or sitemap index (sitemaps.org 0.9, any namespace), a text list with a URL a line, an RSS 2.0
/// or 1.0 or an Atom feed. What it is shows in the bytes; declared types are too often wrong to be asked. Broken
/// XML gives what can be made out; an HTML page gives nothing. It is in the encoding that its mark or its XML
/// declaration tells, or else in UTF-8. `body` is already decompressed. Time and memory are
/// linear in it.
pub fn parse_sitemap(body: &[u8]) -> Sitemap {
    let mut urls = Vec::new();
    let totals =
        scan(|| Ok(body), || Extent::Whole, &mut |entry, _| urls.push(entry)).expect("memory can be read");
    let is_index = totals.listing == Listing::Sitemaps;
    Sitemap { urls, is_index, beyond_limit: totals.beyond_limit, base: totals.base }
}

/// The same as a stream: shows each URL as it is read, [`SITEMAP_URLS`] at most, beside what is known of all, and says that again at the end.
/// Takes the memory of one window, whatever the sitemap. `open` gives its bytes from their start; a text list is read
/// twice. `extent` is asked when the bytes have come to their end.
pub fn read_sitemap<R: Read>(
    open: impl Fn() -> io::Result<R>,
    extent: impl Fn() -> Extent,
    mut show: impl FnMut(Entry, &SitemapTotals),
) -> io::Result<SitemapTotals> {
    scan(open, extent, &mut show)
}

fn scan<R: Read>(
    open: impl Fn() -> io::Result<R>,
    extent: impl Fn() -> Extent,
    show: &mut dyn FnMut(Entry, &SitemapTotals),
) -> io::Result<SitemapTotals> {
    let totals =
        SitemapTotals { kept: 0, beyond_limit: 0, listing: Listing::Pages, is_html: false, base: None };
    let mut shown = Shown { totals, show };
    let mut collector = Collector::new(&mut shown);
    xml::scan(Utf8::new(open()?)?, |token| collector.take(token))?;
    if !collector.finish() {
        list::scan(Utf8::new(open()?)?, &extent, |entry| shown.add(entry))?;
        shown.totals.is_html &= shown.totals.kept == 0;
    }
    Ok(shown.totals)
}

/// What is known of a sitemap as a whole: all of it when it has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapTotals {
    /// URLs that were shown.
    pub kept: usize,
    /// URLs beyond the limit.
    pub beyond_limit: u64,
    /// As the root says, also where there are no URLs.
    pub listing: Listing,
    /// It is a page instead, as what a site sends where it has no sitemap.
    pub is_html: bool,
    /// What relative URLs are relative to, where the root of a feed says so (XML Base, 4.2): itself a reference. Those of its elements are not
    /// heard.
    pub base: Option<String>,
}

/// Keeps to the limit.
struct Shown<'a> {
    totals: SitemapTotals,
    show: &'a mut dyn FnMut(Entry, &SitemapTotals),
}

impl Shown<'_> {
    fn add(&mut self, entry: Entry) {
        if entry.loc.len() > URL_BYTES {
            return;
        }
        if self.totals.kept < SITEMAP_URLS {
            self.totals.kept += 1;
            (self.show)(entry, &self.totals);
        } else {
            self.totals.beyond_limit += 1;
        }
    }
}
