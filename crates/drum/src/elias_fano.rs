//! Ascending keys in 2 + log2(universe / count) bits each (Elias 1974; Fano 1971): the low bits of every key
//! side by side, the high bits as a unary count of steps.

const WORD_BYTES: usize = 8;
const WORD_BITS: usize = 64;

/// Appends `keys`, which ascend strictly and are not empty; returns the number of low bits, which the
/// decoder needs beside the first key and the count.
pub(crate) fn encode(keys: &[u64], out: &mut Vec<u8>) -> u8 {
    debug_assert!(keys.is_sorted_by(|a, b| a < b));
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    let low_bits = ((last - first) / keys.len() as u64).checked_ilog2().unwrap_or(0);
    put_low(keys, first, low_bits, out);
    put_high(keys, first, low_bits, out);
    low_bits as u8
}

/// Reads `count` keys from `first` on into `out`; `None` if `bytes` are not what `encode` appended.
pub(crate) fn decode(first: u64, count: usize, low_bits: u8, bytes: &[u8], out: &mut Vec<u64>) -> Option<()> {
    let low_bits = u32::from(low_bits);
    let low_len = low_len(count, low_bits);
    let words = bytes.get(low_len..).filter(|high| low_bits < 64 && high.len() >= WORD_BYTES)?;
    out.clear();
    out.reserve(count);
    for (index, word) in words.chunks_exact(WORD_BYTES).enumerate() {
        let mut word = u64::from_le_bytes(word.try_into().ok()?);
        while word != 0 {
            let position = index * WORD_BITS + word.trailing_zeros() as usize;
            let nth = out.len();
            if nth == count {
                return None;
            }
            let offset = ((position - nth) as u64) << low_bits | low(bytes, nth, low_bits);
            out.push(first.wrapping_add(offset));
            word &= word - 1;
        }
    }
    (out.len() == count).then_some(())
}

/// Bytes of the key part of a block.
pub(crate) fn low_len(count: usize, low_bits: u32) -> usize {
    (count * low_bits as usize).div_ceil(WORD_BITS) * WORD_BYTES
}

fn put_low(keys: &[u64], first: u64, low_bits: u32, out: &mut Vec<u8>) {
    let mask = (1u64 << low_bits) - 1;
    let (mut pending, mut filled) = (0u128, 0);
    for key in keys {
        pending |= u128::from((key - first) & mask) << filled;
        filled += low_bits;
        if filled >= u64::BITS {
            out.extend_from_slice(&(pending as u64).to_le_bytes());
            pending >>= u64::BITS;
            filled -= u64::BITS;
        }
    }
    if filled > 0 {
        out.extend_from_slice(&(pending as u64).to_le_bytes());
    }
}

fn put_high(keys: &[u64], first: u64, low_bits: u32, out: &mut Vec<u8>) {
    let steps = ((keys[keys.len() - 1] - first) >> low_bits) as usize;
    let start = out.len();
    out.resize(start + (keys.len() + steps).div_ceil(WORD_BITS) * WORD_BYTES, 0);
    let high = &mut out[start..];
    for (nth, key) in keys.iter().enumerate() {
        let position = ((key - first) >> low_bits) as usize + nth;
        high[position / 8] |= 1 << (position % 8);
    }
}

/// The low bits of the `nth` key. The load may reach beyond the low part, into the high one behind it.
#[inline]
fn low(bytes: &[u8], nth: usize, low_bits: u32) -> u64 {
    let bit = nth * low_bits as usize;
    let (byte, shift) = (bit / 8, (bit % 8) as u32);
    let mut word = [0; WORD_BYTES];
    word.copy_from_slice(&bytes[byte..byte + WORD_BYTES]);
    let mut value = u64::from_le_bytes(word) >> shift;
    if shift + low_bits > u64::BITS {
        value |= u64::from(bytes[byte + WORD_BYTES]) << (u64::BITS - shift);
    }
    value & ((1u64 << low_bits) - 1)
}
