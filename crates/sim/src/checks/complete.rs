use super::archive::Captured;
use simweb::{End, Truth, Web, What};
use std::collections::{BTreeMap, BTreeSet};

/// Judges the archive against the truth: what a perfect crawl would hold is there, with the answer it ends with; what it
/// would not hold is not; and nothing is there that it would not have come across.
pub fn complete(captures: &[Captured], web: &Web, truth: &Truth) -> Vec<String> {
    let there = by_url(captures, web);
    let mut wrong = Vec::new();
    for (url, fate) in &truth.urls {
        let statuses = there.get(url);
        let right = match expected(fate.end) {
            Some(status) => statuses.is_some_and(|statuses| statuses.contains(&status)),
            None => statuses.is_none(),
        };
        if !right {
            wrong.push(format!("{:?} at depth {}, archived {statuses:?}: {url}", fate.end, fate.depth));
        }
    }
    wrong
        .extend(there.keys().filter(|url| !truth.urls.contains_key(*url)).map(|url| format!("stray: {url}")));
    wrong
}

/// The status with which a URL stands in the archive in the end; `None` if it must not stand there.
fn expected(end: End) -> Option<u16> {
    match end {
        End::Page(_) | End::Ruined => Some(200),
        End::Redirect(status) | End::Error(status) => Some(status),
        End::Unreachable | End::Forbidden | End::Trap => None,
    }
}

/// The statuses archived of each canonical URL, but for robots.txt and sitemaps, which no link leads to.
fn by_url(captures: &[Captured], web: &Web) -> BTreeMap<String, BTreeSet<u16>> {
    let mut found: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for capture in captures {
        let aside = |what| matches!(what, What::Robots | What::Policy | What::Sitemap | What::SitemapPart(_));
        let content = web.place(&capture.url).is_none_or(|place| !aside(place.what));
        if content && let Some(url) = web.canonical(&capture.url) {
            found.entry(url).or_default().insert(capture.status);
        }
    }
    found
}
