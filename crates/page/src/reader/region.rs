use markup::{Open, Tag, TagSet, VOID};

/// The parts of a document that are not shown, by how deep the pass is in each of them. An end tag leaves only
/// a region of its own name, and media: these end with what they stand in.
pub(super) struct Regions {
    depth: [u32; KINDS],
    /// In how many of them.
    inside: u32,
    /// How many elements are open within media, by tag.
    open: [u32; 128],
}

const KINDS: usize = 9;
const TEMPLATE: usize = 0;
const NOSCRIPT: usize = 1;
const SVG: usize = 4;
const ANNOTATION: usize = 5;
const MEDIA: std::ops::Range<usize> = 6..9;

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

/// Elements whose end tags do not say that anything around media ends.
const UNTOLD: TagSet = REGIONS.with(VOID).with(TagSet::of(&[Tag::Body, Tag::Head, Tag::Html, Tag::Other]));

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

impl Default for Regions {
    fn default() -> Self {
        Self { depth: [0; KINDS], inside: 0, open: [0; 128] }
    }
}

impl Regions {
    pub(super) fn in_media(&self) -> bool {
        self.inside > 0 && self.depth[MEDIA].iter().any(|depth| *depth > 0)
    }

    /// A start tag within media.
    pub(super) fn begin_in_media(&mut self, tag: Tag) {
        self.open[tag as usize] += 1;
    }

    /// An end tag within media; that of an element around them ends them too (HTML 13.2.6.4.7, "any other end tag").
    pub(super) fn end_in_media(&mut self, tag: Tag) {
        let open = &mut self.open[tag as usize];
        if *open > 0 {
            *open -= 1;
        } else if !UNTOLD.has(tag) {
            self.forget(MEDIA);
            self.open = [0; 128];
        }
    }

    fn forget(&mut self, kinds: impl IntoIterator<Item = usize>) {
        for index in kinds {
            self.inside -= u32::from(self.depth[index] > 0);
            self.depth[index] = 0;
        }
    }

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
        self.forget([SVG, ANNOTATION]);
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
