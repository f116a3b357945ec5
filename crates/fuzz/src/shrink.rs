use crate::limits::SHRINKING;

/// A shorter input that fails too, by leaving out ever smaller parts.
pub(crate) fn shrink(input: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut kept = input.to_vec();
    let mut part = kept.len().div_ceil(2).max(1);
    let mut attempts = 0;
    loop {
        let before = kept.len();
        let mut at = 0;
        while at < kept.len() && attempts < SHRINKING {
            attempts += 1;
            let mut shorter = kept.clone();
            shorter.drain(at..(at + part).min(kept.len()));
            if fails(&shorter) {
                kept = shorter;
            } else {
                at += part;
            }
        }
        if attempts >= SHRINKING || part == 1 && kept.len() == before {
            return kept;
        }
        part = (part / 2).max(1);
    }
}
