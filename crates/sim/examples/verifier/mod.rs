//! Reads every WARC file whole before it goes.

use disk::Observer;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Verifies files of the archive in `dir` as they are removed. What that takes is counted apart: it is not the crawl's.
pub(crate) struct Verifier {
    dir: PathBuf,
    files: AtomicU64,
    records: AtomicU64,
    digests: AtomicU64,
    cpu_ns: AtomicU64,
}

impl Verifier {
    pub(crate) fn new(dir: PathBuf) -> Self {
        let (files, records, digests, cpu_ns) = Default::default();
        Self { dir, files, records, digests, cpu_ns }
    }

    /// Seconds of processor time.
    pub(crate) fn cpu_s(&self) -> f64 {
        self.cpu_ns.load(Relaxed) as f64 / 1e9
    }

    /// What it has done, for people.
    pub(crate) fn summary(&self) -> String {
        let [files, records, digests] =
            [&self.files, &self.records, &self.digests].map(|count| count.load(Relaxed));
        let cpu_s = self.cpu_s();
        format!(
            "{files} WARC files verified before they went, {records} records, {digests} digests right: {cpu_s:.1} s of processor, apart"
        )
    }
}

impl Observer for Verifier {
    fn read(&self, _: &Path, _: u64) {}

    fn removing(&self, path: &Path) {
        if !path.to_string_lossy().ends_with(".warc.gz") {
            return;
        }
        let before = cpu_ns();
        let file = File::open(self.dir.join(path)).expect("a file of the archive");
        let report = warc::check(BufReader::new(file));
        assert!(report.is_clean(), "{}: {:?}", path.display(), report.findings);
        self.files.fetch_add(1, Relaxed);
        self.records.fetch_add(report.records, Relaxed);
        self.digests.fetch_add(report.digests_verified, Relaxed);
        self.cpu_ns.fetch_add(cpu_ns() - before, Relaxed);
    }
}

/// What this thread has taken of a processor: the first field.
fn cpu_ns() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}
