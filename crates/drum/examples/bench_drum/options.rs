//! What the command line says.

use std::path::PathBuf;

/// The requests that go with fewer stay in the buffers.
const FEWEST_KEYS: u64 = 1_000_000;

#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) from: u64,
    pub(crate) keys: u64,
    checks: Option<u64>,
    pub(crate) lookups: u64,
    store_keys: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) data: Option<PathBuf>,
    pub(crate) dir: PathBuf,
}

impl Options {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Self {
        let mut options = Self::default();
        while let Some(name) = words.next() {
            let value = words.next().unwrap_or_else(|| panic!("{name} needs a value"));
            match name.as_str() {
                "--from" => options.from = number(&value),
                "--keys" => options.keys = number(&value),
                "--checks" => options.checks = Some(number(&value)),
                "--lookups" => options.lookups = number(&value),
                "--store-keys" => options.store_keys = number(&value),
                "--memory" => options.memory_bytes = number(&value),
                "--data" => options.data = Some(value.into()),
                "--dir" => options.dir = value.into(),
                _ => panic!("no option {name}: see the head of bench_drum.rs"),
            }
        }
        assert!(
            options.from.min(options.keys) >= FEWEST_KEYS,
            "fewer keys than {FEWEST_KEYS} measure nothing"
        );
        options
    }

    /// Whether the store is measured with so many keys; it takes more disk than DRUM.
    pub(crate) fn store_holds(&self, keys: u64) -> bool {
        keys <= self.store_keys
    }

    /// How many checks go with `keys`: two for three, so that the keys' share of α is a ninth; more with few keys,
    /// so that every bucket is written many times.
    pub(crate) fn checks_for(&self, keys: u64) -> u64 {
        self.checks.unwrap_or((2 * keys / 3).max(10_000_000.min(4 * keys)))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            from: 10_000_000,
            keys: 100_000_000,
            checks: None,
            lookups: 100_000,
            store_keys: u64::MAX,
            memory_bytes: 1 << 30,
            data: testdata::path(""),
            dir: PathBuf::from("target"),
        }
    }
}

/// A whole number, also as `1e9`.
fn number(text: &str) -> u64 {
    let number: f64 = text.parse().unwrap_or_else(|_| panic!("{text} is no number"));
    number as u64
}
