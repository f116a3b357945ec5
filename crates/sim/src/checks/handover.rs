use cluster::NodeId;
use crawler::Record;
use disk::SharedDisk;
use frontier::{Discovery, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// A node and what is on its disk.
pub struct NodeDisk {
    /// The node.
    pub node: NodeId,
    /// Its disk.
    pub disk: SharedDisk,
}

/// How far a crawl has come that is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It may go on.
    Begun,
    /// It is done.
    Done,
}

/// Names a batch over all nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    from: NodeId,
    to: NodeId,
    number: u64,
}

#[derive(Debug, PartialEq, Eq)]
struct Contents {
    shard: u8,
    origin: Origin,
    discoveries: Vec<Discovery>,
}

#[derive(Default)]
struct Journals {
    sent: BTreeMap<Name, Contents>,
    taken: BTreeMap<Name, Contents>,
    acknowledged: BTreeSet<Name>,
    wrong: Vec<String>,
}

/// Judges the journals of all nodes: what one sent another took over unchanged, and once; nothing was taken that nobody
/// sent; and nobody gave up what is not in the other's journal. When the crawl is done, nothing is left in between.
pub fn handed_over(nodes: &[NodeDisk], progress: Progress) -> Vec<String> {
    let mut journals = Journals::default();
    for node in nodes {
        if let Err(error) = journals.read(node) {
            journals.wrong.push(error);
        }
    }
    let Journals { sent, taken, acknowledged, mut wrong } = journals;
    for (name, contents) in &taken {
        match sent.get(name) {
            None => wrong.push(format!("taken, and never sent: {name:?}")),
            Some(before) if before != contents => wrong.push(format!("changed on its way: {name:?}")),
            Some(_) => {}
        }
    }
    let lost = acknowledged.iter().filter(|name| !taken.contains_key(name));
    wrong.extend(lost.map(|name| format!("acknowledged, and not there: {name:?}")));
    if progress == Progress::Done {
        let left = sent.keys().filter(|name| !taken.contains_key(name));
        wrong.extend(left.map(|name| format!("never taken: {name:?}")));
    }
    wrong
}

impl Journals {
    fn read(&mut self, NodeDisk { node, disk }: &NodeDisk) -> Result<(), String> {
        for entry in archive::ledger(disk.clone()).map_err(|error| error.to_string())? {
            let entry = entry.map_err(|error| error.to_string())?;
            let record = Record::decode(entry.seq, &entry.record).map_err(|error| error.to_string())?;
            self.note(*node, record);
        }
        Ok(())
    }

    fn note(&mut self, node: NodeId, record: Record) {
        match record {
            Record::Sent { to, number, shard, origin, discoveries } => {
                let name = Name { from: node, to, number };
                if self.sent.insert(name, Contents { shard, origin, discoveries }).is_some() {
                    self.wrong.push(format!("sent twice: {name:?}"));
                }
            }
            Record::Taken { from, number, shard, origin, discoveries } => {
                let name = Name { from, to: node, number };
                if self.taken.insert(name, Contents { shard, origin, discoveries }).is_some() {
                    self.wrong.push(format!("taken twice: {name:?}"));
                }
            }
            Record::Acknowledged { by, numbers } => {
                self.acknowledged.extend(numbers.iter().map(|&number| Name { from: node, to: by, number }));
            }
            _ => {}
        }
    }
}
