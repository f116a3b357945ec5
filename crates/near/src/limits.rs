//! What near-duplicates may cost, and why.

/// Bits in which two fingerprints may differ: Manku et al. found 3 of 64 to be the best (§4.1).
pub const DISTANCE: u32 = 3;
/// Words of a shingle: `FineWeb`'s. Fewer make unrelated pages of one site alike, more let one changed word weigh too much.
pub const SHINGLE_WORDS: usize = 5;
/// Minima of a text: 14 bands of 8, as `FineWeb` has them, or more bands of fewer.
pub const MINIMA: usize = 112;
/// Minima of a band at most. Of two texts with similarity s a band of eight agrees with probability s^8: of pairs with 0.9 one in
/// 2,600 has no band in common, of pairs with 0.5 one in 19 has one.
pub const BAND_ROWS: usize = 8;
/// Of pairs just as similar as is asked for, this share has a band in common; of others that are asked for more have one. From 0.82 on
/// eight rows do; 0.7 takes five, 0.5 three, with 37 bands, so that a search takes three times the disk.
pub const FOUND_LEAST: f64 = 0.95;
/// How often a shingle is entered among the minima: a text of thirty words still fills nine of ten bins. As often in every text, since
/// copies of what both have are in both.
pub(crate) const COPIES: u64 = 8;
/// Shingles of a set that are kept all; longer texts are compared by a sample of at least half as many, whose similarity is
/// wrong by 0.003 (standard deviation at 0.9). 64 KiB a text.
pub const SHINGLES_MOST: usize = 1 << 14;
/// Texts with one band in common that each text is paired with, those before it, beside the first: pairs grow with the texts and not with
/// their square, and who is unlike the first of a band may still be like the one before.
pub const NEIGHBOURS: usize = 3;
/// Of those who stand for the texts of a band, so many are compared with all the others, those first that stand for several: what
/// is compared grows with the texts, and a band of so few is compared completely.
pub const LEADERS: usize = 16;
/// Rounds of comparing and grouping: each compares what the groups of the one before name. Webs that were made to be hard take four.
pub const ROUNDS_MOST: usize = 8;
/// Read at a time of pairs that several passes read.
pub(crate) const KEPT_BYTES: usize = 64 << 10;
/// Entries of a block of a table: one checksum for 64 KiB.
pub const BLOCK_ENTRIES: usize = 1 << 12;
/// Bytes read and written at a time by a pass over a table: a disk is sequential from here on.
pub const STREAM_BYTES: usize = 1 << 20;
/// Sorted runs merged at once: so many files are open.
pub const MERGE_WIDTH: usize = 64;
/// Least memory that a survey can work in.
pub const MEMORY_LEAST_BYTES: usize = 1 << 20;
/// Entries with the same 16 bits that are compared one by one: for fewer an index of them costs more than it spares.
pub const FEW: usize = 64;
