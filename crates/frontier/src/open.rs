use crate::arrears::Arrears;
use crate::cut::CutFiles;
use crate::gathering::Gathering;
use crate::revive::Revivals;
use crate::shard::{Durable, Files, Recent};
use crate::slab::Slab;
use crate::state::Content;
use crate::{Frontier, FrontierConfig, FrontierState, Lottery, Memory, Ranking, Result, TrapTally};
use backlog::Backlog;
use disk::SharedDisk;
use drum::{Clock, Drum};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use stdx::Timestamp;

impl Frontier {
    /// Opens the shard in `dir` as `state` says, or an empty one, and removes every file that is not part of it. Replay
    /// follows ([`admit`](Self::admit), [`apply`](Self::apply), [`apply_robots`](Self::apply_robots),
    /// [`located`](Self::located)), then [`resume`](Self::resume).
    pub fn open(
        config: FrontierConfig,
        disk: SharedDisk,
        dir: PathBuf,
        state: Option<&FrontierState>,
    ) -> Result<Self> {
        let content = state.map(FrontierState::decode).transpose()?;
        let files = content.as_ref().map(|content| CutFiles::from_bytes(&content.manifests)).transpose()?;
        let mut frontier = Self::empty(config, Files::open(config, disk, dir, files.as_ref())?);
        if let Some(content) = content {
            frontier.restore(content)?;
            // Buckets may hold more than those of the run before: then none is full that these wait for.
            frontier.pay_arrears()?;
        }
        Ok(frontier)
    }

    fn empty(config: FrontierConfig, disk: Files) -> Self {
        Self {
            config,
            disk,
            recent: Recent::new(config.memory.recent_keys),
            hosts: Slab::new(),
            host_ids: stdx::map(),
            groups: Slab::new(),
            group_ids: stdx::map(),
            calendar: BTreeSet::new(),
            ready: Default::default(),
            lottery: Lottery::new(config.seed),
            resident_bytes: 0,
            hosts_with_work: 0,
            hosts_taken: 0,
            guest_bytes: 0,
            welcomes_guests: true,
            was_pressed: false,
            hosts_idle: 0,
            starving: BTreeSet::new(),
            unanswered: Vec::new(),
            newcomers: VecDeque::new(),
            errands: BTreeMap::new(),
            arrears: Arrears::default(),
            gathering: Gathering::default(),
            judge: None,
            ranking: Ranking::default(),
            revivals: Revivals::default(),
            job: None,
            last_job: None,
            resumed: None,
            rules_since: Timestamp::ZERO,
            cut_files: None,
            durable: Durable::default(),
            traps: TrapTally::default(),
            soft_404s: 0,
            scratch: Vec::new(),
        }
    }

    /// Hosts and domains as they were, with nothing in flight.
    fn restore(&mut self, content: Content) -> Result<()> {
        (self.arrears, self.durable, self.traps) = (content.arrears, content.durable, content.traps);
        self.soft_404s = content.soft_404s;
        self.revivals = Revivals::saved(content.revivals);
        let mut domains: BTreeMap<u64, _> = content.domains.into_iter().collect();
        for host in content.hosts {
            let key = host.key();
            self.restore_host(key, &host.bytes, domains.remove(&key.group))?;
        }
        Ok(())
    }
}

impl Files {
    fn open(config: FrontierConfig, disk: SharedDisk, dir: PathBuf, cut: Option<&CutFiles>) -> Result<Self> {
        let memory = config.memory;
        let (seen, records, edges) = (dir.join("seen"), dir.join("records"), dir.join("edges"));
        let (hosts, domains) = (dir.join("hosts"), with(dir, "domains"));
        Ok(Self {
            seen: Drum::open(disk.clone(), seen, memory.seen(), cut.map(|cut| &cut.seen))?,
            records: Drum::open(disk.clone(), records, memory.records(), cut.map(|cut| &cut.records))?,
            edges: Drum::open(disk.clone(), edges, memory.edges(), cut.map(|cut| &cut.edges))?,
            hosts: Backlog::open(disk.clone(), hosts, Memory::backlog(), cut.map(|cut| &cut.hosts))?,
            domains: Backlog::open(disk, domains, Memory::backlog(), cut.map(|cut| &cut.domains))?,
        })
    }
}

fn with(mut dir: PathBuf, name: &str) -> PathBuf {
    dir.push(name);
    dir
}

impl Recent {
    fn new(keys: usize) -> Self {
        Self { paths: Clock::new(keys), edges: Clock::new(keys / crate::limits::EDGE_BUFFER_SHARE) }
    }
}
