//! The rows of tables.

use crate::elements::{CELLS, HEADINGS, PREFORMATTED};
use crate::limits::{CELL_BLOCKS, SPANNED_COLUMNS};
use crate::page::Page;
use crate::tree::{Node, NodeId, Spans, Tree};
use markup::{Tag, TagSet};
use std::ops::Range;

/// A row.
#[derive(PartialEq, Eq)]
pub(super) struct Row {
    pub(super) table: NodeId,
    /// Those that have text.
    cells: Box<[Cell]>,
}

#[derive(PartialEq, Eq)]
struct Cell {
    column: usize,
    blocks: Range<usize>,
}

impl Row {
    /// The blocks of its cells; nothing stands between them.
    pub(super) fn blocks(&self) -> Range<usize> {
        self.cells[0].blocks.start..self.cells[self.cells.len() - 1].blocks.end
    }

    /// How many columns it has up to its last text.
    pub(super) fn columns(&self) -> usize {
        self.cells[self.cells.len() - 1].column + 1
    }

    /// The text of each column, blocks written so: none where a cell has none, or where one spans more columns or rows.
    pub(super) fn texts(&self, write: impl Fn(usize) -> String) -> impl Iterator<Item = String> {
        let mut cells = self.cells.iter().peekable();
        (0..self.columns()).map(move |column| {
            let cell = cells.next_if(|cell| cell.column == column);
            let blocks = cell.map_or(0..0, |cell| cell.blocks.clone());
            blocks.map(&write).collect::<Vec<_>>().join(" ")
        })
    }
}

const GROUPS: TagSet = TagSet::of(&[Tag::Thead, Tag::Tbody, Tag::Tfoot]);
/// What a row has no room for.
const UNFIT: TagSet = PREFORMATTED.with(HEADINGS);

/// The rows of all tables that are not layout, in document order.
pub(super) fn rows(page: &Page<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = NodeId::ROOT;
    while at < page.tree[NodeId::ROOT].end {
        let node = &page.tree[at];
        let is_data = node.tag == Tag::Table && !is_layout(page, at);
        if is_data {
            Grid::new(at, &mut rows).read(page);
        }
        at = if is_data { node.end } else { at.next() };
    }
    rows
}

/// The elements that a table is made of, without what its cells hold.
fn parts<'t>(tree: &'t Tree<'_>, table: NodeId) -> impl Iterator<Item = NodeId> + 't {
    let is_whole = |tag: Tag| CELLS.has(tag) || tag == Tag::Table;
    let mut next = table.next();
    std::iter::from_fn(move || {
        let part = Some(next).filter(|part| *part < tree[table].end)?;
        next = if is_whole(tree[part].tag) { tree[part].end } else { part.next() };
        Some(part)
    })
}

/// Whether a table says where things stand, not what belongs together: it has one column, or a cell that is no text. Where some are
/// headings, others may be of a few paragraphs.
fn is_layout(page: &Page<'_>, table: NodeId) -> bool {
    let tree = &page.tree;
    let cells = || parts(tree, table).filter(|part| CELLS.has(tree[*part].tag));
    let has_headings = cells().any(|cell| tree[cell].tag == Tag::Th);
    let has_columns = cells().zip(cells().skip(1)).any(|(one, next)| tree[one].parent == tree[next].parent);
    let most = if has_headings && has_columns { CELL_BLOCKS } else { 1 };
    let is_text = |cell: NodeId| {
        let mut blocks = page.within(cell);
        blocks.len() <= most && blocks.all(|block| page.nearest(block, CELLS.with(UNFIT)) == Some(cell))
    };
    !(has_headings || has_columns) || !cells().all(is_text)
}

/// A table that is being read, row by row (HTML 4.9.12.1).
struct Grid<'r> {
    table: NodeId,
    rows: &'r mut Vec<Row>,
    /// The element that the row is, once there is one.
    row: Option<NodeId>,
    /// Its cells so far.
    cells: Vec<Cell>,
    /// The column that comes next.
    column: usize,
    /// By column, how many rows from this one on are covered by a cell.
    covered: Vec<u8>,
}

impl<'r> Grid<'r> {
    fn new(table: NodeId, rows: &'r mut Vec<Row>) -> Self {
        Self { table, rows, row: None, cells: Vec::new(), column: 0, covered: Vec::new() }
    }

    fn read(mut self, page: &Page<'_>) {
        let tree = &page.tree;
        for part in parts(tree, self.table) {
            let node = &tree[part];
            if CELLS.has(node.tag) {
                self.cell(node, page.within(part));
            } else if node.tag == Tag::Tr {
                self.turn_to(Some(part));
            } else if GROUPS.has(node.tag) {
                self.turn_to(None);
                self.covered.clear();
            }
        }
        self.turn_to(None);
    }

    /// Ends the row, and begins another.
    fn turn_to(&mut self, row: Option<NodeId>) {
        if std::mem::replace(&mut self.row, row).is_none() {
            return;
        }
        self.covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        self.column = 0;
        if !self.cells.is_empty() {
            self.rows.push(Row { table: self.table, cells: self.cells.drain(..).collect() });
        }
    }

    fn cell(&mut self, cell: &Node<'_>, blocks: Range<usize>) {
        if self.row != Some(cell.parent) || !self.is_beside(&blocks) {
            self.turn_to(Some(cell.parent));
        }
        while self.covered.get(self.column).is_some_and(|rows| *rows > 0) {
            self.column += 1;
        }
        if !blocks.is_empty() {
            self.cells.push(Cell { column: self.column, blocks });
        }
        self.span(cell.spans);
    }

    /// Whether no text stands between these blocks and those of the cells before.
    fn is_beside(&self, blocks: &Range<usize>) -> bool {
        blocks.is_empty() || self.cells.last().is_none_or(|last| last.blocks.end == blocks.start)
    }

    /// Goes past the columns of a cell.
    fn span(&mut self, spans: Spans) {
        let from = self.column;
        let end = SPANNED_COLUMNS.min(from + usize::from(spans.columns));
        self.column = end.max(from + 1);
        if from < end {
            self.covered.resize(end.max(self.covered.len()), 0);
            self.covered[from..end].fill(spans.rows);
        }
    }
}
