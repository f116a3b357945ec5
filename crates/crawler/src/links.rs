use crate::exchange::Exchange;
use crate::machine::Seeds;
use crate::unfinished::Remainder;
use crate::{Action, Crawler, Found, Parsed, Record};
use frontier::limits::MAX_HOPS;
use frontier::{Admission, Discovery, Kind, Origin};
use weburl::{Url, Verdict};

impl Crawler {
    /// Asks for seeds when the last ones are durable: a million lines are a stream, not a list.
    pub(crate) fn ask_for_seeds(&mut self) {
        if self.seeds == Seeds::Wanted && self.outbox.is_idle() && self.is_running() {
            self.seeds = Seeds::Asked;
            self.actions.push_back(Action::MoreSeeds);
        }
    }

    pub(crate) fn seeded(&mut self, urls: &[Url]) {
        self.seeds = if urls.is_empty() { Seeds::Ended } else { Seeds::Wanted };
        let new = urls.iter().filter(|url| self.state(url).is_none_or(|state| state.depth() > 0));
        let in_scope = new.filter(|url| self.config.rules.scope.judge_seed(url) == Verdict::In);
        let seeds: Vec<Discovery> = in_scope.map(|url| self.seed(url)).collect();
        self.discover(seeds, &Origin::Seed);
    }

    fn seed(&self, url: &Url) -> Discovery {
        let key = self.config.rules.key(url);
        Discovery { url: url.as_str().to_owned(), key, depth: 0, hops: 0, kind: Kind::Page }
    }

    /// Hands captures that are durable to the parsers; while a checkpoint is due it does not, since parses are what
    /// fills the journal and a checkpoint waits for the last entry.
    pub(crate) fn parse(&mut self) {
        if self.checkpoint_is_due() {
            return;
        }
        let Self { unfinished, shards, actions, .. } = self;
        let depth_of = |entry: &Remainder| {
            shards[usize::from(entry.shard)].state(entry.key).map_or(0, frontier::UrlState::depth)
        };
        while let Some(job) = unfinished.next_job(depth_of) {
            actions.push_back(Action::Parse(job));
        }
    }

    pub(crate) fn parsed(&mut self, parsed: Parsed) {
        self.unfinished.parse_ended(parsed.capture, parsed.row);
        let Some(page) = self.unfinished.get(parsed.capture).filter(|page| page.wants.links).cloned() else {
            return;
        };
        let depth = self.shards[usize::from(page.shard)].state(page.key).map_or(0, frontier::UrlState::depth);
        let mut exchange = Exchange::default();
        for link in parsed.links {
            let shard = link.shard;
            if let Some(discovery) = self.discovery(link, &page, depth) {
                exchange.send(shard, discovery);
            }
        }
        for record in exchange.deliver(Some(parsed.capture), &Origin::Document(page.url)) {
            self.journal(record, None);
        }
        let Parsed { capture, out_of_scope, .. } = parsed;
        let out_of_scope = if page.again { Vec::new() } else { out_of_scope };
        self.journal(Record::Parsed { capture, out_of_scope }, None);
    }

    fn discovery(&self, link: Found, page: &Remainder, depth: u32) -> Option<Discovery> {
        let depth = depth + link.steps;
        let hops = if link.hops > 0 { page.hops.saturating_add(link.hops) } else { 0 };
        if self.config.depth.is_some_and(|limit| depth > limit) || hops > MAX_HOPS {
            return None;
        }
        let kind = link.kind;
        Some(Discovery { url: link.url, key: link.key, depth, hops, kind })
    }

    /// Sends what no capture has told to the shards that own it.
    pub(crate) fn discover(&mut self, discoveries: Vec<Discovery>, origin: &Origin) {
        let mut exchange = Exchange::default();
        for discovery in discoveries {
            if let Ok(url) = Url::parse(&discovery.url) {
                exchange.send(self.shard_of(&url), discovery);
            }
        }
        for record in exchange.deliver(None, origin) {
            self.journal(record, None);
        }
    }

    pub(crate) fn apply_received(&mut self, shard: u8, origin: &Origin, discoveries: &[Discovery]) {
        for discovery in discoveries {
            let admission = self.shard(shard).admit(discovery, origin);
            if let Admission::Shallower { capture: Some(capture) } = admission {
                self.unfinished.derive_again(capture);
            }
        }
        self.reschedule(shard);
    }

    pub(crate) fn rows_closed(&mut self, captures: Vec<(u64, u64)>) {
        self.journal(Record::Rows { captures }, None);
    }
}
