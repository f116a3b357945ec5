use crate::log::{Contact, Purpose, ServerLog};
use simweb::{Verdict, Web, What};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// Rules older than this are of no use (RFC 9309, section 2.4).
const MAX_AGE_MS: u64 = 24 * 3600 * 1000;

/// Judges the server's log: nothing that robots.txt forbids was asked for.
pub fn robots_obeyed(log: &ServerLog, web: &Web) -> Vec<String> {
    let content = log.contacts.iter().filter(|contact| contact.purpose == Purpose::Content);
    let forbidden = content.filter(|contact| web.verdict(&contact.url) == Verdict::Forbidden);
    forbidden.map(|contact| format!("forbidden: {}", contact.url)).collect()
}

/// Judges the server's log: before anything else of an authority its robots.txt was asked for and answered, no
/// longer than a day ago, and not with a failure of the server.
pub fn robots_known(log: &ServerLog, web: &Web) -> Vec<String> {
    let mut answered: BTreeMap<&str, Timestamp> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut ordered: Vec<&Contact> = log.contacts.iter().collect();
    ordered.sort_by_key(|contact| contact.started);
    for contact in ordered {
        let authority = authority_of(&contact.url);
        match contact.purpose {
            Purpose::Robots => note(&mut answered, authority, contact),
            Purpose::Content if is_policy(web, &contact.url) => {}
            Purpose::Content => {
                let known = answered.get(authority).filter(|at| contact.started.since_ms(**at) < MAX_AGE_MS);
                if known.is_none_or(|at| *at > contact.started) {
                    wrong.push(format!("without robots.txt: {} in run {}", contact.url, contact.run));
                }
            }
        }
    }
    wrong
}

fn note<'a>(answered: &mut BTreeMap<&'a str, Timestamp>, authority: &'a str, contact: &Contact) {
    if contact.status.is_some_and(|status| status < 500 && status != 429) {
        answered.insert(authority, contact.ended);
    }
}

/// Scheme, host and port.
fn authority_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Where one class of robots.txt redirects to: part of robots.txt.
fn is_policy(web: &Web, url: &str) -> bool {
    web.place(url).is_some_and(|place| place.what == What::Policy)
}
