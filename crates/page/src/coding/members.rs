use crate::limits::GZIP_MEMBERS;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// The members of a gzip file one after the other (RFC 1952, section 2.2). What follows the last is ignored, as browsers
/// do.
pub(super) struct Members<R> {
    /// `None` after the last.
    member: Option<GzDecoder<Peeked<R>>>,
    begun: usize,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(input: R) -> Self {
        Self { member: Some(GzDecoder::new(Peeked::new(input))), begun: 1 }
    }

    /// Steps to the next member, if one begins where the last has ended.
    fn advance(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        let mut input = member.into_inner();
        if !input.begins_with_magic()? {
            return Ok(());
        }
        if self.begun == GZIP_MEMBERS {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "more members than anybody needs"));
        }
        self.member = Some(GzDecoder::new(input));
        self.begun += 1;
        Ok(())
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }
            self.advance()?;
        }
        Ok(0)
    }
}

/// An input of which the next bytes can be looked at without taking them.
struct Peeked<R> {
    input: R,
    ahead: [u8; MAGIC.len()],
    /// The part of `ahead` that is filled and not taken yet.
    held: std::ops::Range<usize>,
}

impl<R: BufRead> Peeked<R> {
    fn new(input: R) -> Self {
        Self { input, ahead: [0; MAGIC.len()], held: 0..0 }
    }

    fn begins_with_magic(&mut self) -> io::Result<bool> {
        self.ahead.copy_within(self.held.clone(), 0);
        self.held = 0..self.held.len();
        while self.held.end < MAGIC.len() {
            match self.input.read(&mut self.ahead[self.held.end..])? {
                0 => return Ok(false),
                read => self.held.end += read,
            }
        }
        Ok(self.ahead == MAGIC)
    }
}

impl<R: BufRead> BufRead for Peeked<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.held.is_empty() { self.input.fill_buf() } else { Ok(&self.ahead[self.held.clone()]) }
    }

    fn consume(&mut self, amount: usize) {
        if self.held.is_empty() {
            self.input.consume(amount);
        } else {
            self.held.start += amount;
        }
    }
}

impl<R: BufRead> Read for Peeked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(out)?;
        self.consume(taken);
        Ok(taken)
    }
}
