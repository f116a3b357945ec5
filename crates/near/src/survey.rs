use crate::candidates::pair_up;
use crate::comparison::Comparison;
use crate::error::Result;
use crate::limits::MEMORY_LEAST_BYTES;
use crate::minhash::{bands, rows_for};
use crate::scratch::Scratch;
use crate::shingles::Similarity;
use crate::sorter::Sorter;
use crate::tables::{Entry, Tables};
use disk::SharedDisk;
use std::path::Path;
use stdx::Watch;

/// What is looked for, and with how much memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Config {
    /// Texts at least this similar are near-duplicates.
    pub similarity: Similarity,
    /// What a search may take, and at least [`MEMORY_LEAST_BYTES`]; beside it three texts and their shingles.
    pub memory_bytes: usize,
}

impl Default for Config {
    /// Nine in ten shingles of either in common; 256 MiB.
    fn default() -> Self {
        Self { similarity: Similarity(0.9), memory_bytes: 256 << 20 }
    }
}

impl Config {
    /// What one of the structures that are there at once may take.
    pub(crate) fn quarter_bytes(&self) -> usize {
        self.memory_bytes.max(MEMORY_LEAST_BYTES) / 4
    }
}

/// The first pass: what each text is like, in few bytes, and from that which texts may be near-duplicates. Texts are
/// numbered from 0 in the order in which they come.
pub struct Survey {
    scratch: Scratch,
    config: Config,
    texts: u64,
    /// Minima of a band.
    rows: usize,
    bands: Sorter,
    pairs: Sorter,
    batch: Vec<Entry>,
    tables: Tables,
}

/// Bytes that an entry of a batch takes until it is in the tables.
const BATCH_ENTRY_BYTES: usize = 80;

impl Survey {
    /// Begins a search whose files lie in `dir` while it runs; what an earlier one left there is removed.
    pub fn begin(disk: SharedDisk, dir: &Path, config: Config) -> Result<Self> {
        let scratch = Scratch::take(disk, dir)?;
        let sorter = |name| Sorter::new(&scratch, name, config.quarter_bytes());
        let (bands, pairs) = (sorter("bands"), sorter("pairs"));
        let tables = Tables::open(scratch.disk.clone(), scratch.dir())?;
        let rows = rows_for(config.similarity);
        Ok(Self { scratch, config, texts: 0, rows, bands, pairs, batch: Vec::new(), tables })
    }

    /// The next text, and its fingerprint if it has one.
    pub fn add(&mut self, fingerprint: Option<u64>, text: &str) -> Result<()> {
        let id = self.texts;
        self.texts += 1;
        bands(text, self.rows).iter().try_for_each(|key| self.bands.push([*key, id]))?;
        self.batch.extend(fingerprint.map(|fingerprint| Entry { fingerprint, id }));
        if (self.batch.len() + 1) * BATCH_ENTRY_BYTES > self.config.quarter_bytes() {
            self.enter()
        } else {
            Ok(())
        }
    }

    /// Goes on to the second pass, over the same texts in the same order. `watch` is told how many texts have
    /// been looked at for those that may be near them.
    pub fn compare(mut self, watch: &mut Watch<'_>) -> Result<Comparison> {
        self.enter()?;
        self.tables.remove()?;
        let mut shared = Sorter::new(&self.scratch, "shared", self.config.quarter_bytes());
        pair_up(self.bands.finish()?, &mut self.pairs, &mut shared, watch)?;
        let shared = shared.finish()?.keep(&self.scratch, "bands-of-texts", 0)?;
        Comparison::begin(self.scratch, self.config, self.texts, self.pairs, shared)
    }

    /// Puts the fingerprints at hand into the tables.
    fn enter(&mut self) -> Result<()> {
        let pairs = &mut self.pairs;
        self.tables
            .add(&self.batch, |found| pairs.push([found.known.min(found.new), found.known.max(found.new)]))?;
        self.batch.clear();
        Ok(())
    }
}
