//! Ids that are made of titles: a chapter on comments is none.

use super::Choice;
use super::title::letters;
use crate::article::plain_line;
use crate::marks::{self, Marks};
use crate::tree::NodeId;

/// Elements whose ids say what stands first in them and nothing else, on a page that makes its ids so: Sphinx, Texinfo, `AsciiDoc`
/// and `DocBook` give one to every section. A page that calls its comments `comments` has no others.
const MADE_SO: usize = 3;
/// Blocks among which the heading is: manuals lead elsewhere before it.
const BEFORE_HEADING: usize = 16;
/// Bytes of the longest title of which an id is made, blanks and addresses of its links included.
const TITLE_BYTES: usize = 2 << 10;
/// Letters of the shortest.
const LETTERS_LEAST: usize = 3;

impl Choice<'_, '_> {
    /// Whether the page makes ids of titles.
    pub(super) fn titles_are_ids(&self) -> bool {
        let says_nothing = |id: &NodeId| self.said_by_id(*id) == Marks::NONE;
        self.tree.ids().filter(|id| self.is_titled(*id)).filter(says_nothing).take(MADE_SO).count() == MADE_SO
    }

    /// What the id of an element says of its role.
    pub(super) fn said_by_id(&self, id: NodeId) -> Marks {
        let node = &self.tree[id];
        marks::of_id(node.tag, node.id())
    }

    /// Whether the id of an element is what stands first in it or its heading, as far as letters go: numbers and marks are left
    /// out of one or the other.
    pub(super) fn is_titled(&self, id: NodeId) -> bool {
        let name = self.tree[id].id();
        if name.len() < LETTERS_LEAST {
            return false;
        }
        let within = self.within(id);
        let heading = within.clone().take(BEFORE_HEADING).find(|block| self.is_heading(*block));
        within.take(1).chain(heading).any(|block| self.is_made_of(id, name, block))
    }

    fn is_made_of(&self, id: NodeId, name: &str, block: usize) -> bool {
        let block = &self.blocks[block];
        let mut nodes = block.nodes.clone().map(|at| self.tree[NodeId(at)].value.len());
        let is_short = nodes.try_fold(TITLE_BYTES, usize::checked_sub).is_some();
        if block.node == id || !is_short {
            return false;
        }
        let (name, title) = (letters(&unescaped(name)), letters(&plain_line(self.tree, block)));
        let (long, short) = if name.len() < title.len() { (title, name) } else { (name, title) };
        short.len() >= LETTERS_LEAST && (long.ends_with(&short) || long.starts_with(&short))
    }
}

/// Without what Texinfo writes for a mark, `_002d` for a hyphen.
fn unescaped(name: &str) -> String {
    let mut pieces = name.split("_00");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.get(2..).unwrap_or_default())
}
