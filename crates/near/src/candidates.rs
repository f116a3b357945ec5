use crate::error::Result;
use crate::limits::NEIGHBOURS;
use crate::sorter::{Sorted, Sorter};
use std::collections::VecDeque;
use stdx::{Step, Watch};

/// Pairs each text of a band with the first of that band and with the few before it. `bands` has (band, text), and `shared` gets
/// (text, band) of those bands that several texts have.
pub(crate) fn pair_up(
    mut bands: Sorted,
    pairs: &mut Sorter,
    shared: &mut Sorter,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let mut band = Band::default();
    let mut done = 0;
    while let Some([key, text]) = bands.next()? {
        watch(Step::items("pairing texts up: bands", done, 0));
        done += 1;
        if key != band.key || band.first.is_none() {
            band = Band { key, ..Band::default() };
        }
        band.newly_shared(text).try_for_each(|text| shared.push([text, key]))?;
        band.partners().try_for_each(|partner| pairs.push([partner, text]))?;
        band.add(text);
    }
    Ok(())
}

#[derive(Default)]
struct Band {
    key: u64,
    first: Option<u64>,
    /// The latest ones, the first among them as long as they are few.
    latest: VecDeque<u64>,
}

impl Band {
    fn partners(&self) -> impl Iterator<Item = u64> {
        let first = self.first.filter(|first| !self.latest.contains(first));
        first.into_iter().chain(self.latest.iter().copied())
    }

    /// Who shares the band with another since `text` is here.
    fn newly_shared(&self, text: u64) -> impl Iterator<Item = u64> {
        let first = self.first.filter(|_| self.latest.len() == 1);
        first.into_iter().chain(self.first.map(|_| text))
    }

    fn add(&mut self, text: u64) {
        self.first.get_or_insert(text);
        if self.latest.len() == NEIGHBOURS {
            self.latest.pop_front();
        }
        self.latest.push_back(text);
    }
}
