//! Tokens to a tree.

use super::content::Content;
use super::implied::{Implied, wall_of};
use super::values::{spans, value};
use super::{Kind, Node, NodeId, Spans, Tree};
use crate::elements::{CELLS, PREFORMATTED};
use crate::head::Head;
use crate::limits::{DEPTH, NODES, PARSED_BYTES};
use crate::marks::{self, Marks};
use markup::{Attributes, BLOCK, Dialect, NEVER_SHOWN, Open, Scanner, Tag, TagCounts, TagSet, Token, VOID};

/// A document as it was read.
pub(crate) struct Built<'a> {
    pub(crate) tree: Tree<'a>,
    pub(crate) head: Head<'a>,
}

/// Reads a document.
pub(crate) fn build(html: &str, dialect: Dialect) -> Built<'_> {
    let html = &html[..html.floor_char_boundary(PARSED_BYTES)];
    let mut builder = Builder::new(html.len());
    let mut scanner = Scanner::new(html, dialect, TagSet::ALL);
    while let Some(token) = scanner.next_token() {
        match token {
            Token::Text(text) => builder.text(text, Kind::Text),
            Token::Raw(text) => builder.text(text, Kind::Raw),
            Token::Open(open) => builder.open(open, scanner.attributes()),
            Token::Close(close) => builder.close(close.tag),
        }
        if builder.nodes.len() >= NODES {
            break;
        }
    }
    builder.finish()
}

struct Builder<'a> {
    nodes: Vec<Node<'a>>,
    open: Vec<OpenElement>,
    /// Those that are open, by name: most that is looked for is not there.
    counts: TagCounts,
    /// How many of them are unseen.
    unseen: usize,
    /// The raw text element whose content comes next.
    inside: Tag,
    head: Head<'a>,
}

#[derive(Clone, Copy)]
struct OpenElement {
    id: NodeId,
    tag: Tag,
    /// Its end tag came while a block in it was open; it ends with that block.
    ended: bool,
    /// Of SVG or `MathML`.
    foreign: bool,
    content: Content,
}

/// Elements whose end tags end all that is open within; those of which nothing is seen do, too.
const ENDS_ALL: TagSet = TagSet::of(&[Tag::Math, Tag::Button, Tag::Object, Tag::Template]);

/// Foreign elements that hold HTML (HTML 13.2.6: integration points).
const HOLDS_HTML: TagSet = TagSet::of(&[
    Tag::ForeignObject,
    Tag::Desc,
    Tag::Title,
    Tag::Mi,
    Tag::Mn,
    Tag::Mo,
    Tag::Ms,
    Tag::Mtext,
    Tag::AnnotationXml,
]);

/// Raw text that nobody reads.
const UNREAD: TagSet = NEVER_SHOWN.with(TagSet::of(&[Tag::Title]));

/// Elements that are no part of the tree: the document's frame, and what says something about it.
const OF_THE_HEAD: TagSet = TagSet::of(&[
    Tag::Html,
    Tag::Head,
    Tag::Body,
    Tag::Meta,
    Tag::Title,
    Tag::Script,
    Tag::Link,
    Tag::Base,
    Tag::Style,
]);

impl<'a> Builder<'a> {
    fn new(bytes: usize) -> Self {
        let root = Node {
            kind: Kind::Element,
            tag: Tag::Html,
            spans: Spans::ONE,
            marks: Marks::NONE,
            parent: NodeId::ROOT,
            end: NodeId::ROOT,
            value: "",
        };
        let mut nodes = Vec::with_capacity((bytes / 32).min(NODES));
        nodes.push(root);
        let root = OpenElement {
            id: NodeId::ROOT,
            tag: Tag::Html,
            ended: false,
            foreign: false,
            content: Content::Any,
        };
        let (counts, head) = (TagCounts::default(), Head::default());
        Self { nodes, open: vec![root], counts, unseen: 0, inside: Tag::Other, head }
    }

    fn finish(mut self) -> Built<'a> {
        self.pop_to(0);
        self.nodes[0].end = NodeId(self.nodes.len() as u32);
        Built { tree: Tree { nodes: self.nodes }, head: self.head }
    }

    fn current(&self) -> OpenElement {
        self.open[self.open.len() - 1]
    }

    fn push(&mut self, kind: Kind, tag: Tag, marks: Marks, value: &'a str) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let end = NodeId(id.0 + 1);
        let (spans, parent) = (Spans::ONE, self.current().id);
        self.nodes.push(Node { kind, tag, spans, marks, parent, end, value });
        id
    }

    fn text(&mut self, text: &'a str, kind: Kind) {
        if UNREAD.has(self.inside) {
            self.head.raw_text(self.inside, text);
            return;
        }
        if self.unseen > 0 {
            return;
        }
        // White space between blocks is layout of the source, but not that of code.
        let is_between =
            BLOCK.has(self.current().tag) && !self.counts.has_any(PREFORMATTED) && self.after_block();
        if is_between && text.trim_ascii().is_empty() {
            return;
        }
        self.push(kind, Tag::Other, Marks::NONE, text);
    }

    fn after_block(&self) -> bool {
        self.nodes.last().is_some_and(|node| node.is_element() && BLOCK.has(node.tag))
    }

    fn open(&mut self, open: Open, attributes: &Attributes<'a>) {
        self.inside = if open.foreign || open.empty { Tag::Other } else { open.tag };
        if !open.foreign && OF_THE_HEAD.has(open.tag) {
            self.head.element(open.tag, attributes);
            return;
        }
        if !open.foreign {
            self.leave_foreign();
            if let Some(implied) = Implied::by(open.tag) {
                self.imply(implied);
            }
        }
        let id = self.element(open, attributes);
        let has_content = open.foreign || !VOID.has(open.tag) && !UNREAD.has(open.tag);
        if !open.empty && has_content && self.open.len() < DEPTH {
            let content = Content::of(open, attributes, &self.counts);
            self.unseen += usize::from(content == Content::Unseen);
            self.open.push(OpenElement { id, tag: open.tag, ended: false, foreign: open.foreign, content });
            self.counts.add(open.tag);
        }
    }

    /// The node of an element: one that nobody sees has that of the unseen one around.
    fn element(&mut self, open: Open, attributes: &Attributes<'a>) -> NodeId {
        if self.unseen > 0 {
            return self.current().id;
        }
        let id = self.push(Kind::Element, open.tag, marks::of(open, attributes), value(open.tag, attributes));
        if CELLS.has(open.tag) {
            self.nodes[id.index()].spans = spans(attributes);
        }
        id
    }

    /// Elements of HTML end the foreign ones that they stand in (HTML 13.2.6.5).
    fn leave_foreign(&mut self) {
        while self.current().foreign && !HOLDS_HTML.has(self.current().tag) {
            self.pop_to(self.open.len() - 1);
        }
    }

    fn imply(&mut self, implied: Implied) {
        if !self.counts.has_any(implied.ends) {
            return;
        }
        let from = self.open.iter().rposition(|open| implied.wall.has(open.tag)).map_or(0, |wall| wall + 1);
        if let Some(at) = self.open[from..].iter().position(|open| implied.ends.has(open.tag)) {
            self.pop_to(from + at);
        }
    }

    fn close(&mut self, tag: Tag) {
        self.inside = Tag::Other;
        if matches!(tag, Tag::P | Tag::Br) {
            self.leave_foreign();
        }
        if !self.counts.has_any(TagSet::of(&[tag])) {
            return;
        }
        let wall = wall_of(tag);
        let Some(at) = self.open.iter().rposition(|open| open.tag == tag || wall.has(open.tag)) else {
            return;
        };
        if self.open[at].tag != tag {
            return;
        }
        let blocks_within = || self.open[at + 1..].iter().any(|open| BLOCK.has(open.tag));
        let ends_all = BLOCK.has(tag) || ENDS_ALL.has(tag) || self.open[at].content == Content::Unseen;
        if !ends_all && blocks_within() {
            self.open[at].ended = true;
            return;
        }
        self.pop_to(at);
        while self.current().ended {
            self.pop_to(self.open.len() - 1);
        }
    }

    /// Closes elements until `len` are open; the document stays.
    fn pop_to(&mut self, len: usize) {
        while self.open.len() > len.max(1) {
            if let Some(open) = self.open.pop() {
                self.counts.remove(open.tag);
                self.unseen -= usize::from(open.content == Content::Unseen);
                self.end(open);
            }
        }
    }

    /// Ends the node of an element, or takes it back; within what nobody sees there is none to end.
    fn end(&mut self, open: OpenElement) {
        let at = open.id.index();
        if self.unseen == 0 && open.content.is_no_text(&self.nodes[at + 1..]) {
            self.nodes.truncate(at);
        } else {
            self.nodes[at].end = NodeId(self.nodes.len() as u32);
        }
    }
}
