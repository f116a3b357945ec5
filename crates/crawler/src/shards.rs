use crate::CrawlConfig;
use crate::agenda::{Agenda, Appointment};
use crate::apportion::apportion;
use crate::front_queues::FrontQueues;
use crate::limits::{GUEST_SHARE, JOBS_AT_ONCE, NAMES_AHEAD, REVIEW_MS, SHARDS};
use crate::scope::ScopeJudge;
use cluster::Placement;
use disk::SharedDisk;
use frontier::{
    BudgetFunction, Class, DelayPolicy, Frontier, FrontierConfig, FrontierState, Hunger, InDegrees, JobsDue,
    Judge, Paths, Ranking, Result, Revival, ShardJob, Star, Stop,
};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::{Step, Timestamp, Watch};

/// Where shards keep their files, below the crawl's root: a directory each.
pub(crate) const FRONTIER_DIR: &str = "state/frontier";

/// The shards of a node (256 a crawl, from the first format on; a laptop holds them all), each opened when something
/// first concerns it, and what each of them wants next.
pub(crate) struct Shards {
    disk: SharedDisk,
    config: FrontierConfig,
    judge: Arc<dyn Judge>,
    frontiers: [Option<Box<Frontier>>; SHARDS],
    /// What a shard that is opened from now on is told first.
    not_before: Timestamp,
    recovered: Option<Recovered>,
    front_queues: FrontQueues,
    jobs_fed: Agenda,
    jobs_hungry: Agenda,
    jobs_starving: Agenda,
    /// Shards for which so much waits that nothing more may be discovered.
    congested: BTreeSet<u8>,
    /// Names that will be needed.
    newcomers: VecDeque<String>,
    /// Shards with a job under way.
    working: BTreeSet<u8>,
    /// Shards that are in the checkpoint being written.
    in_checkpoint: Vec<u8>,
    ranking: Ranking,
    /// When domains are to be ranked, and memory shared, next.
    review_at: Timestamp,
}

/// How and when recovery ended.
#[derive(Debug, Clone, Copy)]
struct Recovered {
    after: Stop,
    at: Timestamp,
}

impl Shards {
    pub(crate) fn new(disk: SharedDisk, config: &CrawlConfig) -> Self {
        let paths = if config.depth.is_some() { Paths::Shortest } else { Paths::Any };
        let star = share_of(config.frontier.star, &config.placement);
        Self {
            disk,
            config: FrontierConfig { paths, star, ..config.frontier },
            judge: Arc::new(ScopeJudge::new(config)),
            frontiers: std::array::from_fn(|_| None),
            not_before: Timestamp::ZERO,
            recovered: None,
            front_queues: FrontQueues::new(config.frontier.seed),
            jobs_fed: Agenda::new(),
            jobs_hungry: Agenda::new(),
            jobs_starving: Agenda::new(),
            congested: BTreeSet::new(),
            newcomers: VecDeque::new(),
            working: BTreeSet::new(),
            in_checkpoint: Vec::new(),
            ranking: Ranking::default(),
            review_at: Timestamp::ZERO,
        }
    }

    /// Where everything of the crawl is.
    pub(crate) fn disk(&self) -> &SharedDisk {
        &self.disk
    }

    /// A shard as a checkpoint has it.
    pub(crate) fn load(&mut self, shard: u8, state: &FrontierState) -> Result<()> {
        let frontier = self.open(shard, Some(state))?;
        self.frontiers[usize::from(shard)] = Some(Box::new(frontier));
        self.share_memory(self.room_bytes());
        Ok(())
    }

    /// Hosts and domains that nothing is known of are not contacted before this.
    pub(crate) fn hold_unknown(&mut self, until: Timestamp) {
        self.not_before = self.not_before.max(until);
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.hold_unknown(until));
    }

    /// … as a checkpoint keeps it.
    pub(crate) fn not_before(&self) -> Timestamp {
        self.iter().map(Frontier::not_before).fold(self.not_before, Timestamp::max)
    }

    /// Ends recovery.
    pub(crate) fn resume(&mut self, after: Stop, at: Timestamp) -> Result<()> {
        self.recovered = Some(Recovered { after, at });
        // Also where no shard is known of yet: what was contacted may have been lost whole.
        let most = at + self.config.delay.unknown_host_ms();
        self.not_before = if after == Stop::Unclean { most } else { self.not_before.min(most) };
        for shard in self.opened() {
            let judge = self.judge.clone();
            self.get(shard)?.resume(after, at, judge)?;
            self.settle(shard);
        }
        self.review(at);
        Ok(())
    }

    /// Whether recovery has ended.
    pub(crate) fn are_recovered(&self) -> bool {
        self.recovered.is_some()
    }

    /// From now on delays are these.
    pub(crate) fn set_delay(&mut self, delay: DelayPolicy) {
        self.config.delay = delay;
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.set_delay(delay));
    }

    /// Rules that were fetched before `now` are to be asked for anew.
    pub(crate) fn distrust_rules(&mut self, now: Timestamp) {
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.distrust_rules(now));
    }

    /// Nobody is contacted before the full delay from now on.
    pub(crate) fn keep_away(&mut self, now: Timestamp) {
        self.not_before = now + self.config.delay.unknown_host_ms();
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.keep_away(now));
        self.opened().into_iter().for_each(|shard| self.settle(shard));
    }

    /// The crawl is about something else from now on: what waits is judged anew.
    pub(crate) fn adopt(&mut self, config: &CrawlConfig) -> Result<()> {
        self.judge = Arc::new(ScopeJudge::new(config));
        if self.are_recovered() {
            for shard in self.opened() {
                let judge = self.judge.clone();
                self.get(shard)?.adopt(judge)?;
                self.settle(shard);
            }
        }
        Ok(())
    }

    /// Puts parked URLs back.
    pub(crate) fn revive(&mut self, what: &Revival) {
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.revive(what.clone()));
        self.opened().into_iter().for_each(|shard| self.settle(shard));
    }

    /// A shard goes on with it after a restart.
    pub(crate) fn revive_on(&mut self, shard: u8, what: Revival) -> Result<()> {
        self.get(shard)?.revive_on(what);
        self.settle(shard);
        Ok(())
    }

    /// What is not done of it, by shard.
    pub(crate) fn reviving(&self) -> Vec<(u8, u64)> {
        let of_shard = |shard: u8| {
            let numbers = self.if_open(shard).into_iter().flat_map(Frontier::revivals);
            numbers.map(move |number| (shard, number)).collect::<Vec<_>>()
        };
        self.opened().into_iter().flat_map(of_shard).collect()
    }

    /// Does what concerns all shards and was last done long ago.
    pub(crate) fn review(&mut self, now: Timestamp) {
        if now < self.review_at {
            return;
        }
        self.review_at = now + REVIEW_MS;
        self.rank();
        self.share_memory(self.room_bytes());
        self.opened().into_iter().for_each(|shard| self.settle(shard));
    }

    /// Tells every shard what budgets need to know of the domains of all.
    fn rank(&mut self) {
        let mut in_degrees = InDegrees::default();
        self.iter().for_each(|shard| in_degrees.merge(shard.in_degrees()));
        self.ranking = self.config.star.ranking(&in_degrees);
        let ranking = self.ranking;
        self.frontiers.iter_mut().flatten().for_each(|shard| shard.set_ranking(ranking));
    }

    /// A shard, opened if it has not been; [`Shards::settle`] must follow what changes it.
    pub(crate) fn get(&mut self, shard: u8) -> Result<&mut Frontier> {
        let index = usize::from(shard);
        if self.frontiers[index].is_none() {
            let mut frontier = self.open(shard, None)?;
            frontier.hold_unknown(self.not_before);
            frontier.set_ranking(self.ranking);
            if let Some(Recovered { after, at }) = self.recovered {
                frontier.resume(after, at, self.judge.clone())?;
            }
            self.frontiers[index] = Some(Box::new(frontier));
            self.share_memory(self.room_bytes());
        }
        Ok(self.frontiers[index].as_mut().expect("just opened"))
    }

    /// A shard, if anything has ever concerned it.
    pub(crate) fn if_open(&self, shard: u8) -> Option<&Frontier> {
        self.frontiers[usize::from(shard)].as_deref()
    }

    /// Shards that have been opened.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Frontier> {
        self.frontiers.iter().flatten().map(Box::as_ref)
    }

    /// Puts a shard where it belongs in the agendas after anything about it changed.
    pub(crate) fn settle(&mut self, shard: u8) {
        let Some(frontier) = &mut self.frontiers[usize::from(shard)] else { return };
        self.newcomers.extend(frontier.take_newcomers());
        let surplus = self.newcomers.len().saturating_sub(NAMES_AHEAD);
        self.newcomers.drain(..surplus);
        let JobsDue { fed, hungry, starving } = frontier.jobs_due();
        self.jobs_fed.set(shard, fed);
        self.jobs_hungry.set(shard, hungry);
        self.jobs_starving.set(shard, starving);
        if frontier.is_congested() {
            self.congested.insert(shard);
        } else {
            self.congested.remove(&shard);
        }
        self.front_queues.set(shard, frontier);
    }

    /// Names of hosts that came into memory since this was asked last, the latest [`NAMES_AHEAD`].
    pub(crate) fn take_newcomers(&mut self) -> Vec<String> {
        std::mem::take(&mut self.newcomers).into()
    }

    /// When a host has its turn, at the earliest.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.front_queues.next_due()
    }

    /// The front queue whose first has its turn now, and the shard where that is.
    pub(crate) fn next_turn(&mut self, now: Timestamp) -> Option<(Class, u8)> {
        while let Some(shard) = self.front_queues.next_promotion(now) {
            let frontier = self.frontiers[usize::from(shard)].as_mut().expect("it has hosts");
            frontier.promote(now);
            self.front_queues.set(shard, frontier);
        }
        self.front_queues.draw()
    }

    /// Whether so much waits for jobs that whoever discovers must pause.
    pub(crate) fn are_congested(&self) -> bool {
        !self.congested.is_empty()
    }

    /// A shard that is congested and has no job under way.
    pub(crate) fn congested(&self) -> Option<u8> {
        self.congested.difference(&self.working).next().copied()
    }

    /// Whether a job may be begun.
    pub(crate) fn may_work(&self) -> bool {
        self.working.len() < JOBS_AT_ONCE
    }

    /// Whether a job is under way.
    pub(crate) fn are_working(&self) -> bool {
        !self.working.is_empty()
    }

    /// Jobs under way.
    pub(crate) fn at_work(&self) -> usize {
        self.working.len()
    }

    /// The shard that wants a job first.
    pub(crate) fn next_job(&self, hunger: Hunger) -> Option<Appointment> {
        match hunger {
            Hunger::Fed => self.jobs_fed.first(),
            Hunger::Hungry => self.jobs_hungry.first(),
            Hunger::Starving => self.jobs_starving.first(),
        }
    }

    /// What a job of this shard takes, in milliseconds of a processor, if hunger alone asks for it now.
    pub(crate) fn pass_of_the_hungry_ms(&self, shard: u8, now: Timestamp) -> u64 {
        let hungry = self.if_open(shard).filter(|shard| shard.job_due(Hunger::Fed).is_none_or(|at| at > now));
        hungry.map_or(0, Frontier::pass_ms)
    }

    /// Begins a shard's job, if there is anything to do.
    pub(crate) fn start_job(
        &mut self,
        shard: u8,
        now: Timestamp,
        hunger: Hunger,
    ) -> Result<Option<ShardJob>> {
        let welcome = self.has_room_for_guests();
        let frontier = self.get(shard)?;
        frontier.welcome_guests(welcome);
        let job = frontier.start_job(now, hunger)?;
        if job.is_some() {
            self.working.insert(shard);
        }
        self.settle(shard);
        Ok(job)
    }

    /// Guests have what others leave, and a part to themselves, so that they have their turns in a crawl that is always full.
    fn has_room_for_guests(&self) -> bool {
        let guests: u64 = self.iter().map(Frontier::guest_bytes).sum();
        self.resident_bytes() <= self.room_bytes() || guests <= self.room_bytes() / GUEST_SHARE
    }

    /// A shard's job is over; it must be told the outcome.
    pub(crate) fn job_ended(&mut self, shard: u8) -> Result<&mut Frontier> {
        self.working.remove(&shard);
        self.get(shard)
    }

    /// Everything up to now, as files, which are to be made durable, and what a checkpoint has to hold beside them, shard by
    /// shard.
    pub(crate) fn cut(
        &mut self,
        mut save: impl FnMut(u8, &FrontierState),
        watch: &mut Watch<'_>,
    ) -> Result<Vec<PathBuf>> {
        let mut sync = Vec::new();
        self.in_checkpoint = self.opened();
        for (done, shard) in self.opened().into_iter().enumerate() {
            watch(Step::items("cutting the shards", done as u64, self.in_checkpoint.len() as u64));
            let cut = self.get(shard)?.cut()?;
            save(shard, &cut.state);
            sync.extend(cut.sync);
        }
        Ok(sync)
    }

    /// The checkpoint with the latest cut is durable: files that only earlier ones named go.
    pub(crate) fn checkpointed(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        let shards = std::mem::take(&mut self.in_checkpoint);
        for (done, shard) in shards.iter().copied().enumerate() {
            watch(Step::items("removing what the last cut replaced", done as u64, shards.len() as u64));
            self.get(shard)?.checkpointed()?;
        }
        Ok(())
    }

    /// Asserts what must hold within and between the shards.
    pub(crate) fn check_invariants(&self) {
        self.iter().for_each(Frontier::check_invariants);
        assert!(self.working.len() <= JOBS_AT_ONCE, "more jobs are under way than allowed");
        for shard in self.opened() {
            let frontier = self.if_open(shard).expect("an open shard");
            self.front_queues.check(shard, frontier);
        }
    }

    /// What hosts, domains and URLs in memory may take, of all shards.
    pub(crate) fn room_bytes(&self) -> u64 {
        self.config.memory.resident_bytes * SHARDS as u64
    }

    /// … and what they take.
    pub(crate) fn resident_bytes(&self) -> u64 {
        self.iter().map(Frontier::resident_bytes).sum()
    }

    /// What of it each takes.
    pub(crate) fn resident_bytes_each(&self) -> impl Iterator<Item = (u8, u64)> {
        let bytes = |shard| Some((shard, self.if_open(shard)?.resident_bytes()));
        (0..=u8::MAX).filter_map(bytes)
    }

    /// From now on, until the next review, shards have half of what they may have, so that jobs send off much at once.
    pub(crate) fn halve_memory(&mut self) {
        self.share_memory(self.room_bytes() / 2);
    }

    /// Shards that are in use share the memory for hosts of all.
    fn share_memory(&mut self, all: u64) {
        let held: Vec<u64> = self.iter().map(Frontier::resident_bytes).collect();
        let grants = apportion(all, &held);
        self.frontiers.iter_mut().flatten().zip(grants).for_each(|(shard, grant)| shard.grant(grant));
    }

    fn opened(&self) -> Vec<u8> {
        (0..=u8::MAX).filter(|shard| self.if_open(*shard).is_some()).collect()
    }

    fn open(&self, shard: u8, state: Option<&FrontierState>) -> Result<Frontier> {
        let dir = Path::new(FRONTIER_DIR).join(format!("{shard:03}"));
        Frontier::open(self.config, self.disk.clone(), dir, state)
    }
}

/// A node ranks the domains of its own shards alone: of the top it takes its share.
fn share_of(star: Star, placement: &Placement) -> Star {
    let BudgetFunction::IrlBot { default, most, top } = star.function else { return star };
    let top = top * placement.shards_owned() as u64 / SHARDS as u64;
    Star { function: BudgetFunction::IrlBot { default, most, top }, ..star }
}
