use crate::orders::Order;
use crate::scope::Rereading;
use crate::{Action, Crawler, Operator, OrderId, Record};
use control::limits::{BOUND, NAMES, PATTERNS, RETRIES, SEEDS, SEEDS_KEPT};
use control::{Bound, Changes, Command, Effect, Receipt, Refusal, Selection, Setting, Target};
use frontier::{Frontier, Origin, Result, Stop};
use stdx::Timestamp;
use weburl::{Scope, Url, UrlError, Verdict};

/// A command that is done: its answer waits until the journal has it.
#[derive(Debug)]
pub(crate) struct Owed {
    order: OrderId,
    /// The last entry that must be durable.
    last: u64,
    receipt: Receipt,
}

/// What operators say while a crawl runs: judged, journaled, applied, and answered when it is durable.
impl Crawler {
    pub(crate) fn ordered(&mut self, now: Timestamp, order: OrderId, command: Command) -> Result<()> {
        self.orders.note_retrying(self.shards.reviving());
        if let Err(refusal) = self.judge_command(&command) {
            self.actions.push_back(Action::Answer { order, answer: Err(refusal) });
            return Ok(());
        }
        let entry = self.outbox.next_seq;
        let effect = self.obey_command(now, command)?;
        let last = self.outbox.next_seq - 1;
        self.owed.push_back(Owed { order, last, receipt: Receipt { entry, effect } });
        Ok(())
    }

    /// Answers what is durable now.
    pub(crate) fn answer(&mut self, durable: u64) {
        while let Some(owed) = self.owed.pop_front_if(|owed| owed.last <= durable) {
            self.actions.push_back(Action::Answer { order: owed.order, answer: Ok(owed.receipt) });
        }
    }

    fn judge_command(&self, command: &Command) -> std::result::Result<(), Refusal> {
        if !self.is_listening() {
            return Err(Refusal::Ending);
        }
        match command {
            Command::Pause | Command::Resume | Command::Stop => Ok(()),
            Command::Exclude(target) | Command::Takedown(target) => {
                self.must_be_alone(command)?;
                target.check().map_err(|error| Refusal::Malformed { reason: error.to_string() })?;
                self.must_have_room(target)
            }
            Command::Readmit(target) => {
                self.must_be_alone(command)?;
                let excluded = self.orders.excludes(target);
                excluded.map(drop).ok_or_else(|| Refusal::NotExcluded { target: target.clone() })
            }
            Command::Set(changes) => self.judge_changes(command, changes),
            Command::Seeds(seeds) => self.judge_seeds(command, seeds),
            Command::Retry(_) => at_most("retries that are under way", self.orders.retries() + 1, RETRIES),
        }
    }

    /// What would have to hold on all nodes can't be ordered of one.
    fn must_be_alone(&self, command: &Command) -> std::result::Result<(), Refusal> {
        if self.config.placement.is_alone() {
            return Ok(());
        }
        Err(Refusal::ManyNodes { command: command.name().to_owned() })
    }

    fn must_have_room(&self, target: &Target) -> std::result::Result<(), Refusal> {
        let (what, most) = match target {
            Target::Host(_) | Target::Domain(_) => ("excluded hosts and domains", NAMES),
            Target::Pattern(_) => ("excluded patterns", PATTERNS),
        };
        at_most(what, self.orders.excluded_like(target) + 1, most)
    }

    fn judge_changes(&self, command: &Command, changes: &Changes) -> std::result::Result<(), Refusal> {
        if changes.is_empty() {
            return Err(Refusal::NoChange);
        }
        if changes.concerns_delays() {
            self.must_be_alone(command)?;
        }
        if changes.scope.is_some() {
            return Err(Refusal::OnlyAtStart { setting: Setting::Scope });
        }
        if changes.depth.is_some() {
            return Err(Refusal::OnlyAtStart { setting: Setting::Depth });
        }
        if changes.limit == Some(Bound::AtMost(0)) {
            return Err(Refusal::TooLittle { what: "limit".to_owned(), least: 1 });
        }
        let bounds = [changes.limit, changes.size_limit, changes.time_limit_ms];
        let most = bounds.into_iter().flatten().filter_map(Bound::most).max();
        at_most("pages, bytes or milliseconds", most.unwrap_or(0) as usize, BOUND as usize)?;
        match changes.concurrency {
            None => Ok(()),
            Some(0) => Err(Refusal::TooLittle { what: Setting::Concurrency.to_string(), least: 1 }),
            Some(slots) => at_most("requests at once", slots as usize, self.config.concurrency),
        }
    }

    /// Seeds widen every scope but one, which must be the same on all nodes.
    fn judge_seeds(&self, command: &Command, seeds: &[String]) -> std::result::Result<(), Refusal> {
        if self.config.rules.scope.scope() != Scope::Any {
            self.must_be_alone(command)?;
        }
        at_most("seeds", seeds.len(), SEEDS)?;
        at_most("seeds by commands", seeds.len() + self.orders.seeds().len(), SEEDS_KEPT)?;
        seeds.iter().try_for_each(|seed| self.judge_seed(seed))
    }

    fn judge_seed(&self, seed: &str) -> std::result::Result<(), Refusal> {
        let bad = |error: UrlError| {
            let reason = match error {
                UrlError::Malformed { reason, .. } => reason,
                error => error.to_string(),
            };
            Refusal::BadSeed { seed: seed.to_owned(), reason }
        };
        let url = Url::parse(seed).map_err(bad)?;
        match self.config.rules.scope.home_left_for(&url) {
            Some(home) if self.config.operator == Operator::Nameless => {
                Err(Refusal::NoContact { seed: seed.to_owned(), home: home.to_owned() })
            }
            _ => Ok(()),
        }
    }

    fn obey_command(&mut self, at: Timestamp, command: Command) -> Result<Effect> {
        let effect = self.effect_of(&command);
        let instead_of = match &command {
            Command::Set(changes) => changes.same_of(&self.told),
            _ => Changes::default(),
        };
        self.journal(Record::Control { at, command: command.clone(), instead_of }, None)?;
        match command {
            Command::Stop => self.drain(),
            Command::Set(changes) if changes.concerns_delays() => self.keep_away(at)?,
            Command::Seeds(seeds) => return self.begin_at(&seeds),
            _ => {}
        }
        Ok(effect)
    }

    /// What a command does, as it is told before it is done.
    fn effect_of(&self, command: &Command) -> Effect {
        let is_so = match command {
            Command::Pause => self.orders.paused,
            Command::Resume => !self.orders.paused,
            Command::Exclude(target) => self.orders.excludes(target).is_some(),
            Command::Takedown(target) => self.orders.withholds(target).is_some(),
            _ => false,
        };
        match command {
            _ if is_so => Effect::AlreadySo,
            Command::Readmit(_) => Effect::Rereading,
            Command::Takedown(_) => Effect::Withheld,
            Command::Retry(_) => Effect::Retrying { parked: self.parked(), refused: self.refused() },
            _ => Effect::Done,
        }
    }

    /// Delays that change hold from now on for whoever was contacted before: all are left alone for the new ones, and who has its turn
    /// and waits for a server or a group loses it.
    fn keep_away(&mut self, now: Timestamp) -> Result<()> {
        self.let_go_of_kept()?;
        for who in self.servers.dismiss().into_iter().chain(self.groups.dismiss()) {
            self.shards.get(who.shard)?.not_begun(who.host, None);
        }
        self.servers.restart(now, self.lease_ms());
        self.shards.keep_away(now);
        self.make_promise(now, Stop::Clean)
    }

    /// Seeds given later are discoveries as seeds are.
    fn begin_at(&mut self, seeds: &[String]) -> Result<Effect> {
        let urls: Vec<Url> = seeds.iter().filter_map(|seed| Url::parse(seed).ok()).collect();
        let is_in = |url: &&Url| self.config.rules.scope.judge_seed(url) == Verdict::In;
        let taken: Vec<_> = urls.iter().filter(is_in).map(|url| self.seed(url)).collect();
        let excluded = (urls.len() - taken.len()) as u64;
        let effect = Effect::Seeded { taken: taken.len() as u64, excluded };
        self.discover(taken, &Origin::Seed)?;
        Ok(effect)
    }

    /// Whether these seeds bring in what was out of scope. A replay knows less of the seeds there were before, and may say so of more.
    pub(crate) fn is_widened_by(&self, seeds: &[String]) -> bool {
        let scope = &self.config.rules.scope;
        let mut new = seeds.iter().filter(|seed| !self.orders.seeds().contains(*seed));
        new.any(|seed| Url::parse(seed).is_ok_and(|url| !scope.covers(&url)))
    }

    fn retry(&mut self, selection: Selection, order: Order) {
        self.orders.retry(selection, order);
        if let Some(revival) = self.orders.revival(order.entry) {
            self.shards.revive(&revival);
        }
    }

    fn parked(&self) -> u64 {
        self.shards.iter().map(Frontier::parked).sum()
    }

    fn refused(&self) -> u64 {
        self.shards.iter().map(Frontier::refused).sum()
    }

    /// What a command changes durably; live, and in a replay, where [`Crawler::obey`] follows.
    pub(crate) fn apply_command(&mut self, order: Order, command: Command, was: &Changes) -> Result<()> {
        let widens = match &command {
            Command::Readmit(_) => true,
            Command::Seeds(seeds) => self.is_widened_by(seeds),
            _ => false,
        };
        match command {
            Command::Pause => self.orders.paused = true,
            Command::Resume => {
                self.orders.paused = false;
                self.uplink.reset();
            }
            Command::Stop => {}
            Command::Retry(selection) => self.retry(selection, order),
            Command::Exclude(target) => self.orders.exclude(target, order),
            Command::Readmit(target) => self.orders.readmit(&target),
            Command::Takedown(target) => self.orders.withhold(target, order),
            Command::Set(changes) => self.orders.set(changes, *was),
            Command::Seeds(seeds) => self.orders.add_seeds(seeds, widens),
        }
        if !self.shards.are_recovered() {
            return Ok(());
        }
        if widens && self.orders.wants_rereading() {
            self.rereading = Rereading::Owed;
        }
        self.adopt_settings();
        self.adopt_rules()
    }
}

fn at_most(what: &str, asked: usize, most: usize) -> std::result::Result<(), Refusal> {
    if asked <= most {
        return Ok(());
    }
    Err(Refusal::TooMuch { what: what.to_owned(), asked: asked as u64, most: most as u64 })
}
