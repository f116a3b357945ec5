use crate::answer::{Behaviour, BodyId, Media};
use crate::draw::{Purpose, draw, hash};
use crate::limits;
use crate::link_list::LinkList;
use crate::place::{Leaf, Place, What};
use crate::robots::Verdict;
use crate::web::Web;

/// A response without its bytes: all that a crawl's decisions depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageShape {
    /// What the URL names.
    pub place: Place,
    /// The HTTP status at the moment asked about.
    pub status: u16,
    /// The kind of body.
    pub media: Media,
    /// Where a redirect leads, as an absolute URL.
    pub redirect: Option<String>,
    /// The links of an HTML page, absolute, without fragments, in document order, repeats included.
    pub links: LinkList,
    /// What robots.txt says to `drumlin`.
    pub verdict: Verdict,
    /// Equal for equal bodies.
    pub content: u64,
    /// Bytes of the body, uncompressed; for HTML what it is drawn to be, which the bytes meet within a block.
    pub size_bytes: u64,
    /// What the server does besides.
    pub behaviour: Behaviour,
    /// The Retry-After header, in seconds.
    pub retry_after_s: Option<u64>,
}

impl Web {
    /// The shape of what a URL answers at `time_ms`; cheap, with no HTML made. `None` if the URL's host and
    /// port are not of this web: there is nobody to answer. Whether the name resolves and the certificate
    /// verifies is asked elsewhere ([`Web::address_of`], [`Web::certificate_of`]).
    pub fn structure(&self, url: &str, time_ms: u64) -> Option<PageShape> {
        let (place, target) = self.place_and_target(url)?;
        let answer = self.answer(place, &self.character(place.host), time_ms);
        let mut links = LinkList::default();
        self.list(&answer.body, &mut links);
        Some(PageShape {
            place,
            status: answer.status,
            media: answer.body.media,
            redirect: answer.redirect.map(|target| self.url_of(&target)),
            links,
            verdict: self.verdict_at(place, target),
            content: self.content(&answer.body),
            size_bytes: self.size_bytes(&answer.body),
            behaviour: answer.behaviour,
            retry_after_s: answer.retry_after_s,
        })
    }

    /// Bytes of the body an id names, as drawn: log-normal for pages.
    pub(crate) fn size_bytes(&self, body: &BodyId) -> u64 {
        let pages = body.status == 200 && body.media == Media::Html && body.place.what != What::Robots;
        if pages { self.page_size(body.place) } else { 256 }
    }

    /// One number for a body.
    pub(crate) fn content(&self, body: &BodyId) -> u64 {
        let place = body.place;
        let (kind, number) = match place.what {
            What::Page(index) => (0, index),
            What::Month(month) => (1, month),
            What::Maze(_) => (2, 0),
            What::Hop { left, page } => (8 + left, page),
            What::Robots => (3, 0),
            What::Policy => (4, 0),
            What::Sitemap => (5, 0),
            What::SitemapPart(part) => (6, part),
            What::Nothing => (7, 0),
            What::Leaf(leaf, index) => (16 + leaf as u64, index),
        };
        let session = place.session.unwrap_or_default();
        let kind = (kind << 16 | u64::from(body.status)).rotate_left(40);
        hash(self.config.seed ^ session, Purpose::Prose, place.host.word() ^ kind, number)
    }

    fn page_size(&self, place: Place) -> u64 {
        let sizes = self.config.sizes;
        let (subject, part) = match place.what {
            What::Page(index) => (index, 1.0),
            What::Leaf(Leaf::Print, index) => (index, 0.5),
            What::Leaf(_, index) => (index, 0.25),
            _ => (0, 0.25),
        };
        let shown = self.character(place.host).original;
        let mut rng = draw(self.config.seed, Purpose::Size, shown.word(), subject);
        let (median, mean) = (f64::from(sizes.median), f64::from(sizes.mean));
        let sigma = (2.0 * (mean / median).ln()).sqrt();
        let normal = (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (std::f64::consts::TAU * rng.unit()).cos();
        let drawn = (median * (sigma * normal).exp()).min(median * f64::from(limits::SIZE_MEDIANS));
        (drawn * part) as u64
    }
}
