use crate::Record;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};
use frontier::{CaptureSeq, Discovery, Origin};
use std::collections::BTreeMap;

/// Sorts discoveries by the shard that owns them. On one machine all shards are here and the batches go straight to the
/// journal; nothing in the ring depends on that.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    boxes: BTreeMap<u8, Vec<Discovery>>,
}

impl Exchange {
    pub(crate) fn send(&mut self, shard: u8, discovery: Discovery) {
        self.boxes.entry(shard).or_default().push(discovery);
    }

    /// The batches, by shard, each as one or more records.
    pub(crate) fn deliver(self, from: Option<CaptureSeq>, origin: &Origin) -> impl Iterator<Item = Record> {
        self.boxes.into_iter().flat_map(move |(shard, discoveries)| {
            let record =
                move |discoveries| Record::Received { shard, from, origin: origin.clone(), discoveries };
            batches(discoveries).into_iter().map(record)
        })
    }
}

fn batches(discoveries: Vec<Discovery>) -> Vec<Vec<Discovery>> {
    let mut batches: Vec<Vec<Discovery>> = Vec::new();
    let mut bytes = 0;
    for discovery in discoveries {
        let size = discovery.url.len();
        bytes += size;
        match batches.last_mut() {
            Some(batch) if batch.len() < DISCOVERIES_PER_RECORD && bytes <= DISCOVERY_BYTES_PER_RECORD => {
                batch.push(discovery);
            }
            _ => {
                bytes = size;
                batches.push(vec![discovery]);
            }
        }
    }
    batches
}
