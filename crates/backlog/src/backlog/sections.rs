use super::Backlog;
use crate::error::Result;
use crate::run::{Head, RunReader, Section};

impl Backlog {
    /// Reads the first block of a section, in one read, and takes it off: its bytes are no longer pointed at. After an
    /// error nothing has happened.
    pub fn take_head(&mut self, section: Section) -> Result<Head> {
        let head = self.read_head(section)?;
        if let Some(taken) = section.before(head.rest) {
            self.release(taken);
        }
        Ok(head)
    }

    /// Reads the first block of a section, in one read.
    pub fn read_head(&self, section: Section) -> Result<Head> {
        RunReader::new(self.store.clone()).head(section)
    }

    /// Shows `see` every entry of a section, first to last. For people.
    pub fn scan_section(&self, section: Section, mut see: impl FnMut(&[u8])) -> Result<()> {
        RunReader::new(self.store.clone()).scan(section, |entry| {
            see(entry);
            Ok(())
        })
    }

    /// A section, or what was taken off its front, is no longer pointed at.
    pub fn release(&mut self, section: Section) {
        self.now.runs.release(section);
    }

    /// A finished job has copied `from` to `to`, while the owner went on reading `from` and has `now` left of it.
    /// Returns the same entries of `to`. Everything else of both is released; the job must not have released `from`
    /// itself.
    pub fn relocate(&mut self, from: Section, to: Section, now: Option<Section>) -> Option<Section> {
        let moved = now.map(|now| now.moved(from, to));
        now.into_iter().chain(to.before(moved)).for_each(|gone| self.release(gone));
        moved
    }
}
