//! Compressed bodies made by hand, bit by bit: what no compressor would write.

/// Bits in the order of RFC 1951 and RFC 7932: from the least significant of each byte on.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn put(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("one was pushed");
            *last |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    /// A Huffman code of RFC 1951, which stands most significant bit first.
    fn put_code(&mut self, code: u32, count: u32) {
        self.put(code.reverse_bits() >> (32 - count), count);
    }
}

/// The header of a gzip member (RFC 1952, section 2.3).
const GZIP_HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];

/// A gzip member that does not end: spaces, 258 for 13 bits, in one block of fixed codes.
pub(super) fn gzip_start() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0b011, 3); // the last block, of fixed codes
    bits.put_code(0x30 + u32::from(b' '), 8);
    put_matches(&mut bits, 1);
    // From here on the stream stands at a byte's end, and pieces of whole bytes follow.
    assert_eq!(bits.used, 24, "3 + 8 + 13 bits");
    [&GZIP_HEADER, bits.bytes.as_slice()].concat()
}

/// More of it: `matches` times 258 spaces; a multiple of eight fills whole bytes.
pub(super) fn gzip_more(matches: u32) -> Vec<u8> {
    let mut bits = Bits::default();
    put_matches(&mut bits, matches);
    bits.bytes
}

fn put_matches(bits: &mut Bits, count: u32) {
    for _ in 0..count {
        bits.put_code(0b1100_0101, 8); // length 258, code 285
        bits.put_code(0, 5); // distance 1, code 0
    }
}

/// A brotli stream of `blocks` times 16 MiB of spaces (RFC 7932): each meta-block is one literal and one copy of it.
pub(super) fn brotli(blocks: u32) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0, 1); // a window of 64 KiB
    for _ in 0..blocks {
        put_meta_block(&mut bits);
    }
    bits.put(0b11, 2); // the last one, empty
    bits.bytes
}

/// Bytes of a meta-block: the most its header can say.
const META_BLOCK_BYTES: u32 = 1 << 24;

fn put_meta_block(bits: &mut Bits) {
    bits.put(0, 1); // not the last
    bits.put(2, 2); // its length has six nibbles
    bits.put(META_BLOCK_BYTES - 1, 24);
    bits.put(0, 1); // compressed
    bits.put(0, 3); // one block type of each kind
    bits.put(0, 6); // no postfix bits, no direct distances
    bits.put(0, 2); // context mode of literals
    bits.put(0, 2); // one tree of literals, one of distances
    for (symbol, width) in [(u32::from(b' '), 8), (INSERT_ONE_COPY_LONG, 10), (DISTANCE_ONE, 6)] {
        bits.put(1, 2); // a simple prefix code …
        bits.put(0, 2); // … of one symbol, which then takes no bits
        bits.put(symbol, width);
    }
    bits.put(META_BLOCK_BYTES - 1 - COPY_BASE, 24);
    bits.put(0, 1); // the extra bit of the distance
}

/// Insert length code 1 and copy length code 23, which is [`COPY_BASE`] and 24 extra bits.
const INSERT_ONE_COPY_LONG: u32 = 384 + (1 << 3) + 7;
const COPY_BASE: u32 = 2118;
/// Distance code 16, with an extra bit of zero.
const DISTANCE_ONE: u32 = 16;
