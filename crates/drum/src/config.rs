use crate::limits::{MAX_BUCKET_BITS, MAX_BUCKET_BYTES, MAX_BUFFER_BYTES, MIN_BUFFER_BYTES};
use crate::packing::Packing;

/// The shape of a DRUM. Memory: up to `buffer_bytes` for each of the `2^bucket_bits` buckets, nothing for one
/// that is empty, and for each merge that runs about twice the bytes of its bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Keys are spread over `2^bucket_bits` buckets by their highest bits; 0 to 10.
    pub bucket_bits: u8,
    /// Requests of a bucket are kept in memory until they are this many bytes, then compressed and written.
    pub buffer_bytes: usize,
    /// A bucket is due to be merged when this many bytes wait in it (compressed), or [twice](crate::limits::AUX_SHARE) as many of
    /// aux (not compressed).
    pub bucket_bytes: u64,
    /// What happens to aux on its way to a bucket file and back.
    pub packing: Packing,
}

impl Default for Config {
    fn default() -> Self {
        Self { bucket_bits: 4, buffer_bytes: 64 << 10, bucket_bytes: 16 << 20, packing: Packing::Packed }
    }
}

impl Config {
    pub(crate) fn assert_within_limits(&self) {
        assert!(self.bucket_bits <= MAX_BUCKET_BITS, "{} bucket bits", self.bucket_bits);
        let buffer_range = MIN_BUFFER_BYTES..=MAX_BUFFER_BYTES;
        assert!(buffer_range.contains(&self.buffer_bytes), "buffers of {} bytes", self.buffer_bytes);
        assert!(self.bucket_bytes <= MAX_BUCKET_BYTES, "buckets of {} bytes", self.bucket_bytes);
    }
}
