use crate::error::{Error, Result};
use crate::groups::group;
use crate::naming::{Groups, NameWriter};
use crate::scratch::Scratch;
use crate::shingles::{ShingleSet, Similarity};
use crate::sorter::{Pair, Sorted, Sorter};
use crate::spool::{SpoolReader, SpoolWriter, Spooled};
use crate::survey::Config;
use std::path::PathBuf;
use stdx::{Map, Step, Watch, map};

/// The second pass: the shingles of those texts that may be near-duplicates, and then which of them are.
pub struct Comparison {
    scratch: Scratch,
    config: Config,
    /// Texts of the first pass, and of this one so far.
    wanted: u64,
    texts: u64,
    pairs: Peeked,
    /// Texts that are in a pair: (text, 0).
    candidates: Peeked,
    spool: SpoolWriter,
    names: NameWriter,
}

impl Comparison {
    pub(crate) fn begin(scratch: Scratch, config: Config, wanted: u64, pairs: Sorter) -> Result<Self> {
        let quarter = config.quarter_bytes();
        let mut unique = Sorter::new(&scratch, "unique", quarter);
        let mut candidates = Sorter::new(&scratch, "candidates", quarter);
        let mut found = pairs.finish()?;
        while let Some([first, second]) = found.next()? {
            unique.push([first, second])?;
            candidates.push([first, 0])?;
            candidates.push([second, 0])?;
        }
        let spool = SpoolWriter::create(&*scratch.disk, &spool_path(&scratch))?;
        let names = NameWriter::create(&scratch)?;
        let (pairs, candidates) = (Peeked::of(unique.finish()?)?, Peeked::of(candidates.finish()?)?);
        Ok(Self { scratch, config, wanted, texts: 0, pairs, candidates, spool, names })
    }

    /// The next text, as the first pass had it, under the name by which groups call it. What is no candidate is not looked at.
    pub fn add(&mut self, name: u64, text: &str) -> Result<()> {
        let number = self.texts;
        self.texts += 1;
        self.names.push(name)?;
        if self.candidates.head.is_none_or(|[candidate, _]| candidate != number) {
            return Ok(());
        }
        self.candidates.next()?;
        self.spool.push(number, &ShingleSet::of(text))
    }

    /// Compares the pairs and says which texts say what an earlier one says. `watch` is told which text each part of the pairs is at.
    pub fn finish(mut self, watch: &mut Watch<'_>) -> Result<Groups> {
        if self.texts != self.wanted {
            return Err(Error::OtherTexts { found: self.texts, wanted: self.wanted });
        }
        self.spool.finish()?;
        let path = spool_path(&self.scratch);
        let quarter = self.config.quarter_bytes();
        let mut near = Sorter::new(&self.scratch, "near", quarter);
        let mut offset = 0;
        while self.pairs.head.is_some() {
            let mut spool = SpoolReader::open(&*self.scratch.disk, &path, offset)?;
            let part = Part::gather(&mut self.pairs, &mut spool, quarter)?;
            offset = part.offset;
            let spool = SpoolReader::open(&*self.scratch.disk, &path, offset)?;
            let mut told = |text| watch(Step::items("comparing pairs, one part", text, self.texts));
            part.compare(spool, self.config.similarity, &mut told, |pair| near.push(pair))?;
        }
        self.scratch.disk.remove(&path)?;
        let stars = group(&self.scratch, near, self.texts, quarter)?;
        Groups::name(&self.scratch, stars, self.names, quarter)
    }
}

fn spool_path(scratch: &Scratch) -> PathBuf {
    scratch.file("shingles", 0)
}

/// Some first texts of pairs, as many as memory holds. All second ones pass by: one sequential read a part.
struct Part {
    /// Where the first of them stands in the spool.
    offset: u64,
    firsts: Map<u64, ShingleSet>,
    /// (second, first), ascending.
    pairs: Vec<Pair>,
}

impl Part {
    fn gather(pairs: &mut Peeked, spool: &mut SpoolReader, memory_bytes: usize) -> Result<Self> {
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

    fn compare(
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

/// Sorted pairs, and the next of them in sight.
struct Peeked {
    head: Option<Pair>,
    rest: Sorted,
}

impl Peeked {
    fn of(mut rest: Sorted) -> Result<Self> {
        Ok(Self { head: rest.next()?, rest })
    }

    fn next(&mut self) -> Result<()> {
        self.head = self.rest.next()?;
        Ok(())
    }
}
