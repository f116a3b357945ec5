use crate::arrears::Arrears;
use crate::cut::CutFiles;
use crate::deferred::Deferred;
use crate::draw::RobotsErrand;
use crate::gathering::Gathering;
use crate::group::{Group, GroupId};
use crate::host::{Host, HostId};
use crate::job::{Running, Shallower};
use crate::revive::Revivals;
use crate::seen::Seen;
use crate::slab::Slab;
use crate::tally::Tally;
use crate::tombstones::Tombstones;
use crate::url_record::UrlRecord;
use crate::{CaptureSeq, DelayPolicy, FrontierConfig, InDegrees, Judge, Lottery, Ranking, TrapTally};
use backlog::{Backlog, Key};
use drum::{Clock, Drum};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;
use stdx::{Map, Timestamp};
use weburl::KeyHash;

/// One shard: every URL of a range of registrable domains, each in exactly one state, and the schedule of their hosts. In
/// memory is a window; everything else is in sorted and sequential files, joined with it by one
/// [job](crate::ShardJob) at a time.
pub struct Frontier {
    pub(crate) config: FrontierConfig,
    pub(crate) disk: Files,
    pub(crate) recent: Recent,
    pub(crate) hosts: Slab<Host>,
    pub(crate) host_ids: Map<Key, HostId>,
    pub(crate) groups: Slab<Group>,
    pub(crate) group_ids: Map<u64, GroupId>,
    /// Groups by the moment they are due.
    pub(crate) calendar: BTreeSet<(Timestamp, GroupId)>,
    /// Groups that are due, by the class of their next URL.
    pub(crate) ready: [VecDeque<(Timestamp, GroupId)>; 3],
    /// Draws the class of a host's next URL.
    pub(crate) lottery: Lottery,
    /// Bytes of hosts and groups.
    pub(crate) resident_bytes: u64,
    pub(crate) hosts_with_work: u64,
    pub(crate) hosts_taken: u64,
    /// Of [`Self::resident_bytes`], those of guests.
    pub(crate) guest_bytes: u64,
    /// Whether one more may come, and those that are due may stay.
    pub(crate) welcomes_guests: bool,
    /// Whether memory ran short when the last job began.
    pub(crate) was_pressed: bool,
    /// Hosts with nothing to do.
    pub(crate) hosts_idle: u64,
    /// Hosts that starve, by the moment from which on they do.
    pub(crate) starving: BTreeSet<(Timestamp, HostId)>,
    pub(crate) unanswered: Vec<RobotsErrand>,
    /// Names of hosts that came into memory lately, the latest last.
    pub(crate) newcomers: VecDeque<String>,
    /// Errands for hosts that are not in memory, until the next job.
    pub(crate) errands: BTreeMap<Key, VecDeque<RobotsErrand>>,
    pub(crate) arrears: Arrears,
    pub(crate) gathering: Gathering,
    pub(crate) judge: Option<Arc<dyn Judge>>,
    pub(crate) ranking: Ranking,
    pub(crate) revivals: Revivals,
    pub(crate) job: Option<Running>,
    /// When the last job began.
    pub(crate) last_job: Option<Timestamp>,
    /// When the run began that found it on disk.
    pub(crate) resumed: Option<Timestamp>,
    /// Rules that were fetched before are to be asked for anew.
    pub(crate) rules_since: Timestamp,
    /// The files of the latest cut, until it is known to be durable.
    pub(crate) cut_files: Option<CutFiles>,
    pub(crate) durable: Durable,
    /// What traps have held back; part of a cut.
    pub(crate) traps: TrapTally,
    /// Part of a cut.
    pub(crate) soft_404s: u64,
    /// Where entries are put together.
    pub(crate) scratch: Vec<u8>,
}

/// What a shard has on disk.
pub(crate) struct Files {
    pub(crate) seen: Drum<Seen>,
    pub(crate) records: Drum<UrlRecord>,
    pub(crate) edges: Drum<()>,
    /// The directory of hosts that are not in memory, runs of their sections, and BEAST's queues.
    pub(crate) hosts: Backlog,
    /// The directory of domains that have no host in memory.
    pub(crate) domains: Backlog,
}

/// What was appended lately.
pub(crate) struct Recent {
    pub(crate) paths: Clock,
    pub(crate) edges: Clock,
}

/// The small things that a cut keeps beside hosts and files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Durable {
    pub(crate) tally: Tally,
    pub(crate) tombstones: Tombstones,
    pub(crate) next_order: u64,
    /// Nothing unknown is contacted before this (after an unclean stop).
    pub(crate) not_before: Timestamp,
    /// When the last unclean stop ended: hosts that come from disk wait their full delay from then on.
    pub(crate) restarted: Option<Timestamp>,
    /// Fetched, and not yet told where the capture lies.
    pub(crate) landing: BTreeMap<KeyHash, Landing>,
    /// Found by jobs whose caller has not been told.
    pub(crate) shallower: Vec<Shallower>,
    /// By which rules entries were accepted.
    pub(crate) scope: Scope,
    pub(crate) waiting_on_disk: WaitingOnDisk,
    pub(crate) deferred: Deferred,
    pub(crate) in_degrees: InDegrees,
}

/// A URL with a final answer that is not durable yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Landing {
    pub(crate) depth: u32,
    pub(crate) capture: CaptureSeq,
    pub(crate) at: Timestamp,
}

/// The rules of the crawl, as far as entries on disk go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Scope {
    pub(crate) fingerprint: Option<u64>,
    /// The rules have changed at some time: what comes from disk may be out.
    pub(crate) mixed: bool,
}

/// What the last job has left on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaitingOnDisk {
    /// When the first host there may be contacted; `NEVER` if none waits.
    pub(crate) wake: Timestamp,
    /// Hosts that are due and found no room.
    pub(crate) crowded: bool,
    /// Hosts that are due and found no share of their domain's room.
    pub(crate) rationed: bool,
    /// Hosts that have work.
    pub(crate) hosts: u64,
    /// From when on one of them starves; `NEVER` if none will.
    pub(crate) starves_from: Timestamp,
    /// The place in the order of hashes from which hosts are given room.
    pub(crate) cursor: u64,
    /// When the round began in which hosts of domains that have more than their share take turns.
    #[serde(skip)]
    pub(crate) round: Timestamp,
}

impl Durable {
    pub(crate) fn take_order(&mut self) -> u64 {
        let order = self.next_order;
        self.next_order += 1;
        order
    }
}

impl Frontier {
    /// Discoveries that wait for a verdict.
    pub fn undecided(&self) -> u64 {
        self.disk.seen.waiting() + self.arrears.seen.len() as u64
    }

    /// URLs that wait, wherever they are, those without a verdict not counted.
    pub fn pending(&self) -> u64 {
        self.durable.tally.pending.saturating_sub(self.durable.tombstones.len())
    }

    /// URLs of these that wait beyond their domain's budget.
    pub fn deferred(&self) -> u64 {
        self.durable.deferred.beast.waiting()
    }

    /// URLs with a final answer.
    pub fn fetched(&self) -> u64 {
        self.durable.tally.fetched
    }

    /// URLs that used up their retries, or whose host has.
    pub fn parked(&self) -> u64 {
        self.durable.tally.parked
    }

    /// URLs excluded, by the name of the rule.
    pub fn excluded(&self) -> &BTreeMap<String, u64> {
        &self.durable.tally.excluded
    }

    /// What traps have held back.
    pub fn traps(&self) -> &TrapTally {
        &self.traps
    }

    /// Pages, answered with a 200, that said what their host says where there is none, as far as that was known by then.
    pub fn soft_404s(&self) -> u64 {
        self.soft_404s
    }

    /// Hosts ever met.
    pub fn hosts(&self) -> u64 {
        self.durable.tally.hosts
    }

    /// Hosts that have something to fetch; of those on disk, as the last job saw them.
    pub fn hosts_with_work(&self) -> u64 {
        self.hosts_with_work + self.durable.waiting_on_disk.hosts
    }

    /// Hosts whose turn it is.
    pub fn hosts_taken(&self) -> u64 {
        self.hosts_taken
    }

    /// Bytes of hosts, domains and URLs in memory: at most [`Memory::resident_bytes`](crate::Memory::resident_bytes), but
    /// for what has a turn or an errand, and for what came since the last job.
    pub fn resident_bytes(&self) -> u64 {
        self.resident_bytes
    }

    /// Of [`Self::resident_bytes`], those of hosts that take more than this shard has for all.
    pub fn guest_bytes(&self) -> u64 {
        self.guest_bytes
    }

    /// Whether the next job may bring in a host that takes more than this shard's memory: one at a time, for a turn. All shards together should
    /// have room for it. Where guests are not welcome those that are in memory have one turn more at most.
    pub fn welcome_guests(&mut self, welcome: bool) {
        self.welcomes_guests = welcome;
    }

    /// From now on hosts, their rules and the URLs at hand may take this many bytes.
    pub fn grant(&mut self, resident_bytes: u64) {
        self.config.memory.resident_bytes = resident_bytes;
    }

    /// How many domains of this shard have which in-degree; a crawl adds those of its shards up.
    pub fn in_degrees(&self) -> &InDegrees {
        &self.durable.in_degrees
    }

    /// From now on delays are these; clocks that have been set stay.
    pub fn set_delay(&mut self, delay: DelayPolicy) {
        self.config.delay = delay;
    }

    /// Rules that were fetched before `now` count for nothing, since nobody knows how old they are or they were read under another name: all
    /// are to be asked for anew.
    pub fn distrust_rules(&mut self, now: Timestamp) {
        self.rules_since = now;
    }

    /// What budgets need to know of all domains of the crawl.
    pub fn set_ranking(&mut self, ranking: Ranking) {
        self.ranking = ranking;
    }

    pub(crate) fn host(&mut self, id: HostId) -> &mut Host {
        &mut self.hosts[id.0]
    }

    pub(crate) fn host_ref(&self, id: HostId) -> &Host {
        &self.hosts[id.0]
    }

    pub(crate) fn group(&mut self, id: GroupId) -> &mut Group {
        &mut self.groups[id.0]
    }
}

impl Default for WaitingOnDisk {
    fn default() -> Self {
        Self {
            wake: Timestamp::NEVER,
            crowded: false,
            rationed: false,
            hosts: 0,
            starves_from: Timestamp::NEVER,
            cursor: 0,
            round: Timestamp::ZERO,
        }
    }
}

impl fmt::Debug for Frontier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut frontier = f.debug_struct("Frontier");
        frontier.field("tally", &self.durable.tally).field("resident_hosts", &self.hosts.len());
        frontier.field("resident_bytes", &self.resident_bytes).finish_non_exhaustive()
    }
}
