use super::declaration::declared;
use crate::limits::{DECLARATION_BYTES, DECODED_BYTES};
use encoding_rs::{Decoder, Encoding, UTF_16BE, UTF_16LE};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;

/// A text file as UTF-8 would write it, as a stream: a byte-order mark is dropped, as
/// [`without_mark`](super::without_mark) does; UTF-16 with one is decoded, and what an XML declaration says it is in
/// (XML 1.0 §4.3.3). A mark goes over a declaration. All else passes as it is.
pub(crate) struct Utf8<R> {
    input: BufReader<io::Chain<Cursor<Vec<u8>>, R>>,
    decoding: Option<Decoding>,
}

/// How octets become UTF-8.
struct Decoding {
    decoder: Decoder,
    decoded: Box<[u8]>,
    /// Of what is decoded, the octets that are not taken yet.
    left: Range<usize>,
}

impl<R: Read> Utf8<R> {
    /// Reads the mark or the declaration, if there is one.
    pub(crate) fn new(mut input: R) -> io::Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(DECLARATION_BYTES).read_to_end(&mut start)?;
        let (mark_len, encoding) = match start.as_slice() {
            [0xEF, 0xBB, 0xBF, ..] => (3, None),
            [0xEF, 0xBB, ..] => (2, None),
            [0xEF, ..] => (1, None),
            [0xFF, 0xFE, ..] => (2, Some(UTF_16LE)),
            [0xFE, 0xFF, ..] => (2, Some(UTF_16BE)),
            unmarked => (0, declared(unmarked)),
        };
        start.drain(..mark_len);
        let input = BufReader::new(Cursor::new(start).chain(input));
        Ok(Self { input, decoding: encoding.map(Decoding::new) })
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.decoding {
            Some(decoding) => decoding.read(&mut self.input, out),
            None => self.input.read(out),
        }
    }
}

impl Decoding {
    fn new(encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        Self { decoder, decoded: vec![0; DECODED_BYTES].into(), left: 0..0 }
    }

    fn read(&mut self, input: &mut impl BufRead, out: &mut [u8]) -> io::Result<usize> {
        while self.left.is_empty() {
            let octets = input.fill_buf()?;
            // Half a character at the end is none: nobody meant what would be put for it.
            if octets.is_empty() {
                return Ok(0);
            }
            let (_, taken, written, _) = self.decoder.decode_to_utf8(octets, &mut self.decoded, false);
            input.consume(taken);
            self.left = 0..written;
        }
        let given = self.left.len().min(out.len());
        out[..given].copy_from_slice(&self.decoded[self.left.start..][..given]);
        self.left.start += given;
        Ok(given)
    }
}
