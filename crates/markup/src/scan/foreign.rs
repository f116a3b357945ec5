use super::attributes::Attributes;
use crate::limits::FOREIGN_DEPTH;
use crate::tag::{BREAKOUT, TAGS, Tag, TagSet};

/// Elements whose attributes decide about foreign content.
pub(super) const WANTED: TagSet = TagSet::of(&[Tag::Font, Tag::AnnotationXml]);

/// What of SVG and `MathML` is open (HTML 13.2.6.5). Only their roots and their integration points are kept: no
/// other element changes how a tag is read. Without a tree, what end tags do within an SVG that is never closed
/// is a close guess; where it is closed, html5ever sees the same links.
pub(super) struct Foreign {
    open: Vec<Node>,
    /// Start tags less end tags of each HTML element: an end tag within SVG closes what is around the SVG only
    /// if that is open.
    html: [u32; TAGS],
}

enum Node {
    Svg(Namesakes),
    Math(Namesakes),
    /// HTML again, within this foreign element.
    Integration(Tag),
}

/// How many foreign elements are open under names of HTML elements whose end tags decide about links: those are theirs first.
#[derive(Default)]
struct Namesakes {
    anchors: u32,
    templates: u32,
}

impl Namesakes {
    fn of(&mut self, tag: Tag) -> Option<&mut u32> {
        match tag {
            Tag::A => Some(&mut self.anchors),
            Tag::Template => Some(&mut self.templates),
            _ => None,
        }
    }
}

impl Default for Foreign {
    fn default() -> Self {
        Self { open: Vec::new(), html: [0; TAGS] }
    }
}

impl Foreign {
    /// Whether a tag that stands here belongs to SVG or `MathML`.
    fn is_current(&self) -> bool {
        matches!(self.open.last(), Some(Node::Svg(_) | Node::Math(_)))
    }

    /// Whether CDATA is text here: in foreign content, its integration points included.
    pub(super) fn has_cdata(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes a start tag; says whether its element is foreign.
    pub(super) fn open(&mut self, tag: Tag, self_closing: bool, attributes: &Attributes<'_>) -> bool {
        if self.is_current() && breaks_out(tag, attributes) {
            self.leave();
        }
        let root = match tag {
            Tag::Svg => Some(Node::Svg(Namesakes::default())),
            Tag::Math => Some(Node::Math(Namesakes::default())),
            _ => None,
        };
        let foreign = root.is_some() || self.is_current();
        if !foreign {
            self.open_html(tag);
        }
        if foreign && !self_closing {
            self.enter(tag, root, attributes);
        }
        foreign
    }

    /// An `a` closes the one that is open; other elements nest.
    fn open_html(&mut self, tag: Tag) {
        let open = &mut self.html[tag as usize];
        *open = if tag == Tag::A { 1 } else { open.saturating_add(1) };
    }

    fn enter(&mut self, tag: Tag, root: Option<Node>, attributes: &Attributes<'_>) {
        let node = root.or_else(|| self.integration(tag, attributes));
        if let Some(node) = node.filter(|_| self.open.len() < FOREIGN_DEPTH) {
            self.open.push(node);
        } else if let Some(Node::Svg(namesakes) | Node::Math(namesakes)) = self.open.last_mut()
            && let Some(open) = namesakes.of(tag)
        {
            *open = open.saturating_add(1);
        }
    }

    fn integration(&self, tag: Tag, attributes: &Attributes<'_>) -> Option<Node> {
        let is_html = || {
            let encoding = attributes.get("encoding").unwrap_or_default();
            ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
        };
        let html = match (self.open.last()?, tag) {
            (Node::Svg(_), Tag::ForeignObject | Tag::Desc | Tag::Title)
            | (Node::Math(_), Tag::Mi | Tag::Mn | Tag::Mo | Tag::Ms | Tag::Mtext) => true,
            (Node::Math(_), Tag::AnnotationXml) => is_html(),
            _ => false,
        };
        html.then_some(Node::Integration(tag))
    }

    /// Takes an end tag; says whether its element was foreign.
    pub(super) fn close(&mut self, tag: Tag) -> bool {
        let foreign = self.close_foreign(tag);
        if !foreign {
            self.html[tag as usize] = self.html[tag as usize].saturating_sub(1);
        }
        foreign
    }

    fn close_foreign(&mut self, tag: Tag) -> bool {
        if self.close_namesake(tag) {
            return true;
        }
        let is_open = self.html[tag as usize] > 0;
        match (self.open.last(), tag) {
            (None, _) => false,
            (Some(_), Tag::Svg) => self.close_root(|node| matches!(node, Node::Svg(_))),
            (Some(_), Tag::Math) => self.close_root(|node| matches!(node, Node::Math(_))),
            (Some(Node::Integration(point)), _) => {
                let closes = *point == tag;
                if closes {
                    self.open.pop();
                }
                closes
            }
            (Some(Node::Svg(_) | Node::Math(_)), _) => {
                let leaves = is_open && tag != Tag::Other || matches!(tag, Tag::P | Tag::Br);
                if leaves {
                    self.leave();
                }
                !leaves
            }
        }
    }

    /// Closes the foreign element of this name, and what was begun within it, up to the integration point around.
    fn close_namesake(&mut self, tag: Tag) -> bool {
        for root in (0..self.open.len()).rev() {
            let (Node::Svg(namesakes) | Node::Math(namesakes)) = &mut self.open[root] else { return false };
            let Some(open) = namesakes.of(tag) else { return false };
            if *open > 0 {
                *open -= 1;
                self.open.truncate(root + 1);
                return true;
            }
        }
        false
    }

    /// Pops to the integration point around, or out of foreign content.
    fn leave(&mut self) {
        while self.is_current() {
            self.open.pop();
        }
    }

    fn close_root(&mut self, is_root: impl Fn(&Node) -> bool) -> bool {
        let root = self.open.iter().rposition(is_root);
        if let Some(root) = root {
            self.open.truncate(root);
        }
        root.is_some()
    }
}

fn breaks_out(tag: Tag, attributes: &Attributes<'_>) -> bool {
    let styled = || ["color", "face", "size"].into_iter().any(|name| attributes.has(name));
    BREAKOUT.has(tag) || tag == Tag::Font && styled()
}
