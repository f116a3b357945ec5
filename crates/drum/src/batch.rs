use crate::block::{self, BlockParts};
use crate::error::Result;
use crate::front::FrontCoded;
use crate::packing::Packing;
use crate::request::{Op, Request};
use crate::requests::take_value;
use crate::value::{Value, append_value};
use disk::AlignedBuffer;
use std::marker::PhantomData;

/// Requests of one bucket, gathered in memory in the order of discovery.
pub(crate) struct Batch<V> {
    /// Little-endian, as they stand in a block.
    keys: Vec<[u8; 8]>,
    ops: Vec<Op>,
    /// Of the requests that bring one.
    values: Vec<u8>,
    aux: FrontCoded,
    /// Of all aux, as it came.
    aux_bytes: u64,
    value: PhantomData<V>,
}

impl<V: Value> Batch<V> {
    pub(crate) fn new() -> Self {
        Self {
            keys: Vec::new(),
            ops: Vec::new(),
            values: Vec::new(),
            aux: FrontCoded::default(),
            aux_bytes: 0,
            value: PhantomData,
        }
    }

    pub(crate) fn push(&mut self, key: u64, request: &Request<V>, aux: &[u8], packing: Packing) {
        self.keys.push(key.to_le_bytes());
        self.ops.push(request.op());
        if let Some(value) = request.value() {
            append_value(&mut self.values, value);
        }
        self.aux_bytes += aux.len() as u64;
        match packing {
            Packing::Bare => self.aux.push_bare(aux),
            Packing::Packed => self.aux.push(aux),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn count_of(&self, key: u64) -> u64 {
        let key = key.to_le_bytes();
        self.keys.iter().filter(|waiting| **waiting == key).count() as u64
    }

    /// The requests: each key, and what it brings.
    pub(crate) fn requests(&self) -> impl Iterator<Item = (u64, Option<V>)> {
        let mut values = self.values.as_slice();
        let request = move |(key, op): (&[u8; 8], &Op)| {
            (u64::from_le_bytes(*key), op.updates().then(|| take_value(&mut values)))
        };
        self.keys.iter().zip(&self.ops).map(request)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Bytes gathered, before compression.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.len() * size_of::<u64>() + self.ops.len() + self.values.len() + self.aux.bytes()
    }

    /// Bytes of aux, unpacked.
    pub(crate) fn aux_bytes(&self) -> u64 {
        self.aux_bytes
    }

    /// The batch as one block of a bucket file.
    pub(crate) fn to_block(&self, packing: Packing) -> Result<AlignedBuffer> {
        let parts = BlockParts {
            keys: &self.keys,
            ops: &self.ops,
            values: &self.values,
            lengths: &self.aux.lengths,
            rests: &self.aux.rests,
        };
        Ok(block::encode(&parts, V::SIZE, packing)?)
    }

    /// Gives back the memory of an empty batch.
    pub(crate) fn release(&mut self) {
        assert!(self.is_empty(), "what is not in a block yet must stay");
        *self = Self::new();
    }

    /// Empties the batch; its memory stays for the next requests.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.ops.clear();
        self.values.clear();
        self.aux.clear();
        self.aux_bytes = 0;
    }
}
