use crate::machine::{Crawler, Seeds};
use crate::orders::Order;
use crate::peers::Contents;
use crate::relief::Relief;
use crate::saved::{Head, Rest, Saved, SavedCut, SavedWriter, VERSION};
use crate::scope::Rereading;
use crate::uplink::Uplink;
use crate::{CrawlConfig, Record, RecordError};
use archive::{Checkpoint, ReplayEntry};
use disk::SharedDisk;
use frontier::{CaptureSeq, Hunger, Stop};
use stdx::{Step, Timestamp, Watch};
use thiserror::Error;

/// Why a crawl's state can't be rebuilt, or not be gone on from.
#[derive(Debug, Error)]
pub enum RecoveryError {
    /// The checkpoint's checksum is right but its content is not.
    #[error("the checkpoint is not readable: {0}")]
    Checkpoint(String),
    /// Written by a program of another time.
    #[error("the checkpoint has state version {version}; this program reads version {VERSION}")]
    Version {
        /// Its version.
        version: u8,
    },
    /// The checkpoint was made under another seed, so its identities mean nothing here.
    #[error("state/checkpoint belongs to another crawl: it was made under another seed")]
    OtherCrawl,
    /// What is the same URL was changed; keys made before mean nothing now.
    #[error("[folding] is not what the crawl began with; a crawl that exists keeps its own")]
    OtherFolding,
    /// The checkpoint was made among other nodes: what this one owns has changed, and nobody handed it over.
    #[error("the checkpoint belongs to a crawl of other nodes")]
    OtherNodes,
    /// A record can't be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file of the frontier can't be read, or not be written.
    #[error(transparent)]
    Frontier(#[from] frontier::Error),
    /// The journal can't be read.
    #[error(transparent)]
    Journal(#[from] archive::Error),
    /// Entries are missing.
    #[error("the journal goes from entry {after} to {found}")]
    Gap {
        /// The last one read.
        after: u64,
        /// The next one found.
        found: u64,
    },
}

impl RecoveryError {
    /// Whether it is for lack of room.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Frontier(error) => error.is_disk_full(),
            Self::Journal(error) => error.is_disk_full(),
            _ => false,
        }
    }
}

/// Whether a checkpoint is of the crawl with this seed, and nothing else of it: for those who are to know before they read a journal
/// that it does not cover.
pub fn require_own(checkpoint: &Checkpoint, seed: u64) -> Result<(), RecoveryError> {
    Head::decode(&checkpoint.state)?.require_seed(seed)
}

impl Crawler {
    /// A crawl from its checkpoint, the files that it names, below `disk`'s root in `state/frontier`, and the journal's
    /// entries from there on: no URL is lost, and none that had its answer is fetched again, whether or not it was killed
    /// in between. [`Crawler::resume`] must follow.
    pub fn recover(
        config: CrawlConfig,
        disk: SharedDisk,
        checkpoint: Option<&[u8]>,
        entries: impl IntoIterator<Item = archive::Result<ReplayEntry>>,
    ) -> Result<Self, RecoveryError> {
        Self::recover_watched(config, disk, checkpoint, entries, &mut stdx::nobody)
    }

    /// The same; `watch` is told how many shards of the checkpoint are open.
    pub fn recover_watched(
        config: CrawlConfig,
        disk: SharedDisk,
        checkpoint: Option<&[u8]>,
        entries: impl IntoIterator<Item = archive::Result<ReplayEntry>>,
        watch: &mut Watch<'_>,
    ) -> Result<Self, RecoveryError> {
        let mut crawler = Self::empty(config, disk);
        if let Some(bytes) = checkpoint {
            crawler.load(bytes, watch)?;
            crawler.started = crawler.tally.latest;
        }
        let covered = crawler.outbox.next_seq;
        crawler.read_promises(covered)?;
        let mut relief = Relief::default();
        for entry in entries {
            let entry = entry?;
            crawler.replay(&entry, covered)?;
            relief.after(entry.record.len(), &mut crawler)?;
        }
        crawler.end_stretch(crawler.tally.latest);
        crawler.adopt_settings();
        crawler.adopt_rules()?;
        Ok(crawler)
    }

    /// Ends recovery: clocks are set according to how the last run stopped and whether delays have grown since, rows that
    /// `has_row` knows are not made again, and everything else that is unfinished is queued. Where the rules have changed
    /// since the last run, what waits is judged anew, and links are derived again while the crawl goes on.
    pub fn resume(
        &mut self,
        stop: Stop,
        now: Timestamp,
        has_row: impl Fn(CaptureSeq) -> bool,
    ) -> Result<(), RecoveryError> {
        self.outbox.recovered();
        self.started = now;
        self.tally.latest = self.tally.latest.max(now);
        self.groups.begin_run(now);
        self.uplink.begin_run(now);
        self.servers.shorten(now, self.lease_ms());
        // Clocks say when somebody may be contacted again, not when he was: of delays that have grown they know nothing.
        let clocks = if self.delays_have_grown() { Stop::Unclean } else { stop };
        if clocks == Stop::Unclean {
            self.servers.restart(now, self.lease_ms());
        }
        self.obey(now)?;
        self.shards.resume(clocks, now)?;
        self.make_promise(now, stop)?;
        self.introduce()?;
        self.find_rows(has_row)?;
        self.unfinished.queue_all();
        self.seeds = Seeds::Wanted(self.outbox.next_seq - 1);
        if self.scope_has_changed() {
            self.unsettle_scope()?;
        }
        if self.scope_has_changed() || self.orders.wants_rereading() {
            self.rereading = Rereading::Owed;
        }
        Ok(())
    }

    /// Whether anything archived has no row, as far as the journal was told.
    pub fn lacks_rows(&self) -> bool {
        self.unfinished.without_row().next().is_some()
    }

    /// Rows that are in closed files although the journal was not told.
    fn find_rows(&mut self, has_row: impl Fn(CaptureSeq) -> bool) -> frontier::Result<()> {
        let there = self.unfinished.without_row().filter(|capture| has_row(*capture));
        let captures: Vec<(u64, u64)> = there.map(|capture| (capture.0, capture.0)).collect();
        if captures.is_empty() { Ok(()) } else { self.journal(Record::Rows { captures }, None) }
    }

    fn replay(&mut self, entry: &ReplayEntry, covered: u64) -> Result<(), RecoveryError> {
        let seq = CaptureSeq(entry.seq);
        if entry.seq >= covered {
            if entry.seq != self.outbox.next_seq {
                return Err(RecoveryError::Gap { after: self.outbox.next_seq - 1, found: entry.seq });
            }
            self.outbox.next_seq += 1;
            self.outbox.replayed(entry.record.len());
            let record = Record::decode(entry.seq, &entry.record)?;
            if let Record::Promised { promise } = &record {
                self.end_stretch(promise.began);
            }
            self.apply(record, seq)?;
            self.make_room()?;
        }
        if let Some(location) = entry.location {
            self.located(seq, location)?;
        }
        Ok(())
    }

    /// Counts the time of a run that is replayed, from its beginning or the checkpoint up to the last that it said: one that was killed
    /// counted nothing itself. The next begins with a promise, so that what was between them counts for nobody.
    fn end_stretch(&mut self, next: Timestamp) {
        if self.started > Timestamp::ZERO {
            self.tally.elapsed_ms += self.tally.latest.since_ms(self.started);
        }
        self.started = next;
    }

    /// The one place where durable state changes, in the first run and in replay.
    pub(crate) fn apply(&mut self, record: Record, seq: CaptureSeq) -> frontier::Result<()> {
        match record {
            Record::Discovered { origin, discoveries, .. } => self.admit_all(&origin, &discoveries)?,
            Record::Listed { origin, discoveries, .. } => self.admit_all(&origin, &discoveries.into())?,
            Record::Received { shard, origin, discoveries, .. } => {
                self.admit(shard, &origin, &discoveries)?;
            }
            Record::Attempt { shard, attempt } => self.apply_attempt(shard, &attempt, seq)?,
            Record::Robots { shard, record } => self.apply_robots(shard, record)?,
            Record::Parsed { capture, says, out_of_scope } => {
                says.iter().try_for_each(|says| self.apply_says(says))?;
                self.tally.note_out_of_scope(&out_of_scope);
                self.unfinished.links_done(capture);
            }
            Record::Rows { captures } => {
                self.tally.rows += captures.iter().map(|(first, last)| last - first + 1).sum::<u64>();
                self.unfinished.rows_done(&captures);
            }
            Record::Scope { fingerprint } => {
                self.judged_by = Some(fingerprint);
                self.orders.have_been_reread();
            }
            Record::Began { run } => self.peers.run = run,
            Record::Sent { to, number, shard, origin, discoveries } => {
                self.peers.note_sent(&discoveries);
                let batch = Contents::batch(number, shard, origin, discoveries);
                self.peers.exchange.sent(to, seq.0, batch);
            }
            Record::Taken { from, number, shard, origin, discoveries } => {
                self.peers.exchange.taken(from, seq.0, number);
                self.admit(shard, &origin, &discoveries)?;
            }
            Record::Acknowledged { by, numbers } => self.peers.exchange.acknowledged(by, &numbers),
            Record::Control { at, command, instead_of } => {
                self.apply_command(Order { entry: seq.0, at }, command, &instead_of)?;
            }
            Record::Purged { through, .. } => self.orders.purged(through),
            Record::Grouped { .. } => {}
            Record::Lost { capture, page, .. } => self.apply_lost(capture, &page),
            Record::Promised { promise } => self.promised(promise),
        }
        Ok(())
    }

    /// A replay may bring back more than a shard lets wait.
    fn make_room(&mut self) -> frontier::Result<()> {
        while let Some(shard) = self.shards.congested() {
            self.work_at_once(shard, Hunger::Fed)?;
        }
        Ok(())
    }

    pub(crate) fn save(&mut self, watch: &mut Watch<'_>) -> frontier::Result<SavedCut> {
        let head = Head {
            seed: self.config.rules.seed,
            covers: self.outbox.last_seq(),
            not_before: self.shards.not_before().max(self.servers.not_before()),
        };
        let mut saved = SavedWriter::begin(&head, self.shards.iter().count());
        self.orders.note_retrying(self.shards.reviving());
        let sync = self.shards.cut(|shard, state| saved.shard(shard, state), watch)?;
        let rest = Rest {
            servers: self.servers.save(self.tally.latest),
            unfinished: self.unfinished.save(),
            unlocated: self.unlocated.iter().map(|(capture, answered)| (*capture, *answered)).collect(),
            tally: self.tally.with_run_since(self.started),
            judged_by: self.judged_by,
            peers: self.save_peers(),
        };
        Ok(SavedCut {
            state: saved.finish(&rest, &self.orders, self.uplink.outage(), self.config.rules.folding),
            sync,
        })
    }

    fn load(&mut self, bytes: &[u8], watch: &mut Watch<'_>) -> Result<(), RecoveryError> {
        let Saved { head, shards, rest, orders, outage, folding } = Saved::decode(bytes)?;
        head.require_seed(self.config.rules.seed)?;
        if folding.is_some_and(|folding| folding != self.config.rules.folding) {
            return Err(RecoveryError::OtherFolding);
        }
        self.load_peers(rest.peers)?;
        let of = shards.len() as u64;
        for (done, (shard, state)) in shards.into_iter().enumerate() {
            watch(Step::items("opening the shards", done as u64, of));
            self.shards.load(shard, &state)?;
        }
        self.shards.hold_unknown(head.not_before);
        self.servers.hold_unknown(head.not_before);
        self.servers.load(rest.servers);
        self.unfinished.load(rest.unfinished);
        self.unlocated = rest.unlocated.into_iter().collect();
        self.tally = rest.tally;
        self.judged_by = rest.judged_by;
        self.orders = orders;
        self.uplink = Uplink::after(outage);
        for (shard, revival) in self.orders.retrying().collect::<Vec<_>>() {
            self.shards.revive_on(shard, revival)?;
        }
        self.outbox.recovered_from(head.covers, bytes.len());
        Ok(())
    }
}
