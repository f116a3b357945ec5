//! White space, eight bytes at a time: of most pages it is more than the text.

#[cfg(test)]
mod tests;

const ONES: u64 = u64::MAX / 0xFF;
const HIGH: u64 = ONES << 7;
const SPACES: u64 = ONES * b' ' as u64;
const EIGHT_SPACES: [u8; 8] = SPACES.to_le_bytes();

/// How many bytes of ASCII white space there are at the beginning: of indented pages a line feed, and spaces.
pub(super) fn leading(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        while bytes[at..].starts_with(&EIGHT_SPACES) {
            at += EIGHT_SPACES.len();
        }
        if !bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            return at;
        }
        at += 1;
    }
}

/// How far it is to white space that is more than one blank between words.
pub(super) fn run_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some([word @ .., next]) = bytes[at..].first_chunk::<9>() {
        let found = may_break(u64::from_le_bytes(*word), *next);
        if found != 0
            && let Some(at) = (at + found.trailing_zeros() as usize / 8..at + 8).find(|at| breaks(bytes, *at))
        {
            return at;
        }
        at += word.len();
    }
    (at..bytes.len()).find(|at| breaks(bytes, *at)).unwrap_or(bytes.len())
}

fn breaks(bytes: &[u8], at: usize) -> bool {
    let byte = bytes[at];
    byte.is_ascii_whitespace() && (byte != b' ' || bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace))
}

/// Marks control characters, and blanks before what may be white space: now and then where there is none, never the other way round
/// (Warren, *Hacker's Delight*, 6-1).
fn may_break(word: u64, next: u8) -> u64 {
    let controls = word.wrapping_sub(SPACES) & !word & HIGH;
    let other = word ^ SPACES;
    let blanks = other.wrapping_sub(ONES) & !other & HIGH;
    let behind = blanks >> 8 | controls >> 8 | u64::from(next <= b' ') << 63;
    controls | blanks & behind
}
