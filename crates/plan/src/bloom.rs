//! The size of a Bloom filter (Bloom 1970), for comparison with an exact seen-set.

use std::f64::consts::LN_2;

/// Bits a key at `false_positives` (0 to 1), with the best number of hash functions: −ln ε / ln² 2.
pub fn bits_per_key(false_positives: f64) -> f64 {
    -false_positives.ln() / (LN_2 * LN_2)
}

/// Bytes for `keys`.
pub fn bytes(keys: f64, false_positives: f64) -> f64 {
    keys * bits_per_key(false_positives) / 8.0
}
