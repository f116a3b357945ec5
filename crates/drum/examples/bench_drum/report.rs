//! What is printed: lines for people, and one line of JSON for programs.

use crate::gigabyte::Gigabyte;
use crate::options::Options;
use crate::outlinks::Outlinks;
use crate::stopwatch::Spent;
use crate::stream::SHARDS;
use crate::{seen_set, store, theorem};
use serde_json::json;

/// One size.
pub(crate) struct Row {
    pub(crate) keys: u64,
    pub(crate) drum: seen_set::Measured,
    /// `None` if the store was not to hold so many.
    pub(crate) store: Option<store::Measured>,
}

pub(crate) struct Report {
    rows: Vec<Row>,
    bare: Option<Row>,
    text: String,
}

impl Report {
    pub(crate) fn begin(options: &Options, outlinks: &Outlinks, gigabyte: &Gigabyte) -> Self {
        println!("memory: {} bytes, {}", options.memory_bytes, gigabyte.describe());
        println!(
            "text: {}; {} texts of {:.1} bytes",
            outlinks.source,
            outlinks.texts.len(),
            outlinks.mean_bytes()
        );
        println!("directory: {}", options.dir.display());
        println!("DRUM: {SHARDS} shards, one bucket each; p = 1/9; n counted after the cache");
        Self { rows: Vec::new(), bare: None, text: outlinks.source.clone() }
    }

    pub(crate) fn last(&self) -> &Row {
        self.rows.last().expect("there was a size")
    }

    pub(crate) fn add(&mut self, row: Row) {
        print_store(&row);
        self.rows.push(row);
    }

    pub(crate) fn add_bare(&mut self, row: Row) {
        let (drum, packed) = (&row.drum, self.last());
        println!(
            "α at {:.0e} keys with {:.1} GB for buckets:",
            packed.keys as f64,
            giga(packed.drum.bucket_bytes)
        );
        println!(
            "    text compressed {:.3} (the text to {:.3} of itself)",
            packed.drum.alpha(),
            packed.drum.text_ratio()
        );
        println!(
            "    not compressed  {:.3} (measured at {:.0e} keys, as much disk a key)",
            drum.alpha(),
            row.keys as f64
        );
        println!("    Theorem 2       {:.3}", theorem::alpha(&packed.drum, packed.keys));
        println!("    its lower bound {:.3}", theorem::least(&packed.drum));
        self.bare = Some(row);
    }

    pub(crate) fn end(&self, gigabyte: &Gigabyte) {
        let last = self.last();
        if let Some(bytes) = gigabyte.most_used() {
            println!("most memory used, page cache included: {:.3} GiB", bytes as f64 / (1u64 << 30) as f64);
        }
        let stored = self.rows.iter().rev().find(|row| row.store.is_some());
        let figures = json!({
            "bench": "drum",
            "text": self.text,
            "memory_enforced": gigabyte.is_enforced(),
            "memory_most_bytes": gigabyte.most_used(),
            "keys": last.keys,
            "checks": last.drum.checks,
            "checks_per_cpu_s": last.drum.per_cpu_s(),
            "checks_per_wall_s": last.drum.per_wall_s(),
            "alpha": last.drum.alpha(),
            "alpha_bare": self.bare.as_ref().map(|row| row.drum.alpha()),
            "alpha_theorem_2": theorem::alpha(&last.drum, last.keys),
            "alpha_least": theorem::least(&last.drum),
            "text_ratio": last.drum.text_ratio(),
            "bucket_disk_bytes": last.drum.bucket_bytes,
            "store_keys": stored.map(|row| row.keys),
            "times_store_cpu": stored.and_then(Row::times_store_cpu),
            "times_store_wall": stored.and_then(Row::times_store_wall),
            "growth": self.rows.iter().map(growth).collect::<Vec<_>>(),
        });
        println!("{figures}");
    }
}

impl Row {
    fn times_store_cpu(&self) -> Option<f64> {
        Some(self.drum.per_cpu_s() / self.store?.per_cpu_s())
    }

    fn times_store_wall(&self) -> Option<f64> {
        Some(self.drum.per_wall_s() / self.store?.per_wall_s())
    }
}

fn growth(row: &Row) -> serde_json::Value {
    json!({
        "keys": row.keys,
        "checks_per_cpu_s": row.drum.per_cpu_s(),
        "alpha": row.drum.alpha(),
        "store_lookups_per_cpu_s": row.store.map(|store| store.per_cpu_s()),
        "store_lookups_per_wall_s": row.store.map(|store| store.per_wall_s()),
    })
}

/// Said as soon as it is known: the store takes its time.
pub(crate) fn print_drum(keys: u64, drum: &seen_set::Measured) {
    println!("{:.0e} keys", keys as f64);
    let checks = drum.checks as f64;
    println!(
        "    DRUM   {:.2} M checks a core-second ({:.0} ns: appending {:.0}, merging {:.0}), {:.2} M a second of wall time; α {:.3}",
        drum.per_cpu_s() / 1e6,
        1e9 / drum.per_cpu_s(),
        drum.append.cpu_s * 1e9 / checks,
        drum.merge.cpu_s * 1e9 / checks,
        drum.per_wall_s() / 1e6,
        drum.alpha(),
    );
    println!(
        "           {:.2e} checks, 1 in {:.2} new, {:.1} bytes each; {:.2} GB waited in buckets ({:.1} bytes a check), keys take {:.2} GB",
        checks,
        1.0 / drum.unique_share(),
        drum.mean_bytes(),
        giga(drum.bucket_bytes),
        drum.bucket_bytes as f64 / checks,
        giga(drum.key_bytes),
    );
    print_alpha(drum);
    println!("           preloaded, sorted: {:.0} ns a key", ns_a_key(keys, drum.preload));
}

fn print_store(row: &Row) {
    let Some(store) = &row.store else {
        println!("    fjall  left out: --store-keys");
        return;
    };
    println!(
        "    fjall  {:.1} µs a look-up of core time, {:.1} µs of wall time ({:.1e} look-ups, {:.2} GB); DRUM is {:.0}× and {:.0}×",
        1e6 / store.per_cpu_s(),
        1e6 / store.per_wall_s(),
        store.checks as f64,
        giga(store.bytes),
        row.times_store_cpu().unwrap_or_default(),
        row.times_store_wall().unwrap_or_default(),
    );
    println!("           preloaded, sorted: {:.0} ns a key", ns_a_key(row.keys, store.preload));
}

fn print_alpha(drum: &seen_set::Measured) {
    let share = |bytes: u64| bytes as f64 / drum.text_bytes as f64;
    let moved = drum.traffic;
    println!(
        "           α: buckets written {:.3}, read {:.3}; keys read {:.3}, written {:.3}; queue of new URLs {:.3}",
        share(moved.bucket_written),
        share(moved.bucket_read),
        share(moved.keys_read),
        share(moved.keys_written),
        share(drum.queue_bytes),
    );
}

fn ns_a_key(keys: u64, spent: Spent) -> f64 {
    spent.cpu_s * 1e9 / keys as f64
}

fn giga(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}
