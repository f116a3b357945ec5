use crate::error::{Error, Result};
use crate::naming::{Groups, NameWriter};
use crate::peeked::Peeked;
use crate::rounds::Rounds;
use crate::scratch::Scratch;
use crate::shingles::ShingleSet;
use crate::sorter::{Kept, Sorter};
use crate::spool::{SpoolWriter, spool_path};
use crate::survey::Config;
use stdx::Watch;

/// The second pass: the shingles of those texts that may be near-duplicates, and then which of them are.
pub struct Comparison {
    scratch: Scratch,
    config: Config,
    /// Texts of the first pass, and of this one so far.
    wanted: u64,
    texts: u64,
    pairs: Kept,
    /// (text, band) of bands that several texts have.
    shared: Kept,
    /// Texts that are in a pair: (text, 0).
    candidates: Peeked,
    spool: SpoolWriter,
    names: NameWriter,
}

impl Comparison {
    pub(crate) fn begin(
        scratch: Scratch,
        config: Config,
        wanted: u64,
        pairs: Sorter,
        shared: Kept,
    ) -> Result<Self> {
        let mut candidates = Sorter::new(&scratch, "candidates", config.quarter_bytes());
        let pairs = pairs.finish()?.keep(&scratch, "round", 0)?;
        let mut found = pairs.read()?;
        while let Some([first, second]) = found.next()? {
            candidates.push([first, 0])?;
            candidates.push([second, 0])?;
        }
        let spool = SpoolWriter::create(&*scratch.disk, &spool_path(&scratch))?;
        let names = NameWriter::create(&scratch)?;
        let candidates = Peeked::of(candidates.finish()?)?;
        Ok(Self { scratch, config, wanted, texts: 0, pairs, shared, candidates, spool, names })
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
    pub fn finish(self, watch: &mut Watch<'_>) -> Result<Groups> {
        let Self { scratch, config, wanted, texts, pairs, shared, candidates, spool, names } = self;
        if texts != wanted {
            return Err(Error::OtherTexts { found: texts, wanted });
        }
        drop(candidates);
        spool.finish()?;
        let stars = Rounds::begin(&scratch, config, texts, pairs, shared).run(watch)?;
        scratch.disk.remove(&spool_path(&scratch))?;
        Groups::name(&scratch, stars.read()?, names, config.quarter_bytes())
    }
}
