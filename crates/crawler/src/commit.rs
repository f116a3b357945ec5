use crate::limits::{CHECKPOINT_SHARE, COMMIT_BYTES, COMMIT_ENTRIES, SYNC_WEIGHT_BYTES};
use crate::saved::SavedCut;
use crate::tally::Counts;
use crate::{Action, Checkpoint, Commitment, Crawler, Record, Retention};
use archive::{Capture, Entry, Kept};
use frontier::{CaptureSeq, Result};
use std::collections::VecDeque;
use std::sync::Arc;
use stdx::Watch;

/// What is on its way to the journal. One commit is under way at a time; what comes meanwhile goes into the next.
#[derive(Debug)]
pub(crate) struct Outbox {
    pub(crate) next_seq: u64,
    /// The last entry that is durable; 0 before the first.
    durable: u64,
    entries: Vec<Entry>,
    /// Bytes of their records.
    entry_bytes: u64,
    captures: Vec<(CaptureSeq, Arc<Capture>)>,
    under_way: Option<Vec<(CaptureSeq, Arc<Capture>)>>,
    /// What attempts that are not durable yet have counted.
    counts: VecDeque<(CaptureSeq, Counts)>,
    journaled_bytes: u64,
    checkpoint_bytes: u64,
    /// The checkpoint that is being written; the next waits for it.
    saving: Option<Saving>,
    /// The WARC file of the last capture known to be durable: what is still to be derived lies in it, later, or where
    /// `Unfinished` says.
    last_serial: u32,
}

/// A checkpoint on its way to the disk, while commits go on.
#[derive(Debug)]
struct Saving {
    /// Until the files that it names are durable.
    checkpoint: Option<Checkpoint>,
    /// WARC files with lower serials go when it is written.
    expire_before: Option<u32>,
}

/// Number of the journal's first entry.
const FIRST_SEQ: u64 = 1;

impl Outbox {
    pub(crate) fn new() -> Self {
        Self {
            next_seq: FIRST_SEQ,
            durable: 0,
            entries: Vec::new(),
            entry_bytes: 0,
            captures: Vec::new(),
            under_way: None,
            counts: VecDeque::new(),
            journaled_bytes: 0,
            checkpoint_bytes: 0,
            saving: None,
            last_serial: 0,
        }
    }

    /// The last entry given out; `None` before the first.
    pub(crate) fn last_seq(&self) -> Option<u64> {
        (self.next_seq > FIRST_SEQ).then(|| self.next_seq - 1)
    }

    fn push(&mut self, record: &Record, capture: Option<Kept>) -> CaptureSeq {
        let seq = CaptureSeq(self.next_seq);
        self.next_seq += 1;
        if let Some(kept) = &capture {
            self.captures.push((seq, kept.capture.clone()));
        }
        let record = record.encode();
        self.entry_bytes += record.len() as u64;
        self.entries.push(Entry { record, capture });
        seq
    }

    /// Entries that are not durable yet and not under way.
    pub(crate) fn waiting(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of their records.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.entry_bytes
    }

    /// Captures that are not durable yet, under way or not: after a kill they are fetched again.
    pub(crate) fn captures(&self) -> usize {
        self.captures.len() + self.under_way.as_ref().map_or(0, Vec::len)
    }

    /// An attempt that is on its way has counted this.
    pub(crate) fn counted(&mut self, seq: CaptureSeq, counts: Counts) {
        self.counts.push_back((seq, counts));
    }

    /// What attempts have counted that do not become durable any more.
    pub(crate) fn take_counts(&mut self) -> impl Iterator<Item = Counts> + use<> {
        std::mem::take(&mut self.counts).into_iter().map(|(_, counts)| counts)
    }

    /// Whether this entry is durable, and all before it.
    pub(crate) fn is_durable(&self, seq: u64) -> bool {
        seq <= self.durable
    }

    /// Whether everything is durable.
    pub(crate) fn is_idle(&self) -> bool {
        self.entries.is_empty() && self.under_way.is_none()
    }

    /// Whether everything is durable and no checkpoint is being written.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_idle() && !self.is_saving()
    }

    /// Whether a checkpoint is being written.
    pub(crate) fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// Entries that go into the next commit: one at least.
    fn batch(&self) -> usize {
        let mut bytes = 0;
        let fits = |entry: &&Entry| {
            bytes += entry.record.len();
            bytes <= COMMIT_BYTES
        };
        self.entries.iter().take(COMMIT_ENTRIES).take_while(fits).count().max(1)
    }

    /// What a recovery read counts as journaled since the checkpoint it began with, so that crash after crash the
    /// replay does not grow.
    pub(crate) fn replayed(&mut self, bytes: usize) {
        self.journaled_bytes += bytes as u64;
    }

    /// What has been read again is durable.
    pub(crate) fn recovered(&mut self) {
        self.durable = self.next_seq - 1;
    }

    /// Goes on behind a checkpoint of so many bytes.
    pub(crate) fn recovered_from(&mut self, covers: Option<u64>, bytes: usize) {
        self.next_seq = covers.map_or(FIRST_SEQ, |last| last + 1);
        self.checkpoint_bytes = bytes as u64;
    }

    fn checkpoint_is_due(&self, least_bytes: u64) -> bool {
        self.journaled_bytes > least_bytes.max(self.checkpoint_bytes * CHECKPOINT_SHARE)
    }
}

impl Crawler {
    /// Applies a record and sends it on its way to the journal. Nothing else changes durable state.
    pub(crate) fn journal(&mut self, record: Record, capture: Option<Kept>) -> Result<()> {
        let seq = self.outbox.push(&record, capture);
        self.apply(record, seq)
    }

    /// Begins a group commit if none is under way; a checkpoint follows the last entry when one is due.
    pub(crate) fn commit(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        if self.outbox.under_way.is_some() {
            return Ok(());
        }
        if !self.outbox.entries.is_empty() {
            self.commit_some();
        }
        if self.outbox.entries.is_empty() && !self.outbox.is_saving() && self.checkpoint_is_due() {
            self.checkpoint(false, watch)?;
        }
        Ok(())
    }

    /// Whether the journal has grown enough since the last checkpoint.
    pub(crate) fn checkpoint_is_due(&self) -> bool {
        self.outbox.checkpoint_is_due(self.config.checkpoint_bytes)
    }

    fn commit_some(&mut self) {
        let rest = self.outbox.entries.split_off(self.outbox.batch());
        let entries = std::mem::replace(&mut self.outbox.entries, rest);
        let last = self.outbox.next_seq - self.outbox.entries.len() as u64;
        let split = self.outbox.captures.partition_point(|(seq, _)| seq.0 < last);
        let later = self.outbox.captures.split_off(split);
        self.outbox.under_way = Some(std::mem::replace(&mut self.outbox.captures, later));
        self.outbox.entry_bytes -= entries.iter().map(|entry| entry.record.len() as u64).sum::<u64>();
        self.actions.push_back(Action::Commit(entries));
    }

    pub(crate) fn committed(&mut self, commitment: &Commitment) -> Result<()> {
        let held = self.outbox.under_way.take().expect("a commit that was asked for");
        self.outbox.journaled_bytes += commitment.journal_bytes;
        let last = commitment.first_seq + commitment.locations.len() as u64 - 1;
        self.outbox.durable = last;
        while self.outbox.counts.pop_front_if(|(seq, _)| seq.0 <= last).is_some() {}
        self.durable(last);
        self.answer(last);
        for (seq, capture) in held {
            let index = (seq.0 - commitment.first_seq) as usize;
            let location = commitment.locations[index].expect("an entry with a capture has a location");
            self.outbox.last_serial = self.outbox.last_serial.max(location.serial);
            self.located(seq, location)?;
            self.unfinished.committed(seq, location, capture);
        }
        Ok(())
    }

    /// What the checkpoint names is durable.
    pub(crate) fn made_durable(&mut self) {
        let checkpoint = self.outbox.saving.as_mut().and_then(|saving| saving.checkpoint.take());
        self.actions.push_back(Action::Checkpoint(checkpoint.expect("a checkpoint whose files it was")));
    }

    /// The last checkpoint is durable.
    pub(crate) fn checkpointed(&mut self, watch: &mut Watch<'_>) -> Result<()> {
        let saved = self.outbox.saving.take().expect("a checkpoint that was being written");
        if let Some(before) = saved.expire_before {
            self.actions.push_back(Action::Expire { before });
        }
        self.saved();
        let is_running = self.is_running();
        self.shards.checkpointed(&mut |step| {
            if !is_running {
                watch(step);
            }
        })
    }

    /// A cut of the state, covering every entry given out so far. A crawl that goes on shows nothing of it.
    pub(crate) fn checkpoint(&mut self, clean: bool, watch: &mut Watch<'_>) -> Result<()> {
        let Some(covers) = self.outbox.last_seq() else { return Ok(()) };
        let is_running = self.is_running();
        let SavedCut { state, sync } = self.save(&mut |step| {
            if !is_running {
                watch(step);
            }
        })?;
        self.outbox.checkpoint_bytes = state.len() as u64 + SYNC_WEIGHT_BYTES * sync.len() as u64;
        self.outbox.journaled_bytes = 0;
        let checkpoint = Some(Checkpoint { covers, clean, state });
        self.outbox.saving = Some(Saving { checkpoint, expire_before: self.expire_before() });
        self.actions.push_back(Action::MakeDurable { files: sync, last: clean });
        Ok(())
    }

    /// The first WARC file of which something is still to be derived, if the others may go.
    fn expire_before(&self) -> Option<u32> {
        let may_go = self.config.retention == Retention::Expire && self.rereading.is_done();
        let last = self.outbox.last_serial;
        may_go.then(|| self.unfinished.first_serial().map_or(last, |first| first.min(last)))
    }
}
