use archive::Entry;
use crawler::{Digested, Found, Record};
use node::Witness;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use ui::PageSeen;
use weburl::Url;

#[cfg(test)]
mod tests;

/// What went by lately: entries of the ledger as they are, and some pages. It is filled on the threads of the crawl, which
/// hardly wait for whoever reads it, and takes about two megabytes at most.
#[derive(Default)]
pub(crate) struct Seen {
    entries: Mutex<Entries>,
    pages: Mutex<Pages>,
}

/// The latest entries of the journal that are of the ledger.
#[derive(Default)]
struct Entries {
    held: VecDeque<SeenEntry>,
    bytes: usize,
    /// From this number on all that came are here.
    whole_from: u64,
}

/// What came since somebody last asked.
pub(super) struct Since {
    pub(super) entries: Vec<SeenEntry>,
    pub(super) gap: Gap,
}

/// Whether anything is missing before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    Some,
}

/// One of them, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenEntry {
    pub(super) seq: u64,
    pub(super) record: Vec<u8>,
}

/// A page that went by.
#[derive(Clone)]
pub(super) struct KeptPage {
    /// Whole: what is shown may be cut.
    pub(super) url: Url,
    pub(super) shown: PageSeen,
}

#[derive(Default)]
struct Pages {
    held: VecDeque<KeptPage>,
    kept_at: Option<Instant>,
}

/// Entries: some seconds of a fast crawl, hours of a slow one.
const ENTRIES: usize = 4096;
const ENTRY_BYTES: usize = 1 << 20;

/// Pages kept, and what is kept of each.
const PAGES: usize = 50;
const TEXT_BYTES: usize = 3_000;
const LINKS: usize = 40;
const URL_BYTES: usize = 500;

/// More than four pages a second nobody reads.
const PAGE_EVERY: Duration = Duration::from_millis(250);

impl Seen {
    /// Entries from number `from` on.
    pub(super) fn since(&self, from: u64) -> Since {
        let seen = super::locked(&self.entries);
        let entries = seen.held.iter().filter(|entry| entry.seq >= from).cloned().collect();
        Since { entries, gap: if seen.whole_from > from { Gap::Some } else { Gap::None } }
    }

    /// The latest page first.
    pub(super) fn pages(&self) -> Vec<KeptPage> {
        super::locked(&self.pages).held.iter().rev().cloned().collect()
    }
}

impl Witness for Seen {
    fn committed(&self, first_seq: u64, entries: &[Entry]) {
        // Readers hold it for as long as it takes to copy what is new.
        let mut seen = super::locked(&self.entries);
        for (seq, entry) in (first_seq..).zip(entries) {
            if Record::is_of_ledger(&entry.record) {
                seen.push(SeenEntry { seq, record: entry.record.clone() });
            }
        }
    }

    fn digested(&self, digested: &Digested) {
        let Ok(mut pages) = self.pages.try_lock() else { return };
        pages.push(digested, instant());
    }
}

impl Entries {
    fn push(&mut self, entry: SeenEntry) {
        self.bytes += entry.record.len();
        self.held.push_back(entry);
        while self.held.len() > ENTRIES || self.bytes > ENTRY_BYTES {
            let Some(oldest) = self.held.pop_front() else { return };
            self.bytes -= oldest.record.len();
            self.whole_from = oldest.seq + 1;
        }
    }
}

impl Pages {
    fn push(&mut self, digested: &Digested, now: Instant) {
        let is_soon = self.kept_at.is_some_and(|at| now.duration_since(at) < PAGE_EVERY);
        let Some(row) = digested.row.as_ref().filter(|_| !is_soon) else { return };
        let Ok(url) = Url::parse(&row.url) else { return };
        self.kept_at = Some(now);
        if self.held.len() == PAGES {
            self.held.pop_front();
        }
        let links = &digested.parsed.links;
        let shown = PageSeen {
            fetched_ms: row.fetched.unix_ms(),
            url: beginning(&row.url, URL_BYTES),
            status: row.status,
            title: row.title.as_deref().map(|title| beginning(title, URL_BYTES)),
            language: row.language.clone(),
            depth: row.depth,
            text: beginning(&row.text, TEXT_BYTES),
            text_bytes: row.text.len() as u64,
            links: links.iter().take(LINKS).map(|Found { url, .. }| beginning(url, URL_BYTES)).collect(),
            links_found: links.len() as u64,
        };
        self.held.push_back(KeptPage { url, shown });
    }
}

/// So many bytes at most, in whole characters.
fn beginning(text: &str, bytes: usize) -> String {
    text[..text.floor_char_boundary(bytes)].to_owned()
}

#[expect(
    clippy::disallowed_methods,
    reason = "how often pages are kept is a matter of real time, and of no consequence"
)]
fn instant() -> Instant {
    Instant::now()
}
