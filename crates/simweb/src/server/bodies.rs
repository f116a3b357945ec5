use crate::answer::{BodyId, Media};
use crate::limits;
use crate::web::Web;
use bytes::Bytes;
use libdeflater::{CompressionLvl, Compressor};
use std::collections::VecDeque;
use stdx::{Map, map};

/// Compressed bodies, made once as long as there is room; the oldest go first.
pub(crate) struct Bodies {
    compressor: Compressor,
    kept: Map<BodyId, Bytes>,
    order: VecDeque<BodyId>,
    bytes: usize,
}

/// What zlib takes unless told otherwise: a page of 240 KB becomes 44, as saved pages do.
const LEVEL: i32 = 6;

impl Bodies {
    pub(crate) fn new(level: Option<u8>) -> Self {
        let level = CompressionLvl::new(level.map_or(LEVEL, i32::from)).expect("the level exists");
        Self { compressor: Compressor::new(level), kept: map(), order: VecDeque::new(), bytes: 0 }
    }

    /// Whether a body is worth compressing.
    pub(crate) fn compresses(body: &BodyId) -> bool {
        matches!(body.media, Media::Html | Media::Text | Media::Xml)
    }

    /// The gzip file of a body.
    pub(crate) fn gzip(&mut self, web: &Web, body: BodyId) -> Bytes {
        if let Some(kept) = self.kept.get(&body) {
            return kept.clone();
        }
        let made = self.compress(&web.body(&body));
        self.keep(body, made.clone());
        made
    }

    fn compress(&mut self, plain: &[u8]) -> Bytes {
        let mut out = vec![0; self.compressor.gzip_compress_bound(plain.len())];
        let length = self.compressor.gzip_compress(plain, &mut out).expect("the bound is enough");
        Bytes::copy_from_slice(&out[..length])
    }

    fn keep(&mut self, body: BodyId, made: Bytes) {
        self.bytes += made.len();
        self.order.push_back(body);
        self.kept.insert(body, made);
        while self.bytes > limits::CACHED_BYTES {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.kept.remove(&oldest).map_or(0, |bytes| bytes.len());
        }
    }
}
