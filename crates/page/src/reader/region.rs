use markup::{Open, Tag, TagSet};

/// The parts of a document that are not shown, by how deep the pass is in each of them. An end tag leaves only
/// a region of its own name.
#[derive(Default)]
pub(super) struct Regions {
    depth: [u32; KINDS],
    /// In how many of them.
    inside: u32,
}

const KINDS: usize = 9;
const TEMPLATE: usize = 0;
const NOSCRIPT: usize = 1;
const SVG: usize = 4;
const ANNOTATION: usize = 5;

/// The elements that open one.
pub(super) const REGIONS: TagSet = TagSet::of(&[
    Tag::Svg,
    Tag::Annotation,
    Tag::AnnotationXml,
    Tag::Template,
    Tag::Noscript,
    Tag::Select,
    Tag::Datalist,
    Tag::Video,
    Tag::Audio,
    Tag::Canvas,
]);

fn index(tag: Open) -> Option<usize> {
    Some(match tag.tag {
        Tag::Svg => SVG,
        Tag::Annotation | Tag::AnnotationXml => ANNOTATION,
        _ if tag.foreign => return None,
        Tag::Template => TEMPLATE,
        Tag::Noscript => NOSCRIPT,
        Tag::Select => 2,
        Tag::Datalist => 3,
        Tag::Video => 6,
        Tag::Audio => 7,
        Tag::Canvas => 8,
        _ => return None,
    })
}

impl Regions {
    pub(super) fn enter(&mut self, tag: Open) {
        if let Some(index) = index(tag) {
            self.inside += u32::from(self.depth[index] == 0);
            self.depth[index] = self.depth[index].saturating_add(1);
        }
    }

    pub(super) fn leave(&mut self, tag: Open) {
        if let Some(index) = index(tag) {
            self.inside -= u32::from(self.depth[index] == 1);
            self.depth[index] = self.depth[index].saturating_sub(1);
        }
    }

    /// Other elements end SVG and `MathML` too.
    pub(super) fn leave_foreign(&mut self) {
        for index in [SVG, ANNOTATION] {
            self.inside -= u32::from(self.depth[index] > 0);
            self.depth[index] = 0;
        }
    }

    pub(super) fn hide_text(&self) -> bool {
        self.inside > 0
    }

    pub(super) fn in_template(&self) -> bool {
        self.depth[TEMPLATE] > 0
    }

    pub(super) fn in_noscript(&self) -> bool {
        self.depth[NOSCRIPT] > 0
    }
}
