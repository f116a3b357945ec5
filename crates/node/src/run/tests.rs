use super::{Ended, run, wall_clock};
use crate::examples::config;
use crate::{NodeConfig, NodeError, Witness, Witnessed, channel, order};
use archive::Entry;
use control::{Command, Effect, Target};
use crawler::{Digested, Exit};
use crossbeam_channel::bounded;
use disk::{MemDisk, Observed, Observer, SharedDisk, replace_file};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;
use stdx::nobody;
use weburl::Url;

/// Nobody waits for a node that hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// A run of a crawl with one seed, where no server may be contacted.
fn check(config: NodeConfig) -> Result<Ended, NodeError> {
    check_on(Arc::new(MemDisk::new()), config)
}

/// One of a crawl that is on this disk, if there is one.
fn check_on(disk: SharedDisk, config: NodeConfig) -> Result<Ended, NodeError> {
    let (sender, ended) = bounded(1);
    thread::spawn(move || {
        let seeds = vec![vec![Url::parse("http://127.0.0.1:9/").unwrap()]];
        let (_operator, control) = channel();
        let run = run(&config, disk, Box::new(seeds.into_iter()), &control, &mut |_| {});
        sender.send(run).unwrap();
    });
    ended.recv_timeout(PATIENCE).expect("it ends")
}

#[test]
fn a_crawl_takes_its_seeds_and_comes_to_its_end() {
    let ended = check(config()).unwrap();
    assert_eq!(ended.exit, Exit::Done);
    assert_eq!(ended.snapshot.discovered, 1);
}

/// Reads slowly at first, and then knows what time it was.
#[derive(Default)]
struct Slow(OnceLock<u64>);

#[expect(clippy::disallowed_methods, reason = "it takes real time")]
impl Observer for Slow {
    fn read(&self, _: &Path, _: u64) {
        self.0.get_or_init(|| {
            thread::sleep(Duration::from_millis(500));
            wall_clock().unix_ms()
        });
    }
}

#[test]
fn the_clock_does_not_lose_what_recovery_takes() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    check_on(disk.clone(), config()).unwrap();
    let slow = Arc::new(Slow::default());
    let ended = check_on(Arc::new(Observed::new(disk, slow.clone())), config()).unwrap();
    assert!(ended.snapshot.now_ms >= *slow.0.get().expect("it reads what there is"));
}

#[test]
fn an_order_at_rest_needs_no_corpus_that_lacks_nothing() {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    check_on(disk.clone(), config()).unwrap();
    replace_file(&*disk, Path::new("corpus/pages-00001.parquet"), b"damaged").unwrap();
    let exclude = Command::Exclude(Target::Host("a.example".parse().unwrap()));
    let (answer, left) = order(&config(), disk.clone(), exclude, &mut nobody);
    left.unwrap();
    assert_eq!(answer.unwrap().effect, Effect::Done);
    let refused = check_on(disk, config());
    assert!(matches!(refused, Err(NodeError::Corpus(corpus::Error::Damaged { .. }))), "{refused:?}");
}

/// Panics in the archive's thread.
struct Clumsy;

impl Witness for Clumsy {
    fn committed(&self, _: u64, _: &[Entry]) {
        panic!("a commit that cannot be");
    }

    fn digested(&self, _: &Digested) {}
}

#[test]
fn a_panic_of_the_archive_ends_the_node() {
    let witnessed = Witnessed::default().by(Arc::new(Clumsy));
    let ended = check(NodeConfig { witnessed, ..config() });
    assert!(matches!(ended, Err(NodeError::ThreadLost("archive"))), "{ended:?}");
}
