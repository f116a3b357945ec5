use super::members::Members;
use super::zlib::Zlib;
use crate::Warning;
use crate::limits::{BROTLI_WINDOW_LOG, CODING_BUFFER_BYTES, CODINGS, ZSTD_WINDOW_LOG};
use flate2::bufread::DeflateDecoder;
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// Opens a body from its start, each time anew.
pub type Open<'o, 'a> = &'o (dyn Fn() -> io::Result<Box<dyn BufRead + 'a>> + 'o);

/// A body whose content-codings are undone as it is read; a buffer and a decoder a coding are all the memory it takes. An
/// error is one of what it reads from: bad coding is no error, but the end, and told by [`Unpacking::findings`].
pub struct Unpacking<'a> {
    reader: Box<dyn BufRead + 'a>,
    /// Bytes that may still come out.
    left: usize,
    notes: Notes,
}

/// What undoing the codings has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// Whether all of it comes out: neither broken, nor cut short, nor beyond the cap.
    pub complete: bool,
    /// Whether the cap was reached.
    pub capped: bool,
    /// What was wrong.
    pub warnings: Vec<Warning>,
}

impl Default for Findings {
    fn default() -> Self {
        Self { complete: true, capped: false, warnings: Vec::new() }
    }
}

/// Undoes the codings that a `Content-Encoding` header lists (RFC 9110, section 8.4), the last first. What comes out, and
/// what comes between two codings, is at most `cap` bytes; what can be decoded of a broken or truncated body comes.
pub fn unpack<'a>(
    open: Open<'_, 'a>,
    content_encoding: Option<&str>,
    cap: usize,
) -> io::Result<Unpacking<'a>> {
    let names = content_encoding.map(super::names).unwrap_or_default();
    let mut layers = Layers { open, cap, notes: Notes::default(), undone: Vec::new() };
    let mut reader = layers.base()?;
    if names.len() > CODINGS || names.iter().filter(|name| has_large_window(name)).count() > 1 {
        layers.notes.incomplete(Warning::TooManyCodings(names.len()));
    } else {
        for name in names.into_iter().rev() {
            reader = layers.undo(reader, name)?;
        }
    }
    Ok(Unpacking { reader, left: cap, notes: layers.notes })
}

impl Unpacking<'_> {
    /// What has shown so far: all there is, once it is read to its end.
    pub fn findings(&self) -> Findings {
        self.notes.0.borrow().findings.clone()
    }
}

impl Read for Unpacking<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(out)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl BufRead for Unpacking<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let available = self.reader.fill_buf()?;
        if self.left == 0 && !available.is_empty() {
            self.notes.capped();
        }
        Ok(&available[..available.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.left -= amount;
        self.reader.consume(amount);
    }
}

/// Decoders with windows of megabytes; one of them is enough for anybody.
fn has_large_window(name: &str) -> bool {
    name.eq_ignore_ascii_case("br") || name.eq_ignore_ascii_case("zstd")
}

/// A decoder for one coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decoder {
    Gzip,
    Zlib,
    Deflate,
    Brotli,
    Zstd,
}

impl Decoder {
    /// The decoders to try for a name. `deflate` means zlib (RFC 9110, section 8.4.1.2), but some servers send the bare
    /// stream.
    fn named(name: &str) -> &'static [Self] {
        match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => &[Self::Gzip],
            "deflate" => &[Self::Zlib, Self::Deflate],
            "br" => &[Self::Brotli],
            "zstd" => &[Self::Zstd],
            _ => &[],
        }
    }

    fn over<'a>(self, mut input: Box<dyn BufRead + 'a>) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(Members::new(input)),
            Self::Zlib => Box::new(Zlib::new(input)),
            Self::Deflate => Box::new(DeflateDecoder::new(input)),
            Self::Brotli => {
                check_brotli_window(input.fill_buf()?)?;
                Box::new(brotli_decompressor::Decompressor::new(input, CODING_BUFFER_BYTES))
            }
            Self::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(input)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(decoder)
            }
        })
    }
}

/// RFC 7932, section 9.1: the window is named in the first bits.
fn check_brotli_window(start: &[u8]) -> io::Result<()> {
    let first = start.first().copied().unwrap_or_default();
    let log = if first & 1 == 0 { 16 } else { 17 + (first >> 1 & 7) };
    if log > BROTLI_WINDOW_LOG { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) }
}

/// The codings undone so far, to be undone again from the start of the body when one turns out not to be there.
struct Layers<'o, 'a> {
    open: Open<'o, 'a>,
    cap: usize,
    notes: Notes,
    undone: Vec<(Decoder, String)>,
}

impl<'a> Layers<'_, 'a> {
    fn base(&self) -> io::Result<Box<dyn BufRead + 'a>> {
        Ok(Box::new(Source::new((self.open)()?, self.notes.clone())))
    }

    /// One coding more, or the same if the body is empty, the coding unknown or not there.
    fn undo(&mut self, mut reader: Box<dyn BufRead + 'a>, name: &str) -> io::Result<Box<dyn BufRead + 'a>> {
        if reader.fill_buf()?.is_empty() {
            return Ok(reader);
        }
        let decoders = Decoder::named(name);
        for decoder in decoders {
            if let Some(plain) = self.layer(reader, *decoder, name)? {
                self.undone.push((*decoder, name.to_ascii_lowercase()));
                return Ok(plain);
            }
            reader = self.again()?;
        }
        if decoders.is_empty() {
            self.notes.warn(Warning::UnknownCoding(name.chars().take(32).collect()));
        } else {
            self.notes.warn(Warning::NotCoded(name.to_ascii_lowercase()));
        }
        Ok(reader)
    }

    /// The reader with one more coding undone; `None` if nothing comes out of it but an error.
    fn layer(
        &self,
        reader: Box<dyn BufRead + 'a>,
        decoder: Decoder,
        name: &str,
    ) -> io::Result<Option<Box<dyn BufRead + 'a>>> {
        let begun = decoder.over(reader).and_then(|plain| {
            let (left, notes) = (self.cap, self.notes.clone());
            let layer = Layer { plain, name: name.to_ascii_lowercase(), left, state: State::Fresh, notes };
            let mut layer = BufReader::with_capacity(CODING_BUFFER_BYTES, layer);
            layer.fill_buf()?;
            Ok(layer)
        });
        match begun {
            Ok(layer) => Ok(Some(Box::new(layer))),
            Err(error) if self.notes.source_failed() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// What is undone so far, from the start of the body.
    fn again(&self) -> io::Result<Box<dyn BufRead + 'a>> {
        let mut reader = self.base()?;
        for (decoder, name) in &self.undone {
            let layer = self.layer(reader, *decoder, name)?;
            reader = layer.ok_or_else(|| io::Error::other("a body reads differently the second time"))?;
        }
        Ok(reader)
    }
}

/// What all layers note down together.
#[derive(Clone, Default)]
struct Notes(Rc<RefCell<Noted>>);

#[derive(Default)]
struct Noted {
    findings: Findings,
    source_failed: bool,
}

impl Notes {
    fn warn(&self, warning: Warning) {
        self.0.borrow_mut().findings.warnings.push(warning);
    }

    fn incomplete(&self, warning: Warning) {
        self.0.borrow_mut().findings.complete = false;
        self.warn(warning);
    }

    fn capped(&self) {
        let findings = &mut self.0.borrow_mut().findings;
        (findings.capped, findings.complete) = (true, false);
    }

    fn source_failed(&self) -> bool {
        self.0.borrow().source_failed
    }
}

/// The body itself, in blocks of one size however it comes: what a decoder brings out before it fails depends on what it
/// is given at once. Tells its own errors from those of the decoders above.
struct Source<'a> {
    input: Box<dyn BufRead + 'a>,
    block: Vec<u8>,
    taken: usize,
    notes: Notes,
}

impl<'a> Source<'a> {
    fn new(input: Box<dyn BufRead + 'a>, notes: Notes) -> Self {
        Self { input, block: Vec::new(), taken: 0, notes }
    }

    fn next_block(&mut self) -> io::Result<()> {
        self.block.clear();
        self.taken = 0;
        let block = self.input.by_ref().take(CODING_BUFFER_BYTES as u64).read_to_end(&mut self.block);
        block.map(drop).inspect_err(|_| self.notes.0.borrow_mut().source_failed = true)
    }
}

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.block.len() {
            self.next_block()?;
        }
        Ok(&self.block[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

impl Read for Source<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(out)?;
        self.consume(taken);
        Ok(taken)
    }
}

/// One coding undone, to the cap.
struct Layer<'a> {
    plain: Box<dyn Read + 'a>,
    name: String,
    left: usize,
    state: State,
    notes: Notes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing has come out: an error means that the coding is not there.
    Fresh,
    Flowing,
    Ended,
}

impl Read for Layer<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == State::Ended || out.is_empty() {
            return Ok(0);
        }
        if self.left == 0 {
            return self.meet_cap();
        }
        let room = out.len().min(self.left);
        let read = self.pull(&mut out[..room])?;
        self.left -= read;
        self.state = if read == 0 { State::Ended } else { State::Flowing };
        Ok(read)
    }
}

impl Layer<'_> {
    /// One byte more tells whether there was more.
    fn meet_cap(&mut self) -> io::Result<usize> {
        let more = self.pull(&mut [0])?;
        self.state = State::Ended;
        if more > 0 {
            self.notes.capped();
        }
        Ok(0)
    }

    /// Reads from the decoder; an error of its own ends what was flowing.
    fn pull(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.plain.read(out) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) if self.state == State::Flowing && !self.notes.source_failed() => {
                    self.notes.incomplete(Warning::BrokenCoding(self.name.clone()));
                    return Ok(0);
                }
                result => return result,
            }
        }
    }
}
