//! A `frameset` instead of a body (HTML 13.2.6.4.7, 20 and 21). One that comes late takes the body away, as long as nothing has stood in
//! it that counts.

use super::Reader;
use crate::link::LinkKind;
use markup::{Attributes, Dialect, Open, Tag, TagSet};

/// Elements that stand in the head, wherever they are written before the body.
const OF_HEAD: TagSet = TagSet::of(&[
    Tag::Base,
    Tag::Bgsound,
    Tag::Frameset,
    Tag::Head,
    Tag::Html,
    Tag::Link,
    Tag::Meta,
    Tag::Noframes,
    Tag::Noscript,
    Tag::Script,
    Tag::Style,
    Tag::Template,
    Tag::Title,
]);

impl<'a> Reader<'a, '_> {
    /// The body begins at the first tag that no head has.
    pub(super) fn before_body(&mut self, open: Open) {
        let is_of_head = OF_HEAD.has(open.tag) && !open.foreign || self.regions.in_template();
        if !is_of_head && self.dialect == Dialect::Html && self.frames.is_none() {
            self.body = Some(self.harvest.head_only());
        }
    }

    /// It begins with words too, and where there are any it stays.
    pub(super) fn words_begin(&mut self, text: &str) {
        if text.bytes().all(|byte| byte == 0 || byte.is_ascii_whitespace()) {
            return;
        }
        self.frameset_ok = false;
        if self.body.is_none() && !self.regions.in_template() {
            self.body = Some(self.harvest.head_only());
        }
    }

    /// It begins with an end tag of this kind too. Chromium forgets then that a template stood in the head, and ours with it; by HTML
    /// 13.2.6.4.4 it should not.
    pub(super) fn ends_before_body(&mut self, tag: Tag) {
        let begins_body = matches!(tag, Tag::Body | Tag::Html | Tag::Br) && self.dialect == Dialect::Html;
        if begins_body && !self.regions.in_template() {
            self.body = Some(self.harvest.head_only());
            self.frameset_ok = tag != Tag::Br;
        }
    }

    pub(super) fn begin_frameset(&mut self) {
        let is_in_place = if self.body.is_some() { self.frameset_ok } else { !self.regions.in_template() };
        if !is_in_place {
            return;
        }
        self.end_anchor();
        if let Some(head) = self.body.take() {
            self.harvest.keep(head);
        }
        (self.frames, self.pre) = (Some(1), 0);
    }

    pub(super) fn frameset_element(&mut self, tag: Tag, attributes: &Attributes<'a>) {
        match (tag, &mut self.frames) {
            (Tag::Noframes, _) => self.inside = tag,
            (Tag::Frameset, Some(depth)) if *depth > 0 => *depth = depth.saturating_add(1),
            (Tag::Frame, Some(depth)) if *depth > 0 => self.frame(LinkKind::Frame, attributes),
            _ => {}
        }
    }

    pub(super) fn frameset_end(&mut self, tag: Tag) {
        if let (Tag::Frameset, Some(depth)) = (tag, &mut self.frames) {
            *depth = depth.saturating_sub(1);
        }
    }
}
