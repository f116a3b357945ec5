//! What could not be appended because a bucket is full and a job runs already: it waits in memory, in order, until that
//! job is finished. Whoever discovers pauses meanwhile, so that it stays little.

use crate::seen::Seen;
use crate::url_record::UrlRecord;
use drum::{Request, Value};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use weburl::KeyHash;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrears {
    pub(crate) seen: VecDeque<Arrear>,
    pub(crate) records: VecDeque<Arrear>,
}

impl Arrears {
    /// Whether each can be appended: what comes from a checkpoint may be anything.
    pub(crate) fn are_sound(&self) -> bool {
        self.seen.iter().all(Arrear::is_of::<Seen>) && self.records.iter().all(Arrear::is_of::<UrlRecord>)
    }
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arrear {
    pub(crate) key: KeyHash,
    pub(crate) asks: Asks,
    /// The value, encoded.
    value: Vec<u8>,
    pub(crate) aux: Vec<u8>,
}

/// Whether a verdict is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Asks {
    Verdict,
    Nothing,
}

impl Arrear {
    pub(crate) fn new<V: Value>(key: KeyHash, asks: Asks, value: V, aux: &[u8]) -> Self {
        let mut bytes = vec![0; V::SIZE];
        value.encode(&mut bytes);
        Self { key, asks, value: bytes, aux: aux.to_owned() }
    }

    fn is_of<V: Value>(&self) -> bool {
        self.value.len() == V::SIZE && self.aux.len() <= drum::limits::MAX_AUX_BYTES
    }

    pub(crate) fn request<V: Value>(&self) -> Request<V> {
        self.asks.request(V::decode(&self.value))
    }

    pub(crate) fn seen(&self) -> Seen {
        Seen::decode(&self.value)
    }

    pub(crate) fn record(&self) -> UrlRecord {
        UrlRecord::decode(&self.value)
    }
}

impl Asks {
    pub(crate) fn request<V>(self, value: V) -> Request<V> {
        match self {
            Self::Verdict => Request::CheckUpdate(value),
            Self::Nothing => Request::Update(value),
        }
    }
}
