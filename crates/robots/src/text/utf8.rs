use std::io::{self, BufReader, Cursor, Read};
use std::ops::Range;

/// A text file as [`without_mark`](super::without_mark) gives it, as a stream.
pub(crate) struct Utf8<R> {
    input: BufReader<io::Chain<Cursor<Vec<u8>>, R>>,
    /// How UTF-16 is read, if it is that.
    unit: Option<Unit>,
    /// A unit that was read and belongs to the next character.
    held: Option<u16>,
    /// A character that is decoded, and its octets that are not taken yet.
    ahead: [u8; 4],
    left: Range<usize>,
}

/// Two octets as a unit of UTF-16, by its byte order.
type Unit = fn([u8; 2]) -> u16;

impl<R: Read> Utf8<R> {
    /// Reads the mark, if there is one.
    pub(crate) fn new(mut input: R) -> io::Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(3).read_to_end(&mut start)?;
        let (mark_len, unit): (usize, Option<Unit>) = match start.as_slice() {
            [0xEF, 0xBB, 0xBF] => (3, None),
            [0xEF, 0xBB, ..] => (2, None),
            [0xEF, ..] => (1, None),
            [0xFF, 0xFE, ..] => (2, Some(u16::from_le_bytes)),
            [0xFE, 0xFF, ..] => (2, Some(u16::from_be_bytes)),
            _ => (0, None),
        };
        start.drain(..mark_len);
        let input = BufReader::new(Cursor::new(start).chain(input));
        Ok(Self { input, unit, held: None, ahead: [0; 4], left: 0..0 })
    }

    /// The next character of UTF-16; an odd octet at the end is none.
    fn next_char(&mut self, unit: Unit) -> io::Result<Option<char>> {
        let Some(first) = self.next_unit(unit)? else { return Ok(None) };
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(Some(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
        let second = self.next_unit(unit)?;
        let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
        if pair.is_none() {
            self.held = second;
        }
        Ok(Some(pair.unwrap_or(char::REPLACEMENT_CHARACTER)))
    }

    fn next_unit(&mut self, unit: Unit) -> io::Result<Option<u16>> {
        if let Some(held) = self.held.take() {
            return Ok(Some(held));
        }
        let mut pair = [0; 2];
        match self.input.read_exact(&mut pair) {
            Ok(()) => Ok(Some(unit(pair))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(unit) = self.unit else { return self.input.read(out) };
        let mut filled = 0;
        while filled < out.len() {
            if self.left.is_empty() {
                let Some(character) = self.next_char(unit)? else { break };
                self.left = 0..character.encode_utf8(&mut self.ahead).len();
            }
            let taken = self.left.len().min(out.len() - filled);
            out[filled..filled + taken].copy_from_slice(&self.ahead[self.left.start..][..taken]);
            self.left.start += taken;
            filled += taken;
        }
        Ok(filled)
    }
}
