//! The words of a text, 64 bytes at a time. Most letters are ASCII and told eight at a time, the others as Unicode has them.

use block::{Block, Run};

mod block;
mod eight;

pub(crate) use eight::eight;

/// A run of letters and digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    /// Its bytes, and those of the text behind it.
    pub(crate) on: &'a [u8],
    /// Whether one of `0` to `9` is in it.
    pub(crate) has_digit: bool,
}

/// All of them, in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    Words { text, block: Block::of(text, 0) }
}

struct Words<'a> {
    text: &'a str,
    /// Where the next word begins, or a later one.
    block: Block,
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        while self.block.is_used_up() {
            self.go_on()?;
        }
        let Run { start, mut end, mut has_digit } = self.block.take_run();
        while end == self.block.end() && self.go_on().is_some() && self.block.begins_within_word() {
            let more = self.block.take_run();
            (end, has_digit) = (more.end, has_digit | more.has_digit);
        }
        Some(Word { text: &self.text[start..end], on: &self.text.as_bytes()[start..], has_digit })
    }
}

impl Words<'_> {
    /// To the next block, where there is one.
    fn go_on(&mut self) -> Option<()> {
        let start = self.block.end();
        self.block = (start < self.text.len()).then(|| Block::of(self.text, start))?;
        Some(())
    }
}

#[cfg(test)]
mod tests;
