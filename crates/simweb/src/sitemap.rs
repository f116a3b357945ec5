use crate::limits;
use crate::place::{Place, What};
use crate::web::Web;
use std::ops::Range;

/// How many parts the sitemap of a host with so many pages has.
pub(crate) fn parts(pages: u64) -> u64 {
    pages.min(limits::SITEMAP_URLS).div_ceil(limits::SITEMAP_PART_URLS)
}

impl Web {
    /// `/sitemap.xml`: of all pages where they fit in one part, else the index of the parts. It lists only
    /// pages that links lead to as well.
    pub(crate) fn sitemap(&self, place: Place) -> String {
        let pages = self.pages_of(place.host);
        match parts(pages) {
            1 => self.url_set(place, 0..pages.min(limits::SITEMAP_PART_URLS)),
            parts => self.sitemap_index(place, parts),
        }
    }

    /// One part, uncompressed.
    pub(crate) fn sitemap_part(&self, place: Place, part: u64) -> String {
        let first = part * limits::SITEMAP_PART_URLS;
        let end = self.pages_of(place.host).min(limits::SITEMAP_URLS);
        self.url_set(place, first..end.min(first + limits::SITEMAP_PART_URLS))
    }

    fn sitemap_index(&self, place: Place, parts: u64) -> String {
        let places = (0..parts).map(|part| place.with(What::SitemapPart(part)));
        self.document("sitemapindex", "sitemap", places)
    }

    fn url_set(&self, place: Place, pages: Range<u64>) -> String {
        self.document("urlset", "url", pages.map(|index| place.with(What::Page(index))))
    }

    fn document(&self, root: &str, item: &str, places: impl Iterator<Item = Place>) -> String {
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
        );
        for place in places {
            let url = self.url_of(&place).replace('&', "&amp;");
            xml.extend(["  <", item, "><loc>", &url, "</loc></", item, ">\n"]);
        }
        xml.extend(["</", root, ">\n"]);
        xml
    }
}
