//! What any run of blocks holds, in constant time.

use crate::blocks::Count;
use crate::elements::HEADINGS;
use crate::page::Page;
use markup::Tag;
use std::ops::Range;

/// Sums over some of the blocks of a page, up to each block.
pub(crate) struct Sums {
    up_to: Vec<Sum>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    /// Letters of prose.
    pub(crate) prose: f32,
    pub(crate) letters: u32,
    pub(crate) linked: u32,
    pub(crate) headings: u32,
    /// Those of them that lead to another page.
    pub(crate) linked_headings: u32,
}

impl Sums {
    /// Of those blocks that count.
    pub(crate) fn of(page: &Page<'_>, counts: impl Fn(usize) -> bool) -> Self {
        let mut sum = Sum::default();
        let mut up_to = Vec::with_capacity(page.blocks.len() + 1);
        up_to.push(sum);
        for block in 0..page.blocks.len() {
            if counts(block) {
                let count = page.count(block);
                sum.prose += prose(page.tag(block), count);
                sum.letters += count.letters;
                sum.linked += count.linked;
                sum.headings += u32::from(page.is_heading(block));
                sum.linked_headings += u32::from(page.is_linked_heading(block));
            }
            up_to.push(sum);
        }
        Self { up_to }
    }

    /// Over a run of blocks.
    pub(crate) fn over(&self, range: &Range<usize>) -> Sum {
        let (from, to) = (self.up_to[range.start], self.up_to[range.end]);
        Sum {
            prose: to.prose - from.prose,
            letters: to.letters - from.letters,
            linked: to.linked - from.linked,
            headings: to.headings - from.headings,
            linked_headings: to.linked_headings - from.linked_headings,
        }
    }

    /// The prose of the page.
    pub(crate) fn prose(&self) -> f32 {
        self.up_to.last().map_or(0.0, |sum| sum.prose)
    }
}

/// How much prose a block holds, in letters: less where it is short, has no punctuation, or stands in links, in a list
/// or in a cell.
fn prose(tag: Tag, count: &Count) -> f32 {
    const LINKED_MOST: f32 = 0.5;
    const WORDS_LEAST: u32 = 5;
    const WORDS_OF_A_SENTENCE: u32 = 12;
    let density = count.link_density();
    if HEADINGS.has(tag) || density > LINKED_MOST || count.words < WORDS_LEAST {
        return 0.0;
    }
    let by_place = match tag {
        Tag::P | Tag::Pre | Tag::Blockquote => 1.0,
        Tag::Li | Tag::Td | Tag::Dd | Tag::Dt => 0.5,
        _ => 0.8,
    };
    let by_length = if count.words >= WORDS_OF_A_SENTENCE { 1.0 } else { 0.3 };
    let by_punctuation = if count.stops + count.commas > 0 { 1.0 } else { 0.3 };
    (count.letters - count.linked) as f32 * (1.0 - density) * by_place * by_length * by_punctuation
}
