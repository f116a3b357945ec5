//! Columns of numbers, of the lines of the code beside them.

use super::Choice;
use crate::elements::{CELLS, PREFORMATTED};
use crate::tree::NodeId;

impl Choice<'_, '_> {
    /// Whether it numbers the lines of the code in the next cell.
    pub(super) fn is_gutter(&self, block: usize) -> bool {
        let next = block + 1;
        let is_code = |block: usize| self.page.is_in(block, PREFORMATTED);
        is_code(block)
            && next < self.page.blocks.len()
            && is_code(next)
            && self.are_cells_of_a_row(block, next)
            && counts_up(&self.page.line(block))
    }

    fn are_cells_of_a_row(&self, block: usize, next: usize) -> bool {
        let cell = |block: usize| self.page.nearest(block, CELLS);
        let are_beside =
            |(a, b): (NodeId, NodeId)| a != b && self.page.tree[a].parent == self.page.tree[b].parent;
        cell(block).zip(cell(next)).is_some_and(are_beside)
    }
}

/// `7 8 9`.
fn counts_up(text: &str) -> bool {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<u32>().ok());
    let Some(Some(first)) = numbers.next() else { return false };
    numbers.zip(1..).all(|(number, nth)| number == first.checked_add(nth))
}
