use super::{Ended, run};
use crate::examples::config;
use crate::{NodeConfig, NodeError, Witness, Witnessed, channel};
use archive::Entry;
use crawler::{Digested, Exit};
use crossbeam_channel::bounded;
use disk::MemDisk;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use weburl::Url;

/// Nobody waits for a node that hangs.
const PATIENCE: Duration = Duration::from_mins(1);

/// A run of a crawl with one seed, where no server may be contacted.
fn check(config: NodeConfig) -> Result<Ended, NodeError> {
    let (sender, ended) = bounded(1);
    thread::spawn(move || {
        let seeds = vec![vec![Url::parse("http://127.0.0.1:9/").unwrap()]];
        let (_operator, control) = channel();
        let disk = Arc::new(MemDisk::new());
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
