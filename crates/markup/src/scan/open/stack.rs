use super::super::attributes::Attributes;
use super::sets::{FORMATTING, HEAD, SCOPE, SPECIAL};
use crate::limits::DEPTH;
use crate::tag::{Label, Tag, TagSet};
use crate::tag_counts::TagCounts;

/// Open elements, the outermost first; `html`, `head` and `body` are not among them.
#[derive(Default)]
pub(super) struct Stack {
    nodes: Vec<Node>,
    /// Those of them that are HTML's, by name: most that is looked for is not there, and the stack may be deep.
    html: TagCounts,
    /// How many are not.
    foreign: usize,
    /// How many are not shown.
    hidden: usize,
}

/// An open element.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) label: Label,
    pub(super) kind: Kind,
    /// Whether it is not shown.
    pub(super) hidden: bool,
    holds: Holds,
}

/// What a template holds: its first element decides for all (HTML 13.2.6.4.22). Of other elements it says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Nothing yet that decides.
    Nothing,
    /// What a body holds.
    Flow,
    /// What a table holds.
    Groups,
    /// What a group of rows holds.
    Rows,
    /// What a row holds.
    Cells,
    /// Columns: everything else is passed over.
    Columns,
}

impl Holds {
    /// By the first start tag.
    fn by_first(label: Label) -> Self {
        match label.tag {
            _ if label == Label::COL => Self::Columns,
            _ if label == Label::COLGROUP => Self::Groups,
            Tag::Caption | Tag::Tbody | Tag::Tfoot | Tag::Thead => Self::Groups,
            Tag::Tr => Self::Rows,
            Tag::Td | Tag::Th => Self::Cells,
            tag if HEAD.has(tag) => Self::Nothing,
            _ => Self::Flow,
        }
    }

    /// Whether it takes a part of a table.
    pub(super) fn takes(self, part: Tag) -> bool {
        match part {
            Tag::Td | Tag::Th => self.is_of_table(),
            Tag::Tr => matches!(self, Self::Groups | Self::Rows),
            _ => self == Self::Groups,
        }
    }

    /// Whether it is as within a table, though there may be none.
    pub(super) fn is_of_table(self) -> bool {
        matches!(self, Self::Groups | Self::Rows | Self::Cells)
    }
}

/// What an element belongs to, and by which grammar its content is read (HTML 13.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    Svg,
    Math,
    /// A `MathML` text integration point.
    MathText,
    /// `annotation-xml` that holds no HTML.
    Annotation,
    /// An HTML integration point of either.
    Island,
}

impl Kind {
    /// Whether a start tag that stands in such an element is read by the rules of HTML.
    pub(super) fn takes_html(self, label: Label) -> bool {
        match self {
            Self::Html | Self::Island => true,
            Self::MathText => !label.is_glyph(),
            Self::Annotation => label.tag == Tag::Svg,
            Self::Svg | Self::Math => false,
        }
    }

    /// Of a foreign element in one of this kind.
    pub(super) fn of_child(self, tag: Tag, attributes: &Attributes<'_>) -> Self {
        match (self, tag) {
            (Self::Svg, Tag::ForeignObject | Tag::Desc | Tag::Title) => Self::Island,
            (Self::Svg, _) => Self::Svg,
            (_, Tag::Mi | Tag::Mn | Tag::Mo | Tag::Ms | Tag::Mtext) => Self::MathText,
            (_, Tag::AnnotationXml) if holds_html(attributes) => Self::Island,
            (_, Tag::AnnotationXml) => Self::Annotation,
            _ => Self::Math,
        }
    }
}

fn holds_html(attributes: &Attributes<'_>) -> bool {
    let encoding = attributes.get("encoding").unwrap_or_default();
    ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
}

impl Node {
    pub(super) fn new(label: Label, kind: Kind) -> Self {
        let is_template = kind == Kind::Html && label.tag == Tag::Template;
        let holds = if is_template { Holds::Nothing } else { Holds::Flow };
        Self { label, kind, hidden: false, holds }
    }

    pub(super) fn hidden_if(self, hidden: bool) -> Self {
        Self { hidden, ..self }
    }

    pub(super) fn is_html(&self, tags: TagSet) -> bool {
        self.kind == Kind::Html && tags.has(self.label.tag)
    }

    fn is_integration_point(&self) -> bool {
        matches!(self.kind, Kind::MathText | Kind::Annotation | Kind::Island)
    }

    /// HTML's special category.
    pub(super) fn is_special(&self) -> bool {
        self.is_html(SPECIAL) || self.is_integration_point()
    }

    /// Whether no end tag in it reaches what is outside.
    pub(super) fn bounds_scope(&self) -> bool {
        self.is_html(SCOPE) || self.is_integration_point()
    }
}

impl Stack {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= DEPTH
    }

    pub(super) fn push(&mut self, node: Node) {
        if !self.is_full() {
            self.nodes.push(node);
            self.hidden += usize::from(node.hidden);
            match node.kind {
                Kind::Html => self.html.add(node.label.tag),
                _ => self.foreign += 1,
            }
        }
    }

    /// Of the innermost element.
    pub(super) fn current(&self) -> Kind {
        self.nodes.last().map_or(Kind::Html, |node| node.kind)
    }

    pub(super) fn has_foreign(&self) -> bool {
        self.foreign > 0
    }

    pub(super) fn has_hidden(&self) -> bool {
        self.hidden > 0
    }

    pub(super) fn current_is(&self, tags: TagSet) -> bool {
        self.nodes.last().is_some_and(|node| node.is_html(tags))
    }

    /// The innermost element, if this is its name in HTML.
    pub(super) fn innermost_is(&self, label: Label) -> Option<Label> {
        let node = self.nodes.last()?;
        (node.kind == Kind::Html && node.label.is(label)).then_some(node.label)
    }

    pub(super) fn pop(&mut self) {
        if let Some(node) = self.nodes.pop() {
            self.forget(node);
        }
    }

    pub(super) fn tag(&self, at: usize) -> Tag {
        self.nodes[at].label.tag
    }

    /// Of a template.
    pub(super) fn holds(&self, at: usize) -> Holds {
        self.nodes[at].holds
    }

    /// A start tag comes: if it is the first in a template it decides what that holds.
    pub(super) fn note_first(&mut self, label: Label) {
        if let Some(node) = self.nodes.last_mut()
            && node.holds == Holds::Nothing
        {
            node.holds = Holds::by_first(label);
        }
    }

    /// Whether this is within a template that holds columns.
    pub(super) fn takes_columns_only(&self) -> bool {
        self.nodes.last().is_some_and(|node| node.holds == Holds::Columns)
    }

    /// The innermost element of HTML that is one of these, up to where `bounds`.
    pub(super) fn innermost(&self, tags: TagSet, bounds: impl Fn(&Node) -> bool) -> Option<usize> {
        if !self.html.has_any(tags) {
            return None;
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if node.is_html(tags) {
                return Some(at);
            }
            if bounds(node) {
                return None;
            }
        }
        None
    }

    /// HTML's "has an element in scope".
    pub(super) fn in_scope(&self, tags: TagSet) -> Option<usize> {
        self.innermost(tags, Node::bounds_scope)
    }

    /// The paragraph in HTML's "button scope". Special elements end it where they begin, those that bound the scope apart, and `noscript`:
    /// it is looked for up to the first of them.
    pub(super) fn paragraph(&self) -> Option<usize> {
        if !self.html.has_any(TagSet::of(&[Tag::P])) {
            return None;
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if node.is_special() && !node.is_html(TagSet::of(&[Tag::Noscript])) {
                return (node.kind == Kind::Html && node.label.tag == Tag::P).then_some(at);
            }
        }
        None
    }

    /// The innermost of these, wherever it is.
    pub(super) fn nearest(&self, tags: TagSet) -> Option<usize> {
        self.innermost(tags, |_| false)
    }

    pub(super) fn has_template(&self) -> bool {
        self.nearest(TagSet::of(&[Tag::Template])).is_some()
    }

    /// The element that an ordinary end tag closes.
    pub(super) fn namesake(&self, label: Label) -> Option<usize> {
        if !self.html.has_any(TagSet::of(&[label.tag])) {
            return None;
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if node.kind == Kind::Html && node.label.is(label) {
                return Some(at);
            }
            if node.is_special() {
                return None;
            }
        }
        None
    }

    /// The element that an end tag within foreign content closes there.
    pub(super) fn foreign_namesake(&self, label: Label) -> Option<usize> {
        let foreign = self.nodes.iter().enumerate().rev().take_while(|(_, node)| node.kind != Kind::Html);
        foreign.into_iter().find(|(_, node)| node.label.is(label)).map(|(at, _)| at)
    }

    /// A formatting element, by the label that only it has.
    pub(super) fn formatting(&self, label: Label) -> Option<usize> {
        let may_be_open = self.html.has_any(TagSet::of(&[label.tag]));
        let is_it = |node: &Node| node.kind == Kind::Html && node.label == label;
        may_be_open.then(|| self.nodes.iter().rposition(is_it))?
    }

    pub(super) fn all_formatting(&self) -> impl Iterator<Item = Label> {
        let is_formatting = |node: &&Node| node.kind == Kind::Html && FORMATTING.has(node.label.tag);
        self.nodes.iter().filter(is_formatting).map(|node| node.label)
    }

    pub(super) fn is_in_scope(&self, at: usize) -> bool {
        !self.nodes[at + 1..].iter().any(Node::bounds_scope)
    }

    pub(super) fn last_special_after(&self, at: usize) -> Option<usize> {
        self.nodes[at + 1..].iter().rposition(Node::is_special).map(|step| at + 1 + step)
    }

    /// Out of SVG or `MathML`, to the element of HTML or the integration point around.
    pub(super) fn leave_foreign(&mut self) {
        while matches!(self.current(), Kind::Svg | Kind::Math | Kind::Annotation) {
            self.pop();
        }
    }

    /// What stands there and within.
    pub(super) fn truncate(&mut self, at: usize) -> impl Iterator<Item = Node> {
        for place in at..self.len() {
            self.forget(self.nodes[place]);
        }
        self.nodes.drain(at..)
    }

    pub(super) fn retain_after(&mut self, at: usize, keep: impl Fn(&Node) -> bool) {
        for node in self.nodes.split_off(at + 1) {
            if keep(&node) {
                self.nodes.push(node);
            } else {
                self.forget(node);
            }
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        let node = self.nodes.remove(at);
        self.forget(node);
    }

    /// It is no longer open.
    fn forget(&mut self, node: Node) {
        self.hidden -= usize::from(node.hidden);
        match node.kind {
            Kind::Html => self.html.remove(node.label.tag),
            _ => self.foreign -= 1,
        }
    }
}

#[cfg(test)]
mod tests;
