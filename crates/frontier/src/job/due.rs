use crate::job::Hunger;
use crate::limits::{
    DIRECTORY_BYTES_PER_MS, GATHERED_BYTES, GATHERED_LEAST, JOB_BYTES_PER_MS, JOB_INTERVAL_MS,
    KEY_BYTES_PER_MS, PRESSURE_EIGHTHS, PRESSURE_INTERVAL_MS, RIPE_MS, RIPE_TIMES, USUAL_ENTRY_BYTES,
};
use crate::shard::Durable;
use crate::{Frontier, Paths};
use stdx::Timestamp;

/// From which moment on a job is wanted, by how much the crawl needs new work; `None` if none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JobsDue {
    /// While the crawl is [fed](Hunger::Fed).
    pub fed: Option<Timestamp>,
    /// While it is [hungry](Hunger::Hungry).
    pub hungry: Option<Timestamp>,
    /// While it is [starving](Hunger::Starving).
    pub starving: Option<Timestamp>,
}

impl JobsDue {
    fn all(at: Timestamp) -> Self {
        Self { fed: Some(at), hungry: Some(at), starving: Some(at) }
    }
}

impl Frontier {
    /// From which moment on a job is wanted, if one is; `None` while one runs. May lie in the past. To be asked again
    /// after whatever changes the frontier.
    ///
    /// A bucket that is full is merged at once. Everything else waits for the [refill
    /// latency](Self::refill_latency_ms): discoveries that are much beside what they are merged with, memory that runs short (where the last job was for
    /// that too, or a guest has had its turn, a second), a host on disk whose time has come, a crawl that is hungry
    /// while something that may feed somebody waits for a verdict or for room, and one that starves while somebody waits for BEAST. In a
    /// crawl that is always fed, a few discoveries wait longer, and not for ever.
    pub fn jobs_due(&self) -> JobsDue {
        if self.job.is_some() {
            return JobsDue::default();
        }
        if self.is_congested() || self.a_bucket_is_due() {
            return JobsDue::all(Timestamp::ZERO);
        }
        let earliest = self.last_job.map_or(Timestamp::ZERO, |last| last + self.refill_latency_ms());
        let room = self.durable.waiting_on_disk.crowded && self.has_room();
        let pressed = self.is_pressed() && !self.was_pressed;
        if room || pressed || self.has_gathered() || !self.errands.is_empty() || self.is_reviving() {
            return JobsDue::all(earliest);
        }
        let fed = self.durable.waiting_on_disk.wake.min(self.relief_from());
        let hungry = fed.min(self.could_be_fed());
        let starving = hungry.min(self.starves_from());
        let due = |wake: Timestamp| (wake < Timestamp::NEVER).then(|| wake.max(earliest));
        JobsDue { fed: due(fed.min(self.ripe_from())), hungry: due(hungry), starving: due(starving) }
    }

    /// [`Frontier::jobs_due`] of a crawl that needs it so much.
    pub fn job_due(&self, hunger: Hunger) -> Option<Timestamp> {
        let JobsDue { fed, hungry, starving } = self.jobs_due();
        match hunger {
            Hunger::Fed => fed,
            Hunger::Hungry => hungry,
            Hunger::Starving => starving,
        }
    }

    /// How long at most a host that is due waits on disk, or a link for its verdict, while slots are free: a little, and
    /// what one pass over the shard's files takes.
    pub fn refill_latency_ms(&self) -> u64 {
        JOB_INTERVAL_MS + self.passed_over_bytes() / JOB_BYTES_PER_MS
    }

    /// What a job goes through beside what is new.
    pub(crate) fn passed_over_bytes(&self) -> u64 {
        let disk = &self.disk;
        let keys = disk.seen.key_bytes(0) + disk.records.key_bytes(0) + disk.edges.key_bytes(0);
        keys + disk.hosts.directory_bytes() + disk.domains.directory_bytes()
    }

    /// What a pass over the shard's files takes of a processor, roughly, in milliseconds: most of it is the directories, which are unpacked and packed.
    pub fn pass_ms(&self) -> u64 {
        let disk = &self.disk;
        let directories = disk.hosts.directory_bytes() + disk.domains.directory_bytes();
        let keys = self.passed_over_bytes() - directories;
        1 + keys / KEY_BYTES_PER_MS + directories / DIRECTORY_BYTES_PER_MS
    }

    /// So much waits for a verdict that a job pays, however busy the crawl: whoever it concerns may have nothing else, and
    /// would wait for a full bucket while others are served.
    pub(crate) fn has_gathered(&self) -> bool {
        let seen = &self.disk.seen;
        let waiting = seen.waiting().max(seen.waiting_aux_bytes() / USUAL_ENTRY_BYTES);
        waiting >= GATHERED_LEAST && waiting * GATHERED_BYTES >= self.passed_over_bytes()
    }

    /// From when on discoveries have waited for a verdict long enough, however few they are. `NEVER` if none waits.
    pub(crate) fn ripe_from(&self) -> Timestamp {
        if self.disk.seen.waiting() == 0 {
            return Timestamp::NEVER;
        }
        let wait_ms = RIPE_MS + RIPE_TIMES * self.passed_over_bytes() / JOB_BYTES_PER_MS;
        self.last_job.or(self.resumed).map_or(Timestamp::ZERO, |last| last + wait_ms)
    }

    /// More is in memory than should be, guests apart.
    pub fn is_pressed(&self) -> bool {
        self.resident_bytes - self.guest_bytes > self.room_bytes()
    }

    /// What hosts, domains and URLs may take before memory is made free. Who takes more alone is a guest.
    pub(crate) fn room_bytes(&self) -> u64 {
        self.config.memory.resident_bytes / 8 * PRESSURE_EIGHTHS
    }

    /// From when on memory is to be made free, where the last job was to do so as well, or a guest is to be seen out.
    fn relief_from(&self) -> Timestamp {
        if !self.is_pressed() && self.guest_bytes == 0 {
            return Timestamp::NEVER;
        }
        self.last_job.map_or(Timestamp::ZERO, |last| last + PRESSURE_INTERVAL_MS)
    }

    fn a_bucket_is_due(&self) -> bool {
        let disk = &self.disk;
        disk.seen.is_due() || disk.records.is_due() || disk.edges.is_due()
    }

    /// From when on somebody waits for BEAST: a host that may be contacted and has nothing else, or one that nobody has
    /// met. `NEVER` if nobody will.
    pub(crate) fn starves_from(&self) -> Timestamp {
        let Durable { deferred, waiting_on_disk, .. } = &self.durable;
        if deferred.beast.waiting() == 0 {
            return Timestamp::NEVER;
        }
        let stranger = if deferred.strangers > 0 { Timestamp::ZERO } else { Timestamp::NEVER };
        let resident = self.starving.first().map_or(Timestamp::NEVER, |&(from, _)| from);
        stranger.min(resident).min(waiting_on_disk.starves_from)
    }

    /// From when on a job might bring something to do without BEAST.
    fn could_be_fed(&self) -> Timestamp {
        let now =
            self.waiting_may_feed() || self.shorter_paths_wait() || self.durable.waiting_on_disk.crowded;
        if now { Timestamp::ZERO } else { Timestamp::NEVER }
    }

    /// Whether the records may tell of links to derive again.
    pub(crate) fn shorter_paths_wait(&self) -> bool {
        self.config.paths == Paths::Shortest && self.disk.records.waiting() > 0
    }

    /// Whether hosts on disk would find room.
    fn has_room(&self) -> bool {
        let half = self.config.memory.resident_bytes / 2;
        self.resident_bytes - self.guest_bytes < half || self.hosts_idle > self.hosts.len() as u64 / 4
    }
}
