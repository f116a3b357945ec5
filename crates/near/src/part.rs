use crate::error::Result;
use crate::peeked::Peeked;
use crate::shingles::{ShingleSet, Similarity};
use crate::sorter::Pair;
use crate::spool::{SpoolReader, Spooled};
use stdx::{Map, map};

/// Some first texts of pairs, as many as memory holds. All second ones pass by: one sequential read a part.
pub(crate) struct Part {
    /// Where the first of them stands in the spool.
    pub(crate) offset: u64,
    firsts: Map<u64, ShingleSet>,
    /// (second, first), ascending.
    pairs: Vec<Pair>,
}

impl Part {
    pub(crate) fn gather(pairs: &mut Peeked, spool: &mut SpoolReader, memory_bytes: usize) -> Result<Self> {
        let mut part = Self { offset: spool.offset(), firsts: map(), pairs: Vec::new() };
        let mut bytes = 0;
        while let Some([first, second]) = pairs.head
            && bytes < memory_bytes
        {
            if !part.firsts.contains_key(&first) {
                let set = part.seek(first, spool)?;
                bytes += size_of::<ShingleSet>() + 2 * size_of_val(&set.hashes[..]);
                part.firsts.insert(first, set);
            }
            part.pairs.push([second, first]);
            bytes += 2 * size_of::<Pair>();
            pairs.next()?;
        }
        part.pairs.sort_unstable();
        Ok(part)
    }

    /// The set of a text that comes later than those looked for before. Every text of a pair is in the spool.
    fn seek(&mut self, text: u64, spool: &mut SpoolReader) -> Result<ShingleSet> {
        loop {
            let offset = spool.offset();
            let Some(spooled) = spool.next()? else { return Ok(ShingleSet::of("")) };
            if spooled.text == text {
                self.offset = if self.firsts.is_empty() { offset } else { self.offset };
                return Ok(spooled.set);
            }
        }
    }

    pub(crate) fn compare(
        self,
        mut spool: SpoolReader,
        least: Similarity,
        told: &mut dyn FnMut(u64),
        mut near: impl FnMut(Pair) -> Result<()>,
    ) -> Result<()> {
        let mut waiting = &self.pairs[..];
        while let Some([second, _]) = waiting.first() {
            let Some(Spooled { text, set }) = spool.next()? else { return Ok(()) };
            told(text);
            if text < *second {
                continue;
            }
            let (now, later) = waiting.split_at(waiting.partition_point(|[second, _]| *second <= text));
            waiting = later;
            let mut like = now.iter().filter(|[_, first]| self.firsts[first].similarity(&set) >= least);
            like.try_for_each(|[second, first]| near([*first, *second]))?;
        }
        Ok(())
    }
}
