//! What a crawl without DRUM would do: look each URL up in an embedded store, and insert it if it is not there.

use crate::stopwatch::{Spent, timed};
use crate::stream::{Keys, Round, Stream};
use fjall::{Database, Keyspace, KeyspaceCreateOptions};
use std::path::Path;

/// Cache of the store: half of the memory; the rest is the operating system's to cache files with.
const CACHE_BYTES: u64 = 512 << 20;
/// Look-ups at a time.
const ROUND: usize = 1 << 14;

/// What look-ups took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Measured {
    pub(crate) checks: u64,
    pub(crate) unique: u64,
    pub(crate) preload: Spent,
    pub(crate) check: Spent,
    pub(crate) bytes: u64,
}

impl Measured {
    pub(crate) fn per_cpu_s(&self) -> f64 {
        self.checks as f64 / self.check.cpu_s
    }

    pub(crate) fn per_wall_s(&self) -> f64 {
        self.checks as f64 / self.check.wall_s
    }
}

/// Preloads a store in `dir` with `keys`, sorted, and makes `checks` checks after half as many that warm it up.
pub(crate) fn measure(
    dir: &Path,
    keys: Keys,
    stream: &mut Stream<'_>,
    checks: u64,
) -> fjall::Result<Measured> {
    let database = Database::builder(dir).cache_size(CACHE_BYTES).open()?;
    let seen = database.keyspace("seen", || KeyspaceCreateOptions::default().expect_point_read_hits(true))?;
    let mut measured = Measured::default();
    timed(&mut measured.preload, || preload(&seen, keys))?;
    measured.bytes = seen.disk_space();
    check(&seen, stream, checks / 2, &mut Measured::default())?;
    check(&seen, stream, checks, &mut measured)?;
    Ok(measured)
}

fn preload(seen: &Keyspace, keys: Keys) -> fjall::Result<()> {
    let mut ingestion = seen.start_ingestion()?;
    for key in keys.all() {
        ingestion.write(key.to_be_bytes(), b"")?;
    }
    ingestion.finish()
}

fn check(
    seen: &Keyspace,
    stream: &mut Stream<'_>,
    checks: u64,
    measured: &mut Measured,
) -> fjall::Result<()> {
    let mut round = Round::default();
    while measured.checks < checks {
        stream.next(ROUND, &mut round);
        let mut unique = 0;
        timed(&mut measured.check, || {
            round.checks.iter().try_for_each(|check| look_up(seen, check.key, &mut unique))
        })?;
        measured.checks += round.checks.len() as u64;
        measured.unique += unique;
    }
    Ok(())
}

fn look_up(seen: &Keyspace, key: u64, unique: &mut u64) -> fjall::Result<()> {
    let key = key.to_be_bytes();
    if !seen.contains_key(key)? {
        seen.insert(key, b"")?;
        *unique += 1;
    }
    Ok(())
}
