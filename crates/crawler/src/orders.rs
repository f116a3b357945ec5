use crate::{CrawlConfig, Crawler, Rules};
use control::{Bound, Changes, Selection, Stage, Takedown, Takedowns, Target};
use frontier::{Result, Revival};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Bans, Url};

/// What operators have said, as far as it holds: part of a checkpoint, and the journal says the rest again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) paused: bool,
    excluded: BTreeMap<Target, Order>,
    /// Of these, the ones of which nothing may leave the crawl either.
    withheld: BTreeMap<Target, Order>,
    /// Seeds given since the crawl began: scopes depend on them.
    seeds: BTreeSet<String>,
    /// Of what was ever set, what the last run went by at its end.
    pub(crate) set: Changes,
    /// What the configuration said of the same settings at that time.
    instead_of: Changes,
    /// Parked URLs that are being put back, by the entry of the order.
    retries: BTreeMap<u64, Selection>,
    /// Which of them which shards are not done with, oldest first.
    retrying: Vec<(u8, u64)>,
    /// Rules have become wider, and what was left aside before has not been found again.
    rereading: bool,
    /// The files hold nothing of what was withheld up to this entry. Stands behind the rest of a checkpoint.
    #[serde(skip)]
    pub(crate) purged_through: u64,
}

/// When something was ordered, and where the journal has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The entry.
    pub entry: u64,
    /// When.
    pub at: Timestamp,
}

impl Orders {
    pub(crate) fn exclude(&mut self, target: Target, order: Order) {
        self.excluded.entry(target).or_insert(order);
    }

    pub(crate) fn withhold(&mut self, target: Target, order: Order) {
        self.withheld.entry(target.clone()).or_insert(order);
        self.exclude(target, order);
    }

    /// It may be contacted again, and what was withheld leaves the crawl again, as far as it is there.
    pub(crate) fn readmit(&mut self, target: &Target) {
        self.rereading |= self.excluded.remove(target).is_some();
        self.withheld.remove(target);
    }

    pub(crate) fn purged(&mut self, through: u64) {
        self.purged_through = self.purged_through.max(through);
    }

    /// What has been taken down.
    pub(crate) fn takedowns(&self) -> Takedowns {
        let takedown = |(target, order): (&Target, &Order)| Takedown {
            entry: order.entry,
            at: order.at,
            target: target.clone(),
            stage: if order.entry <= self.purged_through { Stage::Purged } else { Stage::Withheld },
        };
        self.withheld.iter().map(takedown).collect()
    }

    pub(crate) fn excludes(&self, target: &Target) -> Option<Order> {
        self.excluded.get(target).copied()
    }

    /// The order behind what is excluded under this text.
    pub(crate) fn order_of(&self, target: &str) -> Option<Order> {
        let named = self.excluded.iter().find(|(excluded, _)| excluded.to_string() == target);
        named.map(|(_, order)| *order)
    }

    pub(crate) fn withholds(&self, target: &Target) -> Option<Order> {
        self.withheld.get(target).copied()
    }

    /// Hosts and domains, or expressions, that are excluded: as many of the kind of this target.
    pub(crate) fn excluded_like(&self, target: &Target) -> usize {
        let is_pattern = |target: &Target| matches!(target, Target::Pattern(_));
        self.excluded.keys().filter(|other| is_pattern(other) == is_pattern(target)).count()
    }

    /// Links to what they bring in, where they do, are found again.
    pub(crate) fn add_seeds(&mut self, seeds: Vec<String>, widen: bool) {
        self.seeds.extend(seeds);
        self.rereading |= widen;
    }

    pub(crate) fn seeds(&self) -> &BTreeSet<String> {
        &self.seeds
    }

    /// Settings change; where they are set to what the configuration says, nothing holds any more.
    pub(crate) fn set(&mut self, changes: Changes, instead_of: Changes) {
        self.set = self.set.overlaid(changes);
        self.instead_of = self.instead_of.overlaid(instead_of);
    }

    /// What has been set and holds beside a configuration that says this.
    pub(crate) fn settings(&self, told: &Changes) -> Changes {
        self.set.holding(&self.instead_of, told)
    }

    /// How many retries have not been done everywhere, as far as [`Orders::note_retrying`] was told.
    pub(crate) fn retries(&self) -> usize {
        self.retries.len()
    }

    pub(crate) fn retry(&mut self, selection: Selection, order: Order) {
        self.retries.insert(order.entry, selection);
    }

    /// What shards are not done with: the others are over.
    pub(crate) fn note_retrying(&mut self, retrying: Vec<(u8, u64)>) {
        self.retries.retain(|entry, _| retrying.iter().any(|(_, of)| of == entry));
        self.retrying = retrying;
    }

    /// What each shard is to go on with after a restart.
    pub(crate) fn retrying(&self) -> impl Iterator<Item = (u8, Revival)> {
        self.retrying.iter().filter_map(|(shard, entry)| Some((*shard, self.revival(*entry)?)))
    }

    pub(crate) fn revival(&self, entry: u64) -> Option<Revival> {
        let of = match self.retries.get(&entry)? {
            Selection::All => None,
            Selection::Target(target) => {
                let mut bans = Bans::default();
                target.ban(&mut bans);
                Some(Arc::new(bans))
            }
        };
        Some(Revival { number: entry, of })
    }

    pub(crate) fn wants_rereading(&self) -> bool {
        self.rereading
    }

    pub(crate) fn have_been_reread(&mut self) {
        self.rereading = false;
    }

    fn change_rules(&self) -> bool {
        !self.excluded.is_empty() || !self.seeds.is_empty()
    }

    fn bans(&self) -> Bans {
        let mut bans = Bans::default();
        self.excluded.keys().for_each(|target| target.ban(&mut bans));
        bans
    }
}

/// What a configuration says of the settings that commands may change.
pub(crate) fn told(config: &CrawlConfig) -> Changes {
    let bound = |limit: Option<u64>| Some(Bound::from(limit));
    Changes {
        delay_ms: Some(config.frontier.delay.host_ms),
        ip_delay_ms: Some(config.server_delay_ms),
        domain_delay_ms: Some(config.frontier.delay.group_ms),
        concurrency: Some(config.concurrency as u64),
        limit: bound(config.limit),
        size_limit: bound(config.size_limit),
        time_limit_ms: bound(config.time_limit_ms),
        depth: bound(config.depth.map(u64::from)),
        scope: Some(config.rules.scope.scope()),
    }
}

impl Crawler {
    /// What operators have said before is obeyed from the start of a run. Where the configuration has been changed since, that
    /// is newer than what was set.
    pub(crate) fn obey(&mut self, now: Timestamp) -> Result<()> {
        let outdated = self.orders.outdated(&self.told);
        if !outdated.is_empty() {
            let told = outdated.same_of(&self.told);
            let command = control::Command::Set(told);
            self.journal(crate::Record::Control { at: now, command, instead_of: told }, None)?;
        }
        self.adopt_settings();
        self.adopt_rules()
    }

    /// Goes by the settings that hold now.
    pub(crate) fn adopt_settings(&mut self) {
        let set = self.told.overlaid(self.orders.settings(&self.told));
        let config = &mut self.config;
        let most = |bound: Option<Bound>| bound.and_then(Bound::most);
        config.limit = most(set.limit);
        config.size_limit = most(set.size_limit);
        config.time_limit_ms = most(set.time_limit_ms);
        config.server_delay_ms = set.ip_delay_ms.unwrap_or(config.server_delay_ms);
        let delay = &mut config.frontier.delay;
        delay.host_ms = set.delay_ms.unwrap_or(delay.host_ms);
        delay.group_ms = set.domain_delay_ms.unwrap_or(delay.group_ms);
        self.slots =
            set.concurrency.map_or(config.concurrency, |slots| config.concurrency.min(slots as usize));
        self.servers.set_delay(config.server_delay_ms);
        self.shards.set_delay(config.frontier.delay);
    }

    /// Goes by what is excluded now and by the seeds there are now. Whoever parses a page gets the rules with it.
    pub(crate) fn adopt_rules(&mut self) -> Result<()> {
        let old = self.config.rules.clone();
        if !self.orders.change_rules() && old.scope.bans().is_empty() {
            return Ok(());
        }
        let mut scope = old.scope.clone();
        scope.set_bans(self.orders.bans());
        for seed in self.orders.seeds() {
            if let Ok(url) = Url::parse(seed) {
                scope.add_seed(&url);
            }
        }
        self.config.rules = Arc::new(Rules { scope, folding: old.folding, seed: old.seed });
        let before = std::mem::replace(&mut self.fingerprint, self.config.fingerprint());
        if self.fingerprint != before {
            self.unfinished.ask_again();
        }
        self.shards.adopt(&self.config)
    }
}

impl Orders {
    /// What was set while the configuration said something else than it says now.
    fn outdated(&self, told: &Changes) -> Changes {
        self.set.without(&self.settings(told))
    }
}
