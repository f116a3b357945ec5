use crate::exchange::Exchange;
use crate::machine::Seeds;
use crate::shards::Shards;
use crate::unfinished::Remainder;
use crate::vote::voted;
use crate::{Action, Crawler, Discoveries, Found, FoundLinks, Parsed, Record, Says};
use frontier::limits::MAX_HOPS;
use frontier::{CaptureSeq, Discovered, Discovery, Kind, Origin, Result};
use std::hint::black_box;
use weburl::{KeyHash, Url, Verdict};

impl Crawler {
    /// Asks for seeds when the last ones are durable, whatever else is on its way to the journal: a million lines are a stream,
    /// not a list.
    pub(crate) fn ask_for_seeds(&mut self) {
        let Seeds::Wanted(last) = self.seeds else { return };
        let has_room = self.outbox.is_durable(last) && !self.shards.are_congested();
        if has_room && self.is_running() {
            self.seeds = Seeds::Asked;
            self.actions.push_back(Action::MoreSeeds);
        }
    }

    pub(crate) fn seeded(&mut self, urls: &[Url]) -> Result<()> {
        let in_scope = urls.iter().filter(|url| self.config.rules.scope.judge_seed(url) == Verdict::In);
        let seeds: Vec<Discovery> = in_scope.map(|url| self.seed(url)).collect();
        self.discover(seeds, &Origin::Seed)?;
        self.seeds = if urls.is_empty() { Seeds::Ended } else { Seeds::Wanted(self.outbox.next_seq - 1) };
        Ok(())
    }

    pub(crate) fn seed(&self, url: &Url) -> Discovery {
        let key = self.config.rules.key(url);
        Discovery { url: url.as_str().to_owned(), key, depth: 0, hops: 0, kind: Kind::Page }
    }

    /// Hands captures that are durable to the parsers; while a checkpoint is due it does not, since parses are what
    /// fills the journal and a checkpoint waits for the last entry, nor while links wait for a slow disk.
    pub(crate) fn parse(&mut self) {
        if self.checkpoint_is_due() || self.outbox.waiting_bytes() > self.config.link_bytes {
            return;
        }
        while let Some(job) = self.unfinished.next_job(self.config.parses, &self.config.rules) {
            self.actions.push_back(Action::Parse(job));
        }
    }

    /// Takes in what pages that have been parsed give, while the shards that their links belong to have room. A page whose own
    /// host is in the hands of a job waits for its end, and nobody for the page.
    pub(crate) fn take_in_links(&mut self) -> Result<()> {
        while !self.shards.are_congested()
            && let Some(parsed) = self.parsed.pop_front()
        {
            match working_on(&self.shards, &parsed) {
                Some(shard) => self.held_up.entry(shard).or_default().push(parsed),
                None => self.parsed(parsed)?,
            }
        }
        Ok(())
    }

    fn parsed(&mut self, parsed: Parsed) -> Result<()> {
        let Parsed { capture, url, says, links, mut out_of_scope, row, lost } = parsed;
        let asked = self.unfinished.parse_ended(capture, row);
        if let Some(page) = lost {
            return self.lose(capture, page);
        }
        let wanted = |page: &&Remainder| asked.links && page.wants.links;
        let Some(page) = self.unfinished.get(capture).filter(wanted).cloned() else {
            return Ok(());
        };
        let vote = says.as_ref().and_then(|says| voted(capture, says.shard, &links));
        if let Some(link) = vote.and_then(|vote| links.iter().nth(vote)) {
            self.vote(capture, link, &page, &Origin::Voted(url.clone()))?;
        }
        let origin = if page.kind == Kind::Sitemap { Origin::Sitemap(url) } else { Origin::Document(url) };
        let paths = self.paths_to_news(&links, vote, &page)?;
        let mut exchange = Exchange::with_capacity(links.len(), links.url_bytes());
        for (link, path) in links.iter().zip(paths) {
            if let Some(path) = path {
                exchange.send(link.shard, path.discovery(link));
            }
        }
        self.deliver(exchange, Some(capture), &origin)?;
        out_of_scope.extend(beyond_redirects(&links, &page));
        let (says, out_of_scope) = if page.again { (None, Vec::new()) } else { (says, out_of_scope) };
        self.journal(Record::Parsed { capture, says, out_of_scope }, None)
    }

    /// Sends a page's vote, whether or not the URL is news.
    fn vote(
        &mut self,
        capture: CaptureSeq,
        link: Found<'_>,
        page: &Remainder,
        origin: &Origin,
    ) -> Result<()> {
        let mut exchange = Exchange::default();
        if let Some(path) = self.path_to(link, page) {
            exchange.send(link.shard, path.discovery(link));
        }
        self.deliver(exchange, Some(capture), origin)
    }

    pub(crate) fn apply_says(&mut self, says: &Says) -> Result<()> {
        self.shards.get(says.shard)?.apply_yield(&says.url, says.gave)?;
        self.shards.settle(says.shard);
        Ok(())
    }

    /// The paths to those of the links of a page, but for its vote, that are news. All of them before anything is done with the
    /// first, and all asked for before the first is looked at: looks into what is remembered then wait for memory together.
    fn paths_to_news(
        &mut self,
        links: &FoundLinks,
        vote: Option<usize>,
        page: &Remainder,
    ) -> Result<Vec<Option<PathTo>>> {
        black_box(links.iter().fold(0, |sum, link| sum ^ self.warm(link, page)));
        let mut paths = Vec::with_capacity(links.len());
        for (nth, link) in links.iter().enumerate() {
            let path = self.path_to(link, page).filter(|_| vote != Some(nth));
            paths.push(match path {
                Some(path) if !self.is_no_news(link.shard, link.key, path.depth)? => Some(path),
                _ => None,
            });
        }
        Ok(paths)
    }

    fn warm(&self, link: Found<'_>, page: &Remainder) -> u8 {
        let shard = self.shards.if_open(link.shard);
        shard.map_or(0, |shard| shard.warm(link.key, page.depth + link.steps))
    }

    /// The path by which a page leads to a link, if it is not too long.
    fn path_to(&self, link: Found<'_>, page: &Remainder) -> Option<PathTo> {
        let depth = page.depth + link.steps;
        let hops = if link.hops > 0 { page.hops.saturating_add(link.hops) } else { 0 };
        if self.config.depth.is_some_and(|limit| depth > limit) || hops > MAX_HOPS {
            return None;
        }
        Some(PathTo { depth, hops })
    }

    /// Sends what no capture has told to the shards that own it.
    pub(crate) fn discover(&mut self, discoveries: Vec<Discovery>, origin: &Origin) -> Result<()> {
        let mut exchange = Exchange::default();
        for discovery in discoveries {
            if let Ok(url) = Url::parse(&discovery.url) {
                exchange.send(self.shard_of(&url), (&discovery).into());
            }
        }
        self.deliver(exchange, None, origin)
    }

    pub(crate) fn deliver(
        &mut self,
        exchange: Exchange,
        from: Option<CaptureSeq>,
        origin: &Origin,
    ) -> Result<()> {
        let batches = exchange.deliver(|shard| self.config.placement.owns_shard(shard));
        batches.into_iter().try_for_each(|discoveries| {
            let record = self.addressed(discoveries, from, origin.clone());
            self.journal(record, None)
        })
    }

    /// What is for a shard of another node goes to that node.
    fn addressed(&self, discoveries: Discoveries, from: Option<CaptureSeq>, origin: Origin) -> Record {
        let placement = &self.config.placement;
        let abroad = discoveries.by_shard().next().filter(|first| !placement.owns_shard(first.shard));
        let Some(abroad) = abroad else { return Record::Discovered { from, origin, discoveries } };
        let (shard, to) = (abroad.shard, placement.owner_of_shard(abroad.shard));
        let number = self.peers.exchange.next_number(to);
        let discoveries = abroad.iter().map(Discovery::from).collect();
        Record::Sent { to, number, shard, origin, discoveries }
    }

    /// Whether the journal has a discovery already, as far as that is remembered.
    pub(crate) fn is_no_news(&mut self, shard: u8, key: KeyHash, depth: u32) -> Result<bool> {
        if !self.config.placement.owns_shard(shard) {
            return Ok(self.peers.sent_lately(key, depth));
        }
        Ok(self.shards.get(shard)?.seen_lately(key, depth))
    }

    pub(crate) fn admit_all(&mut self, origin: &Origin, discoveries: &Discoveries) -> Result<()> {
        discoveries.by_shard().try_for_each(|batch| self.admit(batch.shard, origin, batch.iter()))
    }

    /// A shard takes in what is for it.
    pub(crate) fn admit<'a>(
        &mut self,
        shard: u8,
        origin: &Origin,
        discoveries: impl IntoIterator<Item: Into<Discovered<'a>>>,
    ) -> Result<()> {
        self.shards.get(shard)?.admit(discoveries, origin)?;
        self.shards.settle(shard);
        Ok(())
    }

    pub(crate) fn rows_closed(&mut self, captures: Vec<(u64, u64)>) -> Result<()> {
        self.journal(Record::Rows { captures }, None)
    }
}

/// How a page leads to a URL.
struct PathTo {
    depth: u32,
    hops: u8,
}

impl PathTo {
    fn discovery(self, link: Found<'_>) -> Discovered<'_> {
        let Found { url, key, kind, .. } = link;
        Discovered { url, key, depth: self.depth, hops: self.hops, kind }
    }
}

/// The shard whose job has the page's host in its hands.
fn working_on(shards: &Shards, parsed: &Parsed) -> Option<u8> {
    let Says { shard, url, .. } = parsed.says.as_ref()?;
    shards.if_open(*shard)?.has_in_hands(url).then_some(*shard)
}

/// That a redirect is not followed since there are too many before it, as links out of scope are counted.
fn beyond_redirects(links: &FoundLinks, page: &Remainder) -> Option<(String, u64)> {
    let is_one = links.iter().any(|link| link.hops > 0 && page.hops.saturating_add(link.hops) > MAX_HOPS);
    is_one.then(|| (format!("redirect behind {MAX_HOPS} others"), 1))
}
