//! Links of a page that are taken in, and those that are left aside.

use super::Digested;
use crate::{Found, FoundLinks, ParseJob, Parsed, Rules, Says};
use corpus::Row;
use frontier::{Kind, Yield};
use page::{Link, LinkKind};
use std::collections::BTreeMap;
use std::fmt::Display;
use stdx::Set;
use weburl::{KeyHash, Url, Verdict};

/// As links out of scope are counted: an operator sees why a crawl ends where it does.
const NOFOLLOW: &str = "a page that says nofollow";

/// The same.
const EDITOR: &str = "where a page is changed";

/// How a discovery is reached from the page it was found on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Redirect,
    Link,
}

/// What a parse finds, and what is left aside of it.
pub(super) struct Links<'a> {
    rules: &'a Rules,
    found: FoundLinks,
    known: Set<u64>,
    /// What is out of scope in the form that it was found in; another form of it may not be.
    left_out: Set<u64>,
    out_of_scope: BTreeMap<String, u64>,
    /// Bytes of URLs that may still be found.
    room: u64,
    /// Where keys are put together.
    key: String,
    /// The host whose shard was asked for last: most links lead to the same one.
    host: String,
    shard: u8,
}

impl<'a> Links<'a> {
    pub(super) fn new(rules: &'a Rules, room: u64) -> Self {
        let (host, shard) = (String::new(), rules.shard(""));
        let (found, known, left_out, key, out_of_scope) = Default::default();
        Self { rules, found, known, left_out, out_of_scope, room, key, host, shard }
    }

    /// Makes room for the links of a page.
    fn expect(&mut self, links: &[Link]) {
        let url_bytes = links.iter().map(|link| link.url.as_str().len()).sum();
        self.found.reserve(links.len(), url_bytes);
        self.known.reserve(links.len());
    }

    pub(super) fn add(&mut self, url: &Url, step: Step, kind: Kind) {
        let key = self.rules.key_in(url, &mut self.key);
        if self.known.contains(&key.0) {
            return;
        }
        if let Verdict::Out(rule) = self.rules.scope.judge(url) {
            return self.count_out(key, rule);
        }
        self.known.insert(key.0);
        let Some(room) = self.room.checked_sub(url.as_str().len() as u64) else { return };
        self.room = room;
        let (steps, hops) = if step == Step::Redirect { (0, 1) } else { (1, 0) };
        let shard = self.shard_of(url);
        self.found.push(Found { url: url.as_str(), key, shard, steps, hops, kind });
    }

    /// Takes in the links of a page; if they may not be followed, they are only counted.
    pub(super) fn take_in(&mut self, links: Vec<Link>, may_follow: bool) {
        self.expect(&links);
        self.leave_editors_aside(&links);
        for link in links.into_iter().filter(Link::is_page_link) {
            if may_follow {
                self.add(&link.url, Step::Link, Kind::Page);
            } else {
                let key = self.rules.key_in(&link.url, &mut self.key);
                self.count_out(key, NOFOLLOW);
            }
        }
    }

    fn count_out(&mut self, key: KeyHash, rule: impl Display) {
        if self.left_out.insert(key.0) {
            *self.out_of_scope.entry(rule.to_string()).or_default() += 1;
        }
    }

    /// Who asks for the form that a page is changed by may lock the page. Other links of the page lead there too.
    fn leave_editors_aside(&mut self, links: &[Link]) {
        for link in links.iter().filter(|link| link.kind == LinkKind::Edit) {
            let key = self.rules.key_in(&link.url, &mut self.key);
            self.known.insert(key.0);
            self.count_out(key, EDITOR);
        }
    }

    /// Whether a page is another form of one of its own host, with or without `www.`. One that goes by a URL elsewhere may have moved, or
    /// say so by mistake.
    pub(super) fn is_form_of(&mut self, canonical: &Url, page: &Url) -> bool {
        without_www(canonical.host()) == without_www(page.host())
            && canonical.request_target() != page.request_target()
            && self.rules.key_in(canonical, &mut self.key) != self.rules.key_in(page, &mut self.key)
    }

    fn shard_of(&mut self, url: &Url) -> u8 {
        if self.host != url.host() {
            url.host().clone_into(&mut self.host);
            self.shard = self.rules.shard(&self.host);
        }
        self.shard
    }

    pub(super) fn into_digested(
        self,
        job: &ParseJob,
        page: &Url,
        gave: Option<Yield>,
        row: Option<Row>,
    ) -> Digested {
        let url = page.as_str().to_owned();
        let says = gave.map(|gave| Says { shard: self.rules.shard(page.host()), url: url.clone(), gave });
        let parsed = Parsed {
            capture: job.capture,
            url,
            says,
            links: self.found,
            out_of_scope: self.out_of_scope.into_iter().collect(),
            row: row.is_some(),
            lost: None,
        };
        Digested { parsed, row }
    }
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}
