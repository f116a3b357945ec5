use crate::Record;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};
use frontier::{CaptureSeq, Discovery, Origin};

/// Sorts discoveries by the shard that owns them. On one machine all shards are here and the batches go straight to the
/// journal; nothing in the ring depends on that.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    sent: Vec<Sent>,
}

#[derive(Debug)]
struct Sent {
    shard: u8,
    discovery: Discovery,
}

impl Exchange {
    /// With room for so many discoveries.
    pub(crate) fn with_capacity(discoveries: usize) -> Self {
        Self { sent: Vec::with_capacity(discoveries) }
    }

    pub(crate) fn send(&mut self, shard: u8, discovery: Discovery) {
        self.sent.push(Sent { shard, discovery });
    }

    /// The batches, by shard, each as one or more records.
    pub(crate) fn deliver(
        mut self,
        from: Option<CaptureSeq>,
        origin: &Origin,
    ) -> impl Iterator<Item = Record> {
        self.sent.sort_by_key(|sent| sent.shard);
        let mut rest = self.sent.into_iter();
        std::iter::from_fn(move || {
            let shard = rest.as_slice().first()?.shard;
            let count = batch(rest.as_slice());
            let discoveries = rest.by_ref().take(count).map(|sent| sent.discovery).collect();
            Some(Record::Received { shard, from, origin: origin.clone(), discoveries })
        })
    }
}

/// How many go into the next record: of one shard, and at most as much as a record may hold, but one at least.
fn batch(sent: &[Sent]) -> usize {
    let mut bytes = 0;
    let fits = |next: &&Sent| {
        bytes += next.discovery.url.len();
        next.shard == sent[0].shard && bytes <= DISCOVERY_BYTES_PER_RECORD
    };
    sent.iter().take(DISCOVERIES_PER_RECORD).take_while(fits).count().max(1)
}
