use super::choice::joined_from;
use crate::Result;
use crate::limits::{INLINE_BYTES, INLINE_ENTRIES};
use crate::stored_host::StoredLane;
use backlog::{Job, Released, RunReader, RunWriter, Section};

/// Writes sections to the new run, those of older runs among them that are to go.
pub(super) struct Shelf<'j> {
    job: &'j Job,
    old: RunReader,
    new: RunWriter,
    released: Released,
}

impl<'j> Shelf<'j> {
    pub(super) fn new(job: &'j Job) -> Self {
        Self { job, old: job.runs(), new: job.new_run(), released: Released::default() }
    }

    /// Entries as a section, behind what `joined` have; these are no longer pointed at.
    pub(super) fn write<'e>(
        &mut self,
        joined: &[Section],
        entries: impl IntoIterator<Item = &'e [u8]>,
    ) -> Result<Option<Section>> {
        self.new.begin();
        for section in joined {
            self.new.copy(&mut self.old, *section)?;
            self.released.add(*section);
        }
        for entry in entries {
            self.new.push(entry)?;
        }
        Ok(self.new.end()?)
    }

    /// Moves the sections whose runs are to go.
    pub(super) fn relocate(&mut self, sections: &mut [Section]) -> Result<()> {
        for section in sections.iter_mut().filter(|section| self.job.should_move(**section)) {
            let moved = self.write(&[*section], [])?;
            *section = moved.expect("a section has entries, and so has its copy");
        }
        Ok(())
    }

    /// Entries behind all of a lane's sections, made one with those that are no larger.
    pub(super) fn append(&mut self, sections: &mut Vec<Section>, entries: &[&[u8]]) -> Result<()> {
        let from = joined_from(sections.iter().map(|section| section.count), entries.len() as u64);
        let joined = sections.split_off(from);
        sections.extend(self.write(&joined, entries.iter().copied())?);
        Ok(())
    }

    /// Puts a stored lane in order: few entries stand in its record, the others in sections.
    pub(super) fn arrange(&mut self, lane: &mut StoredLane<'_>) -> Result<()> {
        if lane.sections.is_empty() {
            lane.head.append(&mut lane.tail);
        }
        if is_much(&lane.tail, INLINE_ENTRIES) {
            self.append(&mut lane.sections, &lane.tail)?;
            lane.tail.clear();
        }
        if is_much(&lane.head, 2 * INLINE_ENTRIES) {
            let rest = lane.head.split_off(head_length(&lane.head));
            let section = self.write(&[], rest)?;
            lane.sections.splice(0..0, section);
        }
        self.relocate(&mut lane.sections)
    }

    /// What a job must give back to finish.
    pub(super) fn into_parts(self) -> (RunWriter, Released) {
        (self.new, self.released)
    }
}

fn is_much(entries: &[&[u8]], count: usize) -> bool {
    entries.len() > count || entries.iter().map(|entry| entry.len()).sum::<usize>() > INLINE_BYTES
}

/// How many entries stay in a record.
fn head_length(entries: &[&[u8]]) -> usize {
    let mut bytes = 0;
    let fits = |entry: &&&[u8]| {
        bytes += entry.len();
        bytes <= INLINE_BYTES
    };
    entries.iter().take(INLINE_ENTRIES).take_while(fits).count()
}
