use super::{Entry, Extent};
use crate::limits::URL_BYTES;
use crate::text::{is_http, text_of, trim};
use std::io::{self, BufRead, BufReader, Read};

/// The URLs of a text list: the first word of each line that is one.
pub(super) fn scan(
    text: impl Read,
    extent: impl Fn() -> Extent,
    mut take: impl FnMut(Entry),
) -> io::Result<()> {
    let mut text = BufReader::new(text);
    let mut line = Line::default();
    loop {
        let bytes = text.fill_buf()?;
        if bytes.is_empty() {
            if extent() == Extent::Whole {
                line.end(&mut take);
            }
            return Ok(());
        }
        let end = memchr::memchr2(b'\n', b'\r', bytes);
        line.gather(&bytes[..end.unwrap_or(bytes.len())]);
        if end.is_some() {
            line.end(&mut take);
        }
        let taken = end.map_or(bytes.len(), |end| end + 1);
        text.consume(taken);
    }
}

/// A line as far as a URL may reach.
#[derive(Default)]
struct Line {
    gathered: Vec<u8>,
}

impl Line {
    fn gather(&mut self, bytes: &[u8]) {
        let bytes = if self.gathered.is_empty() { trim_start(bytes) } else { bytes };
        // One octet too many is enough to see that it is too long.
        let room = (URL_BYTES + 1).saturating_sub(self.gathered.len());
        self.gathered.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn end(&mut self, take: &mut impl FnMut(Entry)) {
        let word = trim(&self.gathered).split(u8::is_ascii_whitespace).next().unwrap_or_default();
        if is_http(word) {
            take(Entry { loc: text_of(word), lastmod: None, priority: None });
        }
        self.gathered.clear();
    }
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let blank = |byte: &u8| *byte <= b' ' || *byte == 0x7F;
    &bytes[bytes.iter().position(|byte| !blank(byte)).unwrap_or(bytes.len())..]
}
