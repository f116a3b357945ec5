//! Reads every WARC file whole that goes.

use disk::Observer;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// Verifies files of the archive in `dir` that are removed, on a thread of its own. What that takes of the processor is
/// counted apart: it is not the crawl's.
pub(crate) struct Verifier {
    dir: PathBuf,
    hand: Mutex<Option<Hand>>,
    done: Arc<Mutex<Done>>,
}

struct Hand {
    files: SyncSender<(PathBuf, File)>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Done {
    /// What the kernel says of the thread, while it runs.
    schedstat: PathBuf,
    files: u64,
    records: u64,
    digests: u64,
    /// Nanoseconds of the processor, when a file was last done.
    cpu_ns: u64,
}

/// Files that wait, removed but open, before the crawl does.
const WAITING: usize = 2;

impl Verifier {
    pub(crate) fn new(dir: PathBuf) -> Self {
        let (files, waiting) = sync_channel(WAITING);
        let done = Arc::new(Mutex::new(Done::default()));
        let thread = thread::spawn({
            let done = Arc::clone(&done);
            move || verify(&waiting, &done)
        });
        Self { dir, hand: Mutex::new(Some(Hand { files, thread })), done }
    }

    /// Seconds of processor time.
    pub(crate) fn cpu_s(&self) -> f64 {
        let done = self.done.lock().expect("no file was bad");
        cpu_ns(&done.schedstat).unwrap_or(done.cpu_ns) as f64 / 1e9
    }

    /// Waits until all that was removed is verified, and says what was done, for people.
    pub(crate) fn finish(&self) -> String {
        if let Some(Hand { files, thread }) = self.hand.lock().expect("nobody panics with it").take() {
            drop(files);
            thread.join().expect("no file was bad");
        }
        let cpu_s = self.cpu_s();
        let Done { files, records, digests, .. } = &*self.done.lock().expect("no file was bad");
        format!(
            "{files} WARC files verified that went, {records} records, {digests} digests right: {cpu_s:.1} s of processor, apart"
        )
    }
}

impl Observer for Verifier {
    fn read(&self, _: &Path, _: u64) {}

    fn removing(&self, path: &Path) {
        if !path.to_string_lossy().ends_with(".warc.gz") {
            return;
        }
        let file = File::open(self.dir.join(path)).expect("a file of the archive");
        let hand = self.hand.lock().expect("nobody panics with it");
        let Hand { files, .. } = hand.as_ref().expect("it is there until the crawl is over");
        files.send((path.to_owned(), file)).expect("no file was bad");
    }
}

fn verify(files: &Receiver<(PathBuf, File)>, done: &Mutex<Done>) {
    let of_thread = fs::read_link("/proc/thread-self").unwrap_or_default();
    let schedstat = Path::new("/proc").join(of_thread).join("schedstat");
    done.lock().expect("nobody panics with it").schedstat.clone_from(&schedstat);
    for (path, file) in files {
        let report = warc::check(BufReader::new(file));
        assert!(report.is_clean(), "{}: {:?}", path.display(), report.findings);
        let mut done = done.lock().expect("nobody panics with it");
        done.files += 1;
        done.records += report.records;
        done.digests += report.digests_verified;
        done.cpu_ns = cpu_ns(&schedstat).unwrap_or(0);
    }
}

/// What a thread has taken of a processor: the first field.
fn cpu_ns(schedstat: &Path) -> Option<u64> {
    let stat = fs::read_to_string(schedstat).ok()?;
    stat.split_whitespace().next()?.parse().ok()
}
