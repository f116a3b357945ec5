use super::{Corpus, CorpusCommand, CorpusWriter};
use crate::examples::report;
use crate::executor::Message;
use corpus::{CorpusLimits, Row};
use crawler::{Event, Storage};
use crossbeam_channel::bounded;
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, MemDisk};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The loop waits for this thread when it has the file closed, and nobody takes messages meanwhile.
#[test]
fn a_full_disk_is_told_once_however_many_rows_there_are() {
    let disk = FaultyDisk::counting(MemDisk::new());
    let mut corpus = Corpus::new(Arc::new(disk.clone()), CorpusLimits::default());
    corpus.open().unwrap();
    disk.set_plan(Some(FaultPlan { call: disk.calls(), fault: Fault::Full, lasts: Lasts::Forever }));
    let rows = (0..100).map(|capture| Row { capture, ..Row::default() }).collect();
    let ((sender, commands), (report, messages)) = (bounded(1), report());
    sender.send(CorpusCommand::Push(rows)).unwrap();
    drop(sender);
    let (is_over, over) = bounded(1);
    thread::spawn(move || {
        CorpusWriter { corpus, report }.serve(&commands);
        is_over.send(()).unwrap();
    });
    over.recv_timeout(Duration::from_secs(20)).expect("it waits for nobody");
    let told: Vec<_> = messages.try_iter().collect();
    let [Message::Event(Event::Storage(Storage::Full { because }))] = &told[..] else {
        panic!("{} messages", told.len());
    };
    assert!(because.contains("no storage space"), "{because}");
}
