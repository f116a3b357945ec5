use super::Findings;
use crate::log::{Contact, Purpose, ServerLog};
use simweb::{Verdict, Web};
use stdx::{Map, Timestamp};
use xxhash_rust::xxh3::xxh3_64;

/// Rules older than this are of no use (RFC 9309, section 2.4) …
const MAX_AGE_MS: u64 = 24 * 3600 * 1000;

/// … unless it was tried so lately to get others …
const AGAIN_MS: u64 = 3600 * 1000;

/// … and not for ever.
const STALE_AGE_MS: u64 = 30 * 24 * 3600 * 1000;

/// Judges the server's log: nothing that robots.txt forbids was asked for.
pub fn robots_obeyed(log: &ServerLog, web: &Web) -> Vec<String> {
    let forbidden = log.contacts.iter().filter(|contact| is_forbidden(contact, web));
    forbidden.map(|contact| format!("forbidden: {}", contact.url)).collect()
}

/// Whether a contact asks for what robots.txt forbids.
pub fn is_forbidden(contact: &Contact, web: &Web) -> bool {
    contact.purpose == Purpose::Content && web.verdict(&contact.url) == Verdict::Forbidden
}

/// Judges the server's log as [`RobotsKnown`] does.
pub fn robots_known(log: &ServerLog) -> Vec<String> {
    let mut judge = RobotsKnown::default();
    log.in_order().for_each(|contact| judge.contact(contact));
    judge.findings.into_vec()
}

/// Judges contacts as they begin: before anything else of an authority its robots.txt was asked for and answered, no longer
/// than a day ago, and not with a failure of the server; or longer ago, where it was asked for in vain within the last hour.
#[derive(Debug, Default)]
pub struct RobotsKnown {
    answered: Map<u64, Timestamp>,
    in_vain: Map<u64, Timestamp>,
    /// What was found wrong.
    pub findings: Findings,
}

impl RobotsKnown {
    /// A contact, no earlier than the one before.
    pub fn contact(&mut self, contact: &Contact) {
        let authority = xxh3_64(authority_of(&contact.url).as_bytes());
        match contact.purpose {
            Purpose::Robots => self.note(authority, contact),
            Purpose::Policy => {}
            Purpose::Content => self.judge(authority, contact),
        }
    }

    fn note(&mut self, authority: u64, contact: &Contact) {
        if contact.status.is_some_and(|status| status < 500 && status != 429) {
            self.answered.insert(authority, contact.ended);
        } else {
            self.in_vain.insert(authority, contact.ended);
        }
    }

    fn judge(&mut self, authority: u64, contact: &Contact) {
        let since = |at: &Timestamp| contact.started.since_ms(*at);
        let tried = self.in_vain.get(&authority).is_some_and(|at| since(at) < AGAIN_MS);
        let most_ms = if tried { STALE_AGE_MS } else { MAX_AGE_MS };
        let fresh = self.answered.get(&authority).filter(|at| since(at) < most_ms);
        if fresh.is_none_or(|at| *at > contact.started) {
            self.findings.add(|| format!("without robots.txt: {} in run {}", contact.url, contact.run));
        }
    }
}

/// Scheme, host and port.
fn authority_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?']).map_or(url.len(), |at| host + at);
    &url[..end]
}
