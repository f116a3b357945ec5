//! Elements whose content nobody sees, whatever a style sheet says.

use markup::{Attributes, Open, Tag, TagSet};

/// Those that show something else in its place, or nothing.
const UNSEEN: TagSet = TagSet::of(&[
    Tag::Annotation,
    Tag::AnnotationXml,
    Tag::Audio,
    Tag::Canvas,
    Tag::Datalist,
    Tag::Meter,
    Tag::Progress,
    Tag::Select,
    Tag::Svg,
    Tag::Video,
]);

/// Elements within a line, whose `hidden` and `popover` hold. Those of others are [marks](crate::marks) among others: scripts show the pages that
/// they hold.
const WITHIN_LINES: TagSet = TagSet::of(&[
    Tag::A,
    Tag::B,
    Tag::Big,
    Tag::Code,
    Tag::Del,
    Tag::Em,
    Tag::Font,
    Tag::I,
    Tag::Ins,
    Tag::Kbd,
    Tag::Label,
    Tag::Q,
    Tag::S,
    Tag::Samp,
    Tag::Small,
    Tag::Span,
    Tag::Strong,
    Tag::Sub,
    Tag::Sup,
    Tag::Tt,
    Tag::U,
]);

/// Whether nobody sees what is in an element.
pub(super) fn is_unseen(open: Open, attributes: &Attributes<'_>) -> bool {
    match open.tag {
        Tag::Template => !attributes.make_a_shadow_root(),
        tag if UNSEEN.has(tag) => true,
        tag => WITHIN_LINES.has(tag) && attributes.hide(tag),
    }
}
