use super::Findings;
use super::archive::Captured;
use crate::log::{Contact, Run, ServerLog, is_remembered};
use simweb::{Web, What};
use std::collections::BTreeMap;
use stdx::{Map, Timestamp};
use xxhash_rust::xxh3::xxh3_64;

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

/// Judges the server's log as [`Once`] does.
pub fn requested_once(log: &ServerLog, web: &Web) -> Vec<String> {
    let mut judge = Once::default();
    log.runs.iter().for_each(|run| judge.begin(*run));
    log.contacts.iter().for_each(|contact| judge.contact(contact, web));
    judge.findings.into_vec()
}

/// Judges contacts as they begin: what had its final answer, early enough before a crash to be remembered, is never asked
/// for again. Thirty bytes a URL.
#[derive(Debug, Default)]
pub struct Once {
    runs: Vec<Run>,
    answered: Map<u64, Answered>,
    /// What was found wrong.
    pub findings: Findings,
}

/// When a URL had its final answer.
#[derive(Debug, Clone, Copy)]
struct Answered {
    run: usize,
    ended: Timestamp,
}

impl Once {
    /// A run begins.
    pub fn begin(&mut self, run: Run) {
        self.runs.push(run);
    }

    /// The present run ends, and its connections with it.
    pub fn end(&mut self, now: Timestamp) {
        if let Some(run) = self.runs.last_mut() {
            run.ended = now;
        }
    }

    /// A contact, no earlier than the one before.
    pub fn contact(&mut self, contact: &Contact, web: &Web) {
        let Some(url) = once(web, &contact.url) else { return };
        let id = xxh3_64(url.as_bytes());
        let before = self.answered.get(&id);
        if let Some(before) = before.filter(|before| self.is_remembered(**before, contact.run)) {
            let (first, again) = (before.run, contact.run);
            self.findings.add(|| format!("answered in run {first}, asked for again in run {again}: {url}"));
        }
        if contact.status.is_some_and(is_final) {
            self.answered.insert(id, Answered { run: contact.run, ended: contact.ended });
        }
    }

    /// An answer that the end of its run cut off was none.
    fn is_remembered(&self, before: Answered, run: usize) -> bool {
        let end = self.runs.get(before.run).map_or(Timestamp::NEVER, |run| run.ended);
        before.ended <= end && is_remembered(&self.runs, before.run, before.ended, run)
    }
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
