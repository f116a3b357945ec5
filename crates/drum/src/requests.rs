use crate::block::Columns;
use crate::error::Result;
use crate::request::Op;
use crate::segment::{SegmentReader, TextPlace};
use crate::value::Value;

/// What waits in a bucket, by the order of discovery, and what becomes of it; all but the text.
pub(crate) struct Requests<V> {
    pub(crate) keys: Vec<u64>,
    pub(crate) outcomes: Vec<Outcome<V>>,
    pub(crate) texts: Vec<Text>,
}

/// What a request wants and brings, and what it finds: that is written by the merge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome<V> {
    pub(crate) op: Op,
    pub(crate) update: Option<V>,
    pub(crate) before: Option<V>,
}

/// Where the texts of a block are.
pub(crate) struct Text {
    pub(crate) segment: usize,
    pub(crate) place: TextPlace,
}

impl<V: Value> Requests<V> {
    pub(crate) fn read(segments: &[SegmentReader<'_>]) -> Result<Self> {
        let mut requests = Self { keys: Vec::new(), outcomes: Vec::new(), texts: Vec::new() };
        for (segment, reader) in segments.iter().enumerate() {
            reader.for_each_block(V::SIZE, |columns, place| {
                requests.keys.extend(columns.keys());
                requests.append_outcomes(&columns, place.count());
                requests.texts.push(Text { segment, place });
            })?;
        }
        Ok(requests)
    }

    fn append_outcomes(&mut self, columns: &Columns<'_>, count: usize) {
        let mut values = columns.values;
        self.outcomes.extend((0..count).map(|nth| {
            let op = columns.op(nth);
            let update = op.updates().then(|| take_value(&mut values));
            Outcome { op, update, before: None }
        }));
    }
}

/// Takes the first of a column of values.
pub(crate) fn take_value<V: Value>(values: &mut &[u8]) -> V {
    let (value, rest) = values.split_at(V::SIZE);
    *values = rest;
    V::decode(value)
}
