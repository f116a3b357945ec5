//! Theorem 2 of IRLbot (§IV-D): what DRUM was shown to cost, without compression.

use crate::seen_set::Measured;

/// H: bytes of a hash.
const H: f64 = 8.0;

/// α″min = 2 + p + 2H/b, below which no method goes that keeps hashes and uncompressed text on disk.
pub(crate) fn least(measured: &Measured) -> f64 {
    2.0 + measured.unique_share() + 2.0 * H / measured.mean_bytes()
}

/// Equation (7) where disk, not memory, is the limit: with `keys` seen and the same disk for buckets.
pub(crate) fn alpha(measured: &Measured, keys: u64) -> f64 {
    let (b, p, n) = (measured.mean_bytes(), measured.unique_share(), measured.checks as f64);
    let rewritten = 2.0 * keys as f64 * H + p * H * n;
    (H + b) * rewritten / (b * measured.bucket_bytes as f64) + least(measured)
}
