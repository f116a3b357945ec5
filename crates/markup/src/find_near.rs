use memchr::memchr;

const ONES: u64 = u64::MAX / 0xFF;
/// Eight bytes each.
const NEAR_WORDS: usize = 8;

/// Where a byte comes first: `memchr` for what is near as a rule. Texts and values of markup are mostly over by the time that a wide
/// search would have begun, so the first are looked at eight bytes at a time (Warren, *Hacker's Delight*, 6-1).
#[inline]
pub(crate) fn find_near(byte: u8, bytes: &[u8]) -> Option<usize> {
    let (words, _) = bytes.as_chunks();
    let near = &words[..words.len().min(NEAR_WORDS)];
    for (place, word) in near.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ (ONES * u64::from(byte));
        let found = other.wrapping_sub(ONES) & !other & (ONES << 7);
        if found != 0 {
            return Some(place * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let far = near.len() * 8;
    let rest = &bytes[far..];
    let found =
        if rest.len() < 8 { rest.iter().position(|other| *other == byte) } else { memchr(byte, rest) };
    found.map(|at| far + at)
}

#[cfg(test)]
mod tests;
