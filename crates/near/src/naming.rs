use crate::error::Result;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};
use disk::{Appender, Mode, SequentialReader};
use std::io::{Read, Write};
use std::path::PathBuf;

/// A text that is near an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its number, in the order of the passes.
    pub text: u64,
    /// The name of the first text that it is near and that stands for itself.
    pub representative: u64,
}

/// Every text that another stands for, ascending.
pub struct Groups {
    members: Sorted,
    groups: u64,
}

impl Groups {
    /// The next member; none at the end.
    #[expect(clippy::should_implement_trait, reason = "reading can fail, and ends the search")]
    pub fn next(&mut self) -> Result<Option<Member>> {
        Ok(self.members.next()?.map(|[text, representative]| Member { text, representative }))
    }

    /// Groups of two and more.
    pub fn count(&self) -> u64 {
        self.groups
    }

    /// `stars` has (text, first of its group) in numbers; a sort brings the firsts into the order of the names.
    pub(crate) fn name(
        scratch: &Scratch,
        mut stars: Sorted,
        names: NameWriter,
        memory_bytes: usize,
    ) -> Result<Self> {
        let mut by_first = Sorter::new(scratch, "by-first", memory_bytes);
        while let Some([text, first]) = stars.next()? {
            by_first.push([first, text])?;
        }
        let (mut by_first, mut names) = (by_first.finish()?, names.finish(scratch)?);
        let mut members = Sorter::new(scratch, "members", memory_bytes);
        let (mut groups, mut last) = (0, None);
        while let Some([first, text]) = by_first.next()? {
            members.push([text, names.of(first)?])?;
            groups += u64::from(last.replace(first) != Some(first));
        }
        drop(names);
        scratch.disk.remove(&names_path(scratch))?;
        Ok(Self { members: members.finish()?, groups })
    }
}

/// The names of all texts, in their order.
pub(crate) struct NameWriter {
    out: Appender,
}

impl NameWriter {
    pub(crate) fn create(scratch: &Scratch) -> Result<Self> {
        Ok(Self { out: Appender::new(scratch.disk.open(&names_path(scratch), Mode::Truncate)?, 0) })
    }

    pub(crate) fn push(&mut self, name: u64) -> Result<()> {
        Ok(self.out.write_all(&name.to_le_bytes())?)
    }

    fn finish(self, scratch: &Scratch) -> Result<NameReader> {
        drop(self.out.into_file()?);
        let file = scratch.disk.open(&names_path(scratch), Mode::Read)?;
        Ok(NameReader { from: SequentialReader::whole(file)?, read: 0, last: 0 })
    }
}

struct NameReader {
    from: SequentialReader,
    read: u64,
    last: u64,
}

impl NameReader {
    /// The name of a text that does not come before the one asked for last.
    fn of(&mut self, text: u64) -> Result<u64> {
        while self.read <= text {
            let mut name = [0; 8];
            self.from.read_exact(&mut name)?;
            self.last = u64::from_le_bytes(name);
            self.read += 1;
        }
        Ok(self.last)
    }
}

fn names_path(scratch: &Scratch) -> PathBuf {
    scratch.file("names", 0)
}
