use crate::error::Result;
use crate::limits::NEIGHBOURS;
use crate::sorter::{Sorted, Sorter};
use std::collections::VecDeque;
use stdx::{Step, Watch};

/// Pairs each text of a band with the first of that band and with the few before it. `bands` has (band, text).
pub(crate) fn pair_up(mut bands: Sorted, pairs: &mut Sorter, watch: &mut Watch<'_>) -> Result<()> {
    let mut band = Band::default();
    let mut done = 0;
    while let Some([key, text]) = bands.next()? {
        watch(Step::items("pairing texts up: bands", done, 0));
        done += 1;
        if key != band.key || band.first.is_none() {
            band = Band { key, ..Band::default() };
        }
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

    fn add(&mut self, text: u64) {
        self.first.get_or_insert(text);
        if self.latest.len() == NEIGHBOURS {
            self.latest.pop_front();
        }
        self.latest.push_back(text);
    }
}
