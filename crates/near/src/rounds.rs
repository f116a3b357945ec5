use crate::error::Result;
use crate::groups::group;
use crate::leaders::{pair_with_leaders, pair_with_representatives};
use crate::limits::ROUNDS_MOST;
use crate::part::Part;
use crate::peeked::Peeked;
use crate::scratch::Scratch;
use crate::sorter::{Kept, Sorted, Sorter};
use crate::spool::{SpoolReader, spool_path};
use crate::survey::Config;
use stdx::{Step, Watch};

/// Pairs are compared and texts grouped; groups name further pairs, until none of these is near.
pub(crate) struct Rounds<'a> {
    scratch: &'a Scratch,
    config: Config,
    texts: u64,
    /// (text, band) of bands that several texts have.
    shared: Kept,
    /// Pairs of each round, the latest last.
    compared: Vec<Kept>,
    /// Those of all rounds that are near.
    near: Kept,
}

impl<'a> Rounds<'a> {
    pub(crate) fn begin(scratch: &'a Scratch, config: Config, texts: u64, pairs: Kept, shared: Kept) -> Self {
        Self { scratch, config, texts, shared, compared: vec![pairs], near: Kept::none(scratch) }
    }

    /// Gives (text, representative).
    pub(crate) fn run(mut self, watch: &mut Watch<'_>) -> Result<Kept> {
        self.compare(watch)?;
        let mut stars = self.group()?;
        while self.compared.len() < ROUNDS_MOST {
            let next = self.next_pairs(&stars)?;
            self.compared.push(next);
            if self.compare(watch)? == 0 {
                break;
            }
            stars = self.group()?;
        }
        Ok(stars)
    }

    /// Compares the latest pairs; says how many are near.
    fn compare(&mut self, watch: &mut Watch<'_>) -> Result<u64> {
        let mut near = self.sorter("near");
        copy(&self.near, &mut near)?;
        let Some(latest) = self.compared.last() else { return Ok(0) };
        let (mut pairs, path) = (Peeked::of(latest.read()?)?, spool_path(self.scratch));
        let (mut offset, mut found) = (0, 0);
        while pairs.head.is_some() {
            let mut spool = SpoolReader::open(&*self.scratch.disk, &path, offset)?;
            let part = Part::gather(&mut pairs, &mut spool, self.config.quarter_bytes())?;
            offset = part.offset;
            let spool = SpoolReader::open(&*self.scratch.disk, &path, offset)?;
            let mut told = |text| watch(Step::items("comparing pairs, one part", text, self.texts));
            part.compare(spool, self.config.similarity, &mut told, |pair| {
                found += 1;
                near.push(pair)
            })?;
        }
        self.near = self.keep(near.finish()?, "near-pairs")?;
        Ok(found)
    }

    fn group(&self) -> Result<Kept> {
        let stars = group(self.scratch, self.near.read()?, self.texts, self.config.quarter_bytes())?;
        self.keep(stars, "groups")
    }

    /// What the groups make worth comparing and no round has compared.
    fn next_pairs(&self, stars: &Kept) -> Result<Kept> {
        let mut pairs = self.sorter("next");
        pair_with_leaders(self.scratch, &self.shared, stars, self.config.quarter_bytes(), &mut pairs)?;
        pair_with_representatives(&self.near, stars, &mut pairs)?;
        let mut found = pairs.finish()?;
        let mut fresh = self.sorter("fresh");
        let compared = self.compared.iter().map(|kept| Peeked::of(kept.read()?));
        let mut compared: Vec<Peeked> = compared.collect::<Result<_>>()?;
        while let Some(pair) = found.next()? {
            let mut is_known = false;
            for round in &mut compared {
                is_known |= round.has(pair)?;
            }
            if !is_known {
                fresh.push(pair)?;
            }
        }
        self.keep(fresh.finish()?, "round")
    }

    fn sorter(&self, name: &'static str) -> Sorter {
        Sorter::new(self.scratch, name, self.config.quarter_bytes())
    }

    /// Under the number of the round.
    fn keep(&self, pairs: Sorted, name: &'static str) -> Result<Kept> {
        pairs.keep(self.scratch, name, self.compared.len())
    }
}

fn copy(from: &Kept, into: &mut Sorter) -> Result<()> {
    let mut pairs = from.read()?;
    while let Some(pair) = pairs.next()? {
        into.push(pair)?;
    }
    Ok(())
}
