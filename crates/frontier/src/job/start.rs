use super::choice::{self, Candidate, Wanted, joined_from};
use super::encoded::Encoded;
use super::plan::{LentLane, Must, Plan, Resident, ResidentDomain, Room};
use super::{Hunger, Merges, Running, ShardJob};
use crate::group::{DomainRecord, Group};
use crate::host::{Host, HostId, Phase};
use crate::limits::{
    AGAIN_LATENCIES, AHEAD_LATENCIES, AHEAD_MS, BACK_QUEUE_WINDOW, DOMAIN_SHARE, EXCHANGE_MS, EXCHANGE_SHARE,
    PRESSURE_EIGHTHS, SECTION_ENTRIES, SERVED_SHARE,
};
use crate::shard::WaitingOnDisk;
use crate::{Class, Frontier, Result};
use backlog::{Key, RunId};
use drum::{Drum, MergeJob, Value};
use std::collections::{BTreeMap, BTreeSet};
use stdx::Timestamp;
use weburl::{Url, without_root_dot};

impl Frontier {
    /// Begins a job; it must come back by [`finish_job`](Self::finish_job) or [`abandon_job`](Self::abandon_job). `None` if
    /// there is nothing to do. After an error nothing has begun.
    pub fn start_job(&mut self, now: Timestamp, hunger: Hunger) -> Result<Option<ShardJob>> {
        self.was_pressed = self.is_pressed();
        let job = self.begin_job(now, hunger, self.config.memory.resident_bytes);
        self.last_job = Some(now);
        job
    }

    /// A job with `memory` bytes for what is in memory.
    pub(super) fn begin_job(
        &mut self,
        now: Timestamp,
        hunger: Hunger,
        memory: u64,
    ) -> Result<Option<ShardJob>> {
        assert!(self.job.is_none(), "a shard has one job at a time");
        self.disk.hosts.flush()?;
        let mut running = Running::default();
        let merges = match self.start_merges(now, hunger, &mut running) {
            Ok(merges) => merges,
            Err(error) => {
                self.abandon_merges(&running);
                return Err(error);
            }
        };
        let leaving = self.send_off(now, hunger, &mut running);
        let lent = self.lend(&mut running);
        if self.has_nothing_to_do(now, hunger, &running) {
            return Ok(None);
        }
        let mut plan = self.plan(now, hunger, memory, lent, leaving);
        plan.reviving = self.reviving();
        self.job = Some(running);
        let (hosts, domains) = (self.disk.hosts.start_job(), self.disk.domains.start_job());
        Ok(Some(ShardJob { merges, hosts, domains, plan }))
    }

    fn has_nothing_to_do(&self, now: Timestamp, hunger: Hunger, running: &Running) -> bool {
        let waiting = &self.durable.waiting_on_disk;
        let merges = running.seen.len() + running.records.len() + running.edges.len();
        let moves = running.leaving.len() + running.lent.len() + self.errands.len();
        let read = hunger == Hunger::Starving && self.starves_from() <= now;
        merges + moves == 0 && !self.is_reviving() && !read && !waiting.crowded && waiting.wake > now
    }

    /// A small batch is merged only if somebody waits for it, if what it is merged with is small as well, or if it has waited long.
    fn start_merges(&mut self, now: Timestamp, hunger: Hunger, running: &mut Running) -> Result<Merges> {
        let hungry = hunger != Hunger::Fed;
        let records = hungry && self.shorter_paths_wait();
        let anyway = hungry || self.has_gathered() || self.ripe_from() <= now;
        let disk = &mut self.disk;
        let seen = start_merge(&mut disk.seen, anyway, &mut running.seen)?;
        let edges = start_merge(&mut disk.edges, !seen.is_empty(), &mut running.edges)?;
        let records = start_merge(&mut disk.records, records, &mut running.records)?;
        self.note_taken();
        Ok(Merges { seen, records, edges })
    }

    pub(super) fn abandon_merges(&mut self, running: &Running) {
        self.note_given_back();
        running.seen.iter().for_each(|bucket| self.disk.seen.abandon_merge(*bucket));
        running.records.iter().for_each(|bucket| self.disk.records.abandon_merge(*bucket));
        running.edges.iter().for_each(|bucket| self.disk.edges.abandon_merge(*bucket));
    }

    /// Parts of lanes for the job: tails behind sections, what is too much for memory, and sections of runs that are to go.
    fn lend(&mut self, running: &mut Running) -> Vec<LentLane> {
        let to_go: BTreeSet<RunId> = self.disk.hosts.runs().to_move().into_iter().collect();
        let pressed = self.is_pressed();
        let mut lent: Vec<(Key, LentLane)> = Vec::new();
        for id in self.hosts.numbers().into_iter().map(HostId) {
            let host = self.host(id);
            if host.phase == Phase::Leaving {
                continue;
            }
            let key = host.key;
            for class in Class::ALL {
                if let Some(lane) = host.lend(id, class, &to_go, pressed) {
                    running.lent.push((id, class));
                    lent.push((key, lane));
                }
            }
            if running.lent.last().is_some_and(|(last, _)| *last == id) {
                self.settle(id);
            }
        }
        lent.sort_by_key(|(key, _)| *key);
        lent.into_iter().map(|(_, lane)| lane).collect()
    }

    /// Takes hosts out of the calendar that make room for others; the job writes them to the directory.
    fn send_off(&mut self, now: Timestamp, hunger: Hunger, running: &mut Running) -> Vec<(Key, Vec<u8>)> {
        let wanted = self.room_wanted(now, hunger);
        if wanted != Wanted::default() {
            running.leaving = choice::choose(self.candidates(), wanted);
        }
        if self.guest_bytes > 0 {
            running.leaving.extend(self.guests_that_go(now));
        }
        running.leaving.iter().for_each(|id| self.withdraw(*id));
        let mut leaving: Vec<_> =
            running.leaving.iter().map(|id| (self.host_ref(*id).key, self.host_ref(*id).encode())).collect();
        leaving.sort_unstable_by_key(|(key, _)| *key);
        leaving
    }

    fn candidates(&self) -> Vec<Candidate> {
        let may_leave = self.hosts.iter().filter(|(_, host)| host.may_leave() && !host.is_guest);
        let outstaying = self.outstaying();
        let candidate = |(id, host): (u32, &Host)| Candidate {
            host: HostId(id),
            due: match host.phase {
                Phase::Waiting(due) if !outstaying.contains(&HostId(id)) => due,
                _ => Timestamp::NEVER,
            },
            bytes: host.billed,
        };
        may_leave.map(candidate).collect()
    }

    /// Those that have had their turn, or have to wait for it; in a replay, in which nobody has one, all.
    fn guests_that_go(&self, now: Timestamp) -> impl Iterator<Item = HostId> {
        let turn_by = self.resumed.map(|_| now + self.refill_latency_ms());
        let stays = move |host: &Host| matches!(host.phase, Phase::Waiting(due) if Some(due) <= turn_by);
        let goes = move |host: &Host| host.is_guest && host.may_leave() && !stays(host);
        self.hosts.iter().filter(move |(_, host)| goes(host)).map(|(id, _)| HostId(id))
    }

    /// Where hosts on disk want a share of their domain: those in memory that have had their turn in this round and take more than their part
    /// of it. The one with the most to do stays: every other turn is its.
    fn outstaying(&self) -> BTreeSet<HostId> {
        let WaitingOnDisk { rationed, round, .. } = self.durable.waiting_on_disk;
        let share = self.config.memory.resident_bytes / DOMAIN_SHARE / SERVED_SHARE;
        let mut outstaying = BTreeSet::new();
        for (_, group) in self.groups.iter().filter(|(_, group)| rationed && group.bytes > share) {
            let mut bytes = group.bytes;
            for &(_, host) in group.calendar.iter().rev().take_while(|(due, _)| *due > round) {
                if bytes > share && Some(host) != group.longest {
                    bytes -= self.host_ref(host).billed;
                    outstaying.insert(host);
                }
            }
        }
        outstaying
    }

    fn room_wanted(&self, now: Timestamp, hunger: Hunger) -> Wanted {
        let limit = self.config.memory.resident_bytes;
        let waiting = &self.durable.waiting_on_disk;
        let mut wanted = Wanted::default();
        if self.is_pressed() {
            let residents = self.resident_bytes - self.guest_bytes;
            wanted.pressure_bytes = residents.saturating_sub(limit / 8 * (PRESSURE_EIGHTHS - 1));
        }
        if waiting.hosts > 0 {
            (wanted.exchange_bytes, wanted.exchange_from) = (limit, Timestamp::NEVER);
        }
        if (waiting.crowded || waiting.rationed) && hunger != Hunger::Fed {
            (wanted.exchange_bytes, wanted.exchange_from) = (limit / EXCHANGE_SHARE, now + EXCHANGE_MS);
        }
        wanted
    }

    fn plan(
        &self,
        now: Timestamp,
        hunger: Hunger,
        memory: u64,
        lent: Vec<LentLane>,
        leaving: Vec<(Key, Vec<u8>)>,
    ) -> Plan {
        let mixed = self.durable.scope.mixed;
        Plan {
            now,
            seed: self.config.seed,
            star: self.config.star,
            ranking: self.ranking,
            not_before: self.durable.not_before,
            judge: self.judge.clone().filter(|_| mixed),
            tombstones: self.durable.tombstones.clone(),
            reviving: None,
            residents: self.residents(&lent),
            resident_domains: self.resident_domains(),
            leaving_domains: self.leaving_domains(),
            leaving,
            lent,
            wanted: self.wanted_hosts(),
            moves: !self.disk.hosts.runs().to_move().is_empty(),
            room: self.room(now, memory),
            waiting_on_disk: self.durable.waiting_on_disk,
            deferred: self.durable.deferred.clone(),
            advances: hunger == Hunger::Starving && self.starves_from() <= now,
        }
    }

    fn residents(&self, lent: &[LentLane]) -> Vec<Resident> {
        let mut lanes: BTreeMap<HostId, [Option<u32>; 3]> = BTreeMap::new();
        for (place, lane) in lent.iter().enumerate() {
            lanes.entry(lane.host).or_default()[lane.class as usize] = Some(place as u32);
        }
        let stays = self.hosts.iter().filter(|(_, host)| host.phase != Phase::Leaving);
        let resident = |(id, host): (u32, &Host)| {
            let lent = lanes.get(&HostId(id)).copied().unwrap_or_default();
            Resident { key: host.key, host: HostId(id), lent, habits: host.habits.clone() }
        };
        let mut residents: Vec<Resident> = stays.map(resident).collect();
        residents.sort_unstable_by_key(|resident| resident.key);
        residents
    }

    fn resident_domains(&self) -> BTreeMap<u64, ResidentDomain> {
        let stay = self.groups.iter().filter(|(_, group)| group.leaving < group.hosts);
        let standing = |group: &Group| ResidentDomain { ledger: group.record.ledger, bytes: group.bytes };
        let mut domains: BTreeMap<u64, ResidentDomain> =
            stay.map(|(_, group)| (group.hash, standing(group))).collect();
        for host in self.leaving() {
            domains.entry(host.key.group).and_modify(|domain| domain.bytes -= host.billed);
        }
        domains
    }

    fn leaving(&self) -> impl Iterator<Item = &Host> {
        self.hosts.iter().map(|(_, host)| host).filter(|host| host.phase == Phase::Leaving)
    }

    fn leaving_domains(&self) -> BTreeMap<u64, DomainRecord> {
        let leave = self.groups.iter().filter(|(_, group)| group.leaving == group.hosts);
        leave.map(|(_, group)| (group.hash, group.record.clone())).collect()
    }

    fn wanted_hosts(&self) -> BTreeMap<Key, String> {
        let name = |errand: &crate::RobotsErrand| {
            Url::parse(&errand.url).ok().map(|url| without_root_dot(url.host()).to_owned())
        };
        let named = self.errands.iter().filter_map(|(key, errands)| Some((*key, name(errands.front()?)?)));
        named.collect()
    }

    /// What hosts and URLs may be brought in: as much as there will be when those that leave have left.
    fn room(&self, now: Timestamp, memory: u64) -> Room {
        let going =
            |guests| self.leaving().filter(move |host| host.is_guest == guests).map(|host| host.billed);
        let residents = self.resident_bytes - self.guest_bytes - going(false).sum::<u64>();
        let guest_stays = self.guest_bytes > going(true).sum();
        let welcome = self.welcomes_guests && self.resumed.is_some() && !guest_stays;
        let target = memory / 8 * PRESSURE_EIGHTHS;
        let ahead = (self.refill_latency_ms() * AHEAD_LATENCIES).max(AHEAD_MS);
        Room {
            bytes: target.saturating_sub(residents),
            most_of_one: if memory == 0 { u64::MAX } else { target },
            guests_due: welcome.then(|| now + self.refill_latency_ms()),
            domain_bytes: memory / DOMAIN_SHARE,
            horizon: now + ahead,
            again: now + (self.refill_latency_ms() * AGAIN_LATENCIES).max(AHEAD_MS),
            cursor: self.durable.waiting_on_disk.cursor,
            round: self.durable.waiting_on_disk.round,
        }
    }
}

fn start_merge<V: Value>(
    drum: &mut Drum<V>,
    anyway: bool,
    running: &mut Vec<usize>,
) -> Result<Vec<MergeJob<V>>> {
    let bucket = if anyway { drum.fullest() } else { drum.due() };
    let Some(bucket) = bucket else { return Ok(Vec::new()) };
    let job = drum.start_merge(bucket)?;
    running.extend(job.as_ref().map(|_| bucket));
    Ok(job.into_iter().collect())
}

impl Host {
    /// What the job should have of a lane, if anything.
    fn lend(&mut self, id: HostId, class: Class, to_go: &BTreeSet<RunId>, pressed: bool) -> Option<LentLane> {
        let lane = self.lane(class);
        if pressed && lane.head.len() > BACK_QUEUE_WINDOW + SECTION_ENTRIES {
            lane.cut_head(BACK_QUEUE_WINDOW);
        }
        let goes = lane.sections.iter().position(|section| to_go.contains(&section.run));
        if goes.is_none() && lane.tail.is_empty() {
            return None;
        }
        // The first section is being read: it goes only if its run does.
        let counts = lane.sections.iter().skip(1).map(|section| section.count);
        let joined = 1 + joined_from(counts.collect::<Vec<u64>>().into_iter(), lane.tail.len() as u64);
        let from = goes.unwrap_or(lane.sections.len()).min(joined).min(lane.sections.len());
        let lent = lane.lend(from);
        let must = if pressed { Must::Write } else { Must::WriteIfMuch };
        let tail = Encoded::of(lent.tail.iter());
        let sections = lent.sections.iter().copied().collect();
        Some(LentLane { host: id, class, sections, tail, must })
    }
}
