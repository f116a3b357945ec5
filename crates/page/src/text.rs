mod blanks;

use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// What stands between two pieces of text; the widest that was asked for is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    None,
    Space,
    Tab,
    Line,
}

/// Builds visible text: white space collapsed, lines where blocks are, kept as it is in `pre`.
pub(crate) struct TextWriter {
    text: String,
    gap: Gap,
    limit: usize,
    cut: bool,
}

impl TextWriter {
    pub(crate) fn new(limit: usize) -> Self {
        Self { text: String::new(), gap: Gap::None, limit, cut: false }
    }

    /// Bytes written so far.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Makes room for what a page so long has to say, mostly.
    pub(crate) fn expect(&mut self, markup: &str) {
        self.text.reserve(self.limit.min(markup.len() / 16));
    }

    pub(crate) fn finish(mut self) -> String {
        if self.text.capacity() > 2 * self.text.len() {
            self.text.shrink_to_fit();
        }
        self.text
    }

    /// What is of one line: where it was cut, no blank stays at its end.
    pub(crate) fn finish_line(mut self) -> String {
        self.text.truncate(self.text.trim_ascii_end().len());
        self.text
    }

    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Appends running text.
    pub(crate) fn flow(&mut self, piece: &str) {
        let piece = without_zeros(piece);
        let mut rest = &piece[..];
        while !rest.is_empty() {
            let blanks = blanks::leading(rest.as_bytes());
            if blanks > 0 {
                self.gap(Gap::Space);
            }
            let trimmed = &rest[blanks..];
            let run = blanks::run_len(trimmed.as_bytes());
            self.write(&trimmed[..run]);
            rest = &trimmed[run..];
        }
    }

    /// Appends preformatted text, line by line.
    pub(crate) fn preformatted(&mut self, piece: &str) {
        let piece = without_zeros(piece);
        let mut rest = &piece[..];
        while let Some(end) = memchr2(b'\n', b'\r', rest.as_bytes()) {
            self.write(&rest[..end]);
            rest = rest[end..].strip_prefix("\r\n").unwrap_or(&rest[end + 1..]);
            self.end_line();
        }
        self.write(rest);
    }

    fn end_line(&mut self) {
        if self.gap == Gap::Line || self.text.is_empty() {
            return;
        }
        self.write_bounded("\n");
    }

    fn write(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.write_bounded(match self.gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Tab => "\t",
                Gap::Line => "\n",
            });
        }
        self.gap = Gap::None;
        self.write_bounded(piece);
    }

    fn write_bounded(&mut self, piece: &str) {
        let room = self.limit - self.text.len();
        if piece.len() <= room && !self.cut {
            self.text.push_str(piece);
            return;
        }
        if !self.cut {
            self.text.push_str(&piece[..piece.floor_char_boundary(room)]);
        }
        self.cut = true;
    }
}

/// Zero bytes are no text (HTML 13.2.6.4.7 drops them), and many stores of text refuse them.
fn without_zeros(piece: &str) -> Cow<'_, str> {
    match memchr(0, piece.as_bytes()) {
        None => Cow::Borrowed(piece),
        Some(_) => Cow::Owned(piece.replace('\0', "")),
    }
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    blanks::leading(text.as_bytes()) == text.len()
}

/// Collapses white space and cuts to `limit` bytes.
pub(crate) fn collapse(text: &str, limit: usize) -> String {
    if limit == 0 {
        return String::new();
    }
    let mut writer = TextWriter::new(limit);
    writer.flow(text);
    writer.finish_line()
}
