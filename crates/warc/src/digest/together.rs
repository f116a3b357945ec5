//! Two SHA-1s in one pass over the bytes they share.

use super::{Sha1Digest, sha1_digest};

/// The digests that a response has: of its block, which is its head and its payload, and of its payload alone.
///
/// A processor with instructions for SHA-1 (Intel SHA Extensions) is idle most of the time while it makes one: each takes four rounds and
/// waits for the four before. A second digest fits in between, and costs a tenth more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponseDigests {
    /// `WARC-Block-Digest`.
    pub block: Sha1Digest,
    /// `WARC-Payload-Digest`.
    pub payload: Sha1Digest,
}

impl ResponseDigests {
    /// Of a response with this head and this payload.
    pub fn of(head: &[u8], payload: &[u8]) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(digests) = interleaved::of(head, payload) {
            return digests;
        }
        Self { block: sha1_digest(&[head, payload]), payload: Sha1Digest::of(payload) }
    }
}

#[cfg(target_arch = "x86_64")]
mod interleaved {
    use super::{ResponseDigests, Sha1Digest};
    use sha1::block_api::compress;
    use std::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_extract_epi32, _mm_set_epi32, _mm_set_epi64x, _mm_sha1msg1_epu32,
        _mm_sha1msg2_epu32, _mm_sha1nexte_epu32, _mm_sha1rnds4_epu32, _mm_xor_si128,
    };

    /// Bytes that are compressed at once (FIPS 180-4, section 5.2.1).
    type Chunk = [u8; 64];

    /// The words a to e that a message has come to so far.
    type State = [u32; 5];

    /// Those of no message (section 5.3.1).
    const START: State = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

    /// None where the processor lacks the instructions, and of what is too short to share a chunk.
    ///
    /// The block takes as much of the payload as fills the last chunk of the head. From there on each takes a chunk of the payload at
    /// a time, the payload's own from its start.
    pub(super) fn of(head: &[u8], payload: &[u8]) -> Option<ResponseDigests> {
        if !(is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1")) {
            return None;
        }
        let (whole, begun) = head.as_chunks();
        let filling = head.len().next_multiple_of(size_of::<Chunk>()) - head.len();
        let (filling, further) = payload.split_at_checked(filling)?;
        let (further, left) = further.as_chunks();
        let mut states = [START; 2];
        compress(&mut states[0], whole);
        compress(&mut states[0], [begun, filling].concat().as_chunks().0);
        // SAFETY: the processor has what the function is compiled for.
        #[expect(unsafe_code, reason = "instructions that not every processor has")]
        unsafe {
            compress_both(&mut states, further, payload.as_chunks().0);
        }
        let [block, alone] = states;
        Some(ResponseDigests {
            block: finish(block, left, head.len() + payload.len()),
            payload: finish(alone, &payload[further.as_flattened().len()..], payload.len()),
        })
    }

    /// The digest of a message of `length` bytes, of which `left` have not been compressed: behind them come a one, zeros, and how
    /// many bits there were (section 5.1.1).
    fn finish(mut state: State, left: &[u8], length: usize) -> Sha1Digest {
        let mut end = [left, &[0x80]].concat();
        let whole = (end.len() + size_of::<u64>()).next_multiple_of(size_of::<Chunk>());
        end.resize(whole - size_of::<u64>(), 0);
        end.extend_from_slice(&(8 * length as u64).to_be_bytes());
        compress(&mut state, end.as_chunks().0);
        let mut digest = [0; 20];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        Sha1Digest(digest)
    }

    /// A message under way, as the instructions have it.
    #[derive(Clone, Copy)]
    struct Lane {
        /// The words a to d, from the highest down.
        abcd: __m128i,
        /// The word e, highest; within a chunk what a to d were four rounds ago, of which the instructions make it.
        e: __m128i,
        /// The last sixteen words of the schedule (section 6.1.2).
        schedule: [__m128i; 4],
    }

    /// Compresses a chunk of each message in turn, as many as both have.
    #[target_feature(enable = "sha,sse4.1")]
    fn compress_both(states: &mut [State; 2], ones: &[Chunk], others: &[Chunk]) {
        let mut lanes = states.map(|state| begin(state));
        for (one, other) in ones.iter().zip(others) {
            let before = lanes;
            [lanes[0].schedule, lanes[1].schedule] = [words(one), words(other)];
            twenty_rounds::<0>(&mut lanes);
            twenty_rounds::<1>(&mut lanes);
            twenty_rounds::<2>(&mut lanes);
            twenty_rounds::<3>(&mut lanes);
            for (lane, before) in lanes.iter_mut().zip(before) {
                lane.e = _mm_sha1nexte_epu32(lane.e, before.e);
                lane.abcd = _mm_add_epi32(lane.abcd, before.abcd);
            }
        }
        *states = lanes.map(|lane| end(lane));
    }

    /// The rounds that have the function and the constant number `STAGE` (sections 4.1.1 and 4.2.1), of either message.
    #[target_feature(enable = "sha,sse4.1")]
    fn twenty_rounds<const STAGE: i32>(lanes: &mut [Lane; 2]) {
        for step in 5 * STAGE as usize..5 * (STAGE as usize + 1) {
            for Lane { abcd, e, schedule } in &mut *lanes {
                let [oldest, second, third, newest] = [0, 1, 2, 3].map(|k| schedule[(step + k) % 4]);
                let words = if step < 4 {
                    oldest
                } else {
                    let begun = _mm_xor_si128(_mm_sha1msg1_epu32(oldest, second), third);
                    _mm_sha1msg2_epu32(begun, newest)
                };
                schedule[step % 4] = words;
                let added = if step == 0 { _mm_add_epi32(*e, words) } else { _mm_sha1nexte_epu32(*e, words) };
                *e = *abcd;
                *abcd = _mm_sha1rnds4_epu32::<STAGE>(*abcd, added);
            }
        }
    }

    #[target_feature(enable = "sha,sse4.1")]
    fn begin(state: State) -> Lane {
        let word = |n: usize| state[n].cast_signed();
        Lane {
            abcd: _mm_set_epi32(word(0), word(1), word(2), word(3)),
            e: _mm_set_epi32(word(4), 0, 0, 0),
            schedule: [_mm_set_epi64x(0, 0); 4],
        }
    }

    #[target_feature(enable = "sha,sse4.1")]
    fn end(lane: Lane) -> State {
        let words = [
            _mm_extract_epi32::<3>(lane.abcd),
            _mm_extract_epi32::<2>(lane.abcd),
            _mm_extract_epi32::<1>(lane.abcd),
            _mm_extract_epi32::<0>(lane.abcd),
            _mm_extract_epi32::<3>(lane.e),
        ];
        words.map(i32::cast_unsigned)
    }

    /// The sixteen words of a chunk, each four from the highest down.
    #[target_feature(enable = "sha,sse4.1")]
    fn words(chunk: &Chunk) -> [__m128i; 4] {
        let eight = |k: usize| i64::from_be_bytes(chunk.as_chunks().0[k]);
        [0, 2, 4, 6].map(|k| _mm_set_epi64x(eight(k), eight(k + 1)))
    }
}
