//! Which elements are open, as far as it decides by which grammar a tag is read: the stack of open elements and the list of active
//! formatting elements of HTML 13.2.4, by names.

mod formatting;
mod hidden;
mod sets;
mod stack;

use super::attributes::Attributes;
use crate::tag::{Label, TABLE_PARTS, Tag, TagSet, VOID};
use formatting::Formatting;
use sets::{
    FORMATTING, HEADINGS, IMPLIED, ITEM_PASSES, METADATA, NAMELESS, ROWS, SCOPED, SECTIONS, TABLES, Traits,
};
use stack::{Holds, Kind, Node, Stack};

/// Elements whose attributes decide about foreign content.
pub(super) const WANTED: TagSet = TagSet::of(&[Tag::Font, Tag::AnnotationXml]);

/// What is open at one place of a document.
#[derive(Default)]
pub(super) struct OpenElements {
    stack: Stack,
    formatting: Formatting,
    /// HTML's form element pointer: whether a form was begun and none ended since.
    form: bool,
    /// Whether the element that begins is not shown.
    hides: bool,
}

/// What becomes of a start tag.
#[derive(PartialEq, Eq)]
enum Fate {
    Taken,
    PassedOver,
}

impl OpenElements {
    /// Whether CDATA is text here.
    pub(super) fn has_cdata(&self) -> bool {
        self.stack.current() != Kind::Html
    }

    pub(super) fn has_open(&self, tags: TagSet) -> bool {
        self.stack.nearest(tags).is_some()
    }

    /// Whether some element belongs to SVG or `MathML`.
    pub(super) fn has_foreign(&self) -> bool {
        self.stack.has_foreign()
    }

    /// Takes characters.
    pub(super) fn text(&mut self) {
        if self.formatting.is_lost() && !matches!(self.stack.current(), Kind::Svg | Kind::Math) {
            self.formatting.reopen(&mut self.stack);
        }
    }

    /// Takes a start tag; says whether its element belongs to SVG or `MathML`.
    pub(super) fn open(&mut self, label: Label, self_closing: bool, attributes: &Attributes<'_>) -> bool {
        if self.stack.current() == Kind::Html {
            return self.open_html(label, self_closing);
        }
        self.open_in_foreign(label, self_closing, attributes)
    }

    fn open_in_foreign(&mut self, label: Label, self_closing: bool, attributes: &Attributes<'_>) -> bool {
        let kind = self.stack.current();
        if kind.takes_html(label) {
            return self.open_html(label, self_closing);
        }
        if breaks_out(label, attributes) {
            self.stack.leave_foreign();
            return self.open_html(label, self_closing);
        }
        if !self_closing {
            self.stack.push(Node::new(label, kind.of_child(label.tag, attributes)));
        }
        true
    }

    fn open_html(&mut self, label: Label, self_closing: bool) -> bool {
        self.stack.note_first(label);
        if self.stack.takes_columns_only() && label.tag != Tag::Template {
            return false;
        }
        let traits = Traits::of(label.tag);
        if traits.has(Traits::RULED) {
            return self.open_ruled(label, self_closing);
        }
        if label.is_column() {
            self.begin_table_part(Tag::Other);
            return false;
        }
        if traits.has(Traits::BLOCK) {
            self.end_paragraph();
        } else {
            if label.tag == Tag::A {
                self.end_anchor();
            }
            self.formatting.reopen(&mut self.stack);
        }
        if !label.is_void() {
            self.push(label, traits, Kind::Html);
        }
        false
    }

    /// One that has rules of its own.
    fn open_ruled(&mut self, label: Label, self_closing: bool) -> bool {
        let root = match label.tag {
            Tag::Svg => Kind::Svg,
            Tag::Math => Kind::Math,
            _ => Kind::Html,
        };
        let traits = Traits::of(label.tag);
        if traits.has(Traits::VOID) || root != Kind::Html && self_closing {
            self.pass_void(label.tag);
        } else if self.begin(label.tag) == Fate::Taken {
            self.push(label, traits, root);
        }
        root != Kind::Html
    }

    fn pass_void(&mut self, tag: Tag) {
        if tag == Tag::Hr {
            self.end_paragraph();
        } else if !METADATA.has(tag) {
            self.formatting.reopen(&mut self.stack);
        }
    }

    fn push(&mut self, mut label: Label, traits: Traits, kind: Kind) {
        if self.stack.is_full() {
            return;
        }
        if traits.has(Traits::FORMATTING) {
            label = self.formatting.add(label.tag);
        } else if traits.has(Traits::MARKS) {
            self.formatting.mark();
        }
        self.stack.push(Node::new(label, kind).hidden_if(self.hides));
    }

    /// What the start tags of some elements end (HTML 13.2.6.4.7 and, of tables, 9 to 15).
    fn begin(&mut self, tag: Tag) -> Fate {
        match tag {
            Tag::Caption | Tag::Tbody | Tag::Td | Tag::Tfoot | Tag::Th | Tag::Thead | Tag::Tr => {
                return self.begin_table_part(tag);
            }
            Tag::Nobr => self.begin_nobr(),
            Tag::Button => self.end_scoped(Tag::Button),
            Tag::Option | Tag::Optgroup => self.begin_option(tag),
            Tag::Select if self.stack.in_scope(TagSet::of(&[Tag::Select])).is_some() => {
                self.end_scoped(Tag::Select);
                return Fate::PassedOver;
            }
            Tag::Select | Tag::Svg | Tag::Math => {}
            Tag::Form if !self.takes_form() => return Fate::PassedOver,
            // Nothing stands in a form that begins in a table, but in no cell of it.
            Tag::Form if self.table_around().is_some() => {
                self.form = true;
                return Fate::PassedOver;
            }
            Tag::Table if self.table_around().is_some_and(|at| self.stack.tag(at) == Tag::Template) => {
                return Fate::PassedOver;
            }
            _ if NAMELESS.has(tag) => return Fate::PassedOver,
            _ if METADATA.has(tag) => return Fate::Taken,
            _ => {
                self.begin_block(tag);
                return Fate::Taken;
            }
        }
        self.formatting.reopen(&mut self.stack);
        Fate::Taken
    }

    fn begin_block(&mut self, tag: Tag) {
        match tag {
            Tag::Form => self.form |= !self.stack.has_template(),
            Tag::Li => self.end_item(TagSet::of(&[Tag::Li])),
            Tag::Dd | Tag::Dt => self.end_item(TagSet::of(&[Tag::Dd, Tag::Dt])),
            // A table within a table, but in no cell of it, ends it.
            Tag::Table => {
                if let Some(at) = self.table_around() {
                    self.end_at(at);
                }
            }
            _ => {}
        }
        self.end_paragraph();
        if HEADINGS.has(tag) && self.stack.current_is(HEADINGS) {
            self.end_at(self.stack.len() - 1);
        }
    }

    /// The table, or the template that holds parts of one, in whose cells and captions this is not.
    fn table_around(&self) -> Option<usize> {
        let bounds = TagSet::of(&[Tag::Td, Tag::Th, Tag::Caption]);
        let at = self.stack.nearest(TABLES.with(bounds))?;
        (self.stack.tag(at) == Tag::Table || self.stack.holds(at).is_of_table()).then_some(at)
    }

    fn takes_form(&self) -> bool {
        if self.stack.has_template() { self.table_around().is_none() } else { !self.form }
    }

    /// Only within a table; its rows and their groups are there although nobody writes them.
    fn begin_table_part(&mut self, tag: Tag) -> Fate {
        let context = match tag {
            Tag::Td | Tag::Th => ROWS,
            Tag::Tr => SECTIONS,
            _ => TABLES,
        };
        let Some(at) = self.stack.nearest(context) else { return Fate::PassedOver };
        let around = self.stack.tag(at);
        let (lacks_group, lacks_row) = match around {
            Tag::Template => {
                let holds = self.stack.holds(at);
                if !holds.takes(tag) {
                    return self.pass_table_part(at);
                }
                (holds == Holds::Groups, holds != Holds::Cells)
            }
            _ => (around == Tag::Table, around != Tag::Tr),
        };
        self.end_at(at + 1);
        if context != TABLES && lacks_group {
            self.push_implied(Tag::Tbody);
        }
        if context == ROWS && lacks_row {
            self.push_implied(Tag::Tr);
        }
        Fate::Taken
    }

    /// A part that a template does not take ends the one that is open all the same.
    fn pass_table_part(&mut self, template: usize) -> Fate {
        if template + 1 < self.stack.len() && TABLE_PARTS.has(self.stack.tag(template + 1)) {
            self.end_at(template + 1);
        }
        Fate::PassedOver
    }

    fn push_implied(&mut self, tag: Tag) {
        self.stack.push(Node::new(Label::of_listed(tag), Kind::Html));
    }

    fn end_anchor(&mut self) {
        let Some(label) = self.formatting.find(Tag::A) else { return };
        self.adopt(Tag::A);
        self.formatting.remove(label);
        if let Some(at) = self.stack.formatting(label) {
            self.stack.remove(at);
        }
    }

    fn begin_nobr(&mut self) {
        self.formatting.reopen(&mut self.stack);
        if self.stack.in_scope(TagSet::of(&[Tag::Nobr])).is_some() {
            self.adopt(Tag::Nobr);
        }
    }

    fn begin_option(&mut self, tag: Tag) {
        let is_option = TagSet::of(&[Tag::Option]);
        if self.stack.in_scope(TagSet::of(&[Tag::Select])).is_some() {
            let implied = if tag == Tag::Option { IMPLIED.without(&[Tag::Optgroup]) } else { IMPLIED };
            self.end_implied(implied);
        } else if self.stack.current_is(is_option) {
            self.end_at(self.stack.len() - 1);
        }
    }

    fn end_implied(&mut self, implied: TagSet) {
        while self.stack.current_is(implied) {
            self.end_at(self.stack.len() - 1);
        }
    }

    /// The item of a list that is open, if nothing but what items may begin within stands between.
    fn end_item(&mut self, items: TagSet) {
        let found = self.stack.innermost(items, |node| node.is_special() && !ITEM_PASSES.has(node.label.tag));
        if let Some(at) = found {
            self.end_at(at);
        }
    }

    fn end_paragraph(&mut self) {
        if let Some(at) = self.stack.paragraph() {
            self.end_at(at);
        }
    }

    fn end_scoped(&mut self, tag: Tag) {
        if let Some(at) = self.stack.in_scope(TagSet::of(&[tag])) {
            self.end_at(at);
        }
    }

    /// Everything from there on is closed.
    fn end_at(&mut self, at: usize) {
        self.formatting.closed(self.stack.truncate(at));
    }

    /// Takes an end tag; says whether its element belonged to SVG or `MathML`.
    pub(super) fn close(&mut self, label: Label) -> bool {
        if let Some(node) = self.stack.innermost_is(label)
            && self.close_innermost(node)
        {
            return false;
        }
        self.close_other(label)
    }

    /// As well-formed documents do, and most others mostly. Says whether that was all.
    fn close_innermost(&mut self, label: Label) -> bool {
        let traits = Traits::of(label.tag);
        if traits.has(Traits::FORMATTING) && !self.formatting.take_last(label) || label.tag == Tag::Form {
            return false;
        }
        self.stack.pop();
        if traits.has(Traits::MARKS) {
            self.formatting.clear_to_marker();
        }
        true
    }

    fn close_other(&mut self, label: Label) -> bool {
        if matches!(label.tag, Tag::P | Tag::Br) {
            self.stack.leave_foreign();
        } else if let Some(at) = self.stack.foreign_namesake(label) {
            self.end_at(at);
            return true;
        }
        if !FORMATTING.has(label.tag) {
            self.close_elsewhere(label);
        } else if !self.adopt(label.tag) {
            self.close_ordinary(label);
        }
        false
    }

    /// An element that need not be the innermost.
    fn close_elsewhere(&mut self, label: Label) {
        let one = TagSet::of(&[label.tag]);
        let found = match label.tag {
            tag if NAMELESS.has(tag) || VOID.has(tag) => None,
            Tag::Template => self.stack.nearest(one),
            Tag::P => return self.end_paragraph(),
            Tag::Form => return self.close_form(),
            Tag::Li => {
                let lists = TagSet::of(&[Tag::Ol, Tag::Ul]);
                self.stack.innermost(one, |node| node.bounds_scope() || node.is_html(lists))
            }
            tag if HEADINGS.has(tag) => self.stack.in_scope(HEADINGS),
            tag if TABLE_PARTS.has(tag) || tag == Tag::Table => {
                let found = self.stack.innermost(one, |node| node.is_html(TABLES));
                if found.is_none() && tag == Tag::Table {
                    self.end_part_of_template();
                }
                found
            }
            Tag::Applet | Tag::Marquee | Tag::Object => {
                self.stack.in_scope(one).inspect(|_| self.formatting.clear_to_marker())
            }
            tag if SCOPED.has(tag) => self.stack.in_scope(one),
            _ => return self.close_ordinary(label),
        };
        if let Some(at) = found {
            self.end_at(at);
        }
    }

    /// The end of a table that is none ends a row of a template, or what else of a table it holds, but for a cell (HTML 13.2.6.4.11 to 15).
    fn end_part_of_template(&mut self) {
        let around = self.stack.nearest(TABLES.with(TagSet::of(&[Tag::Td, Tag::Th])));
        if let Some(at) = around.filter(|at| self.stack.tag(*at) == Tag::Template) {
            self.pass_table_part(at);
        }
    }

    /// HTML's "any other end tag".
    fn close_ordinary(&mut self, label: Label) {
        if let Some(at) = self.stack.namesake(label) {
            self.end_at(at);
        }
    }

    /// A form is taken from among what is open, not closed with what is in it.
    fn close_form(&mut self) {
        let found = self.stack.in_scope(TagSet::of(&[Tag::Form]));
        let is_within_template = self.stack.has_template();
        let was_begun = is_within_template || std::mem::take(&mut self.form);
        match found.filter(|_| was_begun) {
            Some(at) if is_within_template => self.end_at(at),
            Some(at) => {
                self.end_implied(IMPLIED);
                self.stack.remove(at);
            }
            None => {}
        }
    }

    /// The adoption agency, by what it leaves open: of what stands within the formatting element only special elements, and formatting
    /// elements around these. Says whether there was such a formatting element.
    fn adopt(&mut self, tag: Tag) -> bool {
        let Some(label) = self.formatting.find(tag) else { return false };
        let Some(at) = self.stack.formatting(label) else {
            self.formatting.remove(label);
            return true;
        };
        if !self.stack.is_in_scope(at) {
            return true;
        }
        self.formatting.remove(label);
        let Some(last) = self.stack.last_special_after(at) else {
            self.end_at(at);
            return true;
        };
        self.end_at(last + 1);
        self.stack.retain_after(at, |node| node.is_special() || node.is_html(FORMATTING));
        self.stack.remove(at);
        true
    }
}

fn breaks_out(label: Label, attributes: &Attributes<'_>) -> bool {
    let styled = || ["color", "face", "size"].into_iter().any(|name| attributes.has(name));
    label.breaks_out() || label.tag == Tag::Font && styled()
}
