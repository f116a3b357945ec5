use super::once::Captured;
use simweb::{Truth, Web};
use std::collections::BTreeSet;

/// The canonical URLs that the archive holds with a 200.
pub fn archived(captures: &[Captured], web: &Web) -> BTreeSet<String> {
    let whole = captures.iter().filter(|capture| capture.status == 200);
    whole.filter_map(|capture| web.canonical(&capture.url)).collect()
}

/// Judges the archive against the truth: every page that a perfect crawl would hold is there.
pub fn complete(captures: &[Captured], web: &Web, truth: &Truth) -> Vec<String> {
    let there = archived(captures, web);
    truth.pages().filter(|url| !there.contains(*url)).map(|url| format!("missing: {url}")).collect()
}
