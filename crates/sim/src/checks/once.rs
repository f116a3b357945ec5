use super::archive::Captured;
use crate::log::{Contact, ServerLog};
use simweb::{Web, What};
use std::collections::BTreeMap;

/// Judges the archive: a URL with a final answer stands in it once.
pub fn archived_once(captures: &[Captured], web: &Web) -> Vec<String> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for capture in captures.iter().filter(|capture| is_final(capture.status)) {
        if let Some(url) = once(web, &capture.url) {
            *counts.entry(url).or_default() += 1;
        }
    }
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    twice.map(|(url, count)| format!("archived {count} times: {url}")).collect()
}

/// Judges the server's log: what had its final answer, early enough before a crash to be remembered, was never asked
/// for again.
pub fn requested_once(log: &ServerLog, web: &Web) -> Vec<String> {
    let mut answered: BTreeMap<String, &Contact> = BTreeMap::new();
    let mut wrong = Vec::new();
    for contact in &log.contacts {
        let Some(url) = once(web, &contact.url) else { continue };
        if let Some(before) = answered.get(&url).filter(|before| log.is_remembered(before, contact.run)) {
            let (first, again) = (before.run, contact.run);
            wrong.push(format!("answered in run {first}, asked for again in run {again}: {url}"));
        }
        if contact.status.is_some_and(is_final) {
            answered.insert(url, contact);
        }
    }
    wrong
}

/// What an archive held when a run began.
#[derive(Debug, Clone)]
pub struct HeldAtStart {
    /// The contacts made before that.
    pub contacts: usize,
    /// What was in the archive.
    pub captures: Vec<Captured>,
}

/// Judges the server's log: what the archive held with a final answer when a run began was never asked for again.
pub fn never_again(held: &[HeldAtStart], log: &ServerLog, web: &Web) -> Vec<String> {
    let mut wrong = Vec::new();
    for start in held {
        let whole = start.captures.iter().filter(|capture| is_final(capture.status));
        let there: BTreeMap<String, &Captured> =
            whole.filter_map(|capture| Some((once(web, &capture.url)?, capture))).collect();
        for contact in &log.contacts[start.contacts..] {
            if once(web, &contact.url).is_some_and(|url| there.contains_key(&url)) {
                wrong
                    .push(format!("in the archive, asked for again in run {}: {}", contact.run, contact.url));
            }
        }
    }
    wrong
}

fn is_final(status: u16) -> bool {
    matches!(status, 200..=299 | 404 | 410)
}

/// The canonical URL of what is asked for once in a crawl: not robots.txt.
fn once(web: &Web, url: &str) -> Option<String> {
    let place = web.place(url)?;
    let again = matches!(place.what, What::Robots | What::Policy);
    if again { None } else { web.canonical(url) }
}
