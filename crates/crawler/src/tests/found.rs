//! Links of a page keep their own, one behind the other.

use super::examples::key;
use crate::{Found, FoundLinks};
use frontier::Kind;

#[test]
fn links_come_back_as_they_were_and_in_order() {
    let link = |url: &'static str, shard, kind| Found { url, key: key(url), shard, steps: 1, hops: 0, kind };
    let links = [
        link("http://a.example/", 1, Kind::Page),
        link("http://b.example/ä", 0, Kind::Sitemap),
        Found { steps: 0, hops: 1, ..link("http://a.example/2", 255, Kind::Page) },
    ];
    let found: FoundLinks = links.into_iter().collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), links);
    assert_eq!((found.len(), found.is_empty()), (3, false));
    assert!(FoundLinks::default().is_empty() && FoundLinks::default().iter().next().is_none());
}
