use markup::{Attributes, Open, Scanner, TABLE_PARTS, Tag, TagSet, VOID};

/// The parts of a document that are not shown, by how deep the pass is in each of them. An end tag leaves only
/// a region of its own name, and those that end with what they stand in: media, gauges, `datalist` and, where a part of a table ends, `select`.
/// Where an element with `hidden` ends the scanner knows.
pub(super) struct Regions {
    depth: [u32; KINDS],
    /// In how many of them, and one more for what is hidden.
    inside: u32,
    /// Whether this is within an element that HTML says is not shown.
    hidden: bool,
    /// How many elements are open within the latter, by tag.
    open: [u32; 128],
    /// Whether each of the templates that are open is a shadow root, and shown: a bit each, the innermost the lowest.
    shadows: u64,
}

const KINDS: usize = 11;
const TEMPLATE: usize = 0;
const NOSCRIPT: usize = 1;
const SVG: usize = 2;
const ANNOTATION: usize = 3;
const SELECT: usize = 4;
/// Those that end with what they stand in.
const GUESTS: std::ops::Range<usize> = SELECT..KINDS;

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
    Tag::Progress,
    Tag::Meter,
]);

/// Elements whose end tags do not say that anything around guests ends.
const UNTOLD: TagSet = REGIONS.with(VOID).with(TagSet::of(&[Tag::Body, Tag::Head, Tag::Html, Tag::Other]));

/// Elements that end a `select` too, whatever stands in them (HTML 13.2.6.4.15).
const OF_TABLES: TagSet = TABLE_PARTS.with(TagSet::of(&[Tag::Table]));

fn index(tag: Open) -> Option<usize> {
    Some(match tag.tag {
        Tag::Svg => SVG,
        Tag::Annotation | Tag::AnnotationXml => ANNOTATION,
        _ if tag.foreign => return None,
        Tag::Template => TEMPLATE,
        Tag::Noscript => NOSCRIPT,
        Tag::Select => SELECT,
        Tag::Datalist => 5,
        Tag::Video => 6,
        Tag::Audio => 7,
        Tag::Canvas => 8,
        Tag::Progress => 9,
        Tag::Meter => 10,
        _ => return None,
    })
}

impl Default for Regions {
    fn default() -> Self {
        Self { depth: [0; KINDS], inside: 0, hidden: false, open: [0; 128], shadows: 0 }
    }
}

impl Regions {
    pub(super) fn have_guests(&self) -> bool {
        self.inside > 0 && self.depth[GUESTS].iter().any(|depth| *depth > 0)
    }

    /// A start tag within a guest; says whether its element is there. `input` and another `select` end a `select` (HTML 13.2.6.4.7), the
    /// parts of a table what stands in the part before.
    pub(super) fn begin_in_guest(&mut self, tag: Tag) -> bool {
        if matches!(tag, Tag::Select | Tag::Input) && self.depth[SELECT] > 0 {
            self.forget([SELECT]);
            return tag == Tag::Input;
        }
        if TABLE_PARTS.has(tag) && self.open[Tag::Table as usize] == 0 {
            self.forget(GUESTS);
        }
        self.open[tag as usize] += 1;
        true
    }

    /// An end tag within a guest; that of an element around it ends it too (HTML 13.2.6.4.7, "any other end tag"), but none reaches out
    /// of a `select` except those of tables.
    pub(super) fn end_in_guest(&mut self, tag: Tag) {
        let open = &mut self.open[tag as usize];
        if *open > 0 {
            *open -= 1;
        } else if OF_TABLES.has(tag) || self.depth[SELECT] == 0 && !UNTOLD.has(tag) {
            self.forget(GUESTS);
        }
    }

    fn forget(&mut self, kinds: impl IntoIterator<Item = usize>) {
        for index in kinds {
            self.inside -= u32::from(self.depth[index] > 0);
            self.depth[index] = 0;
        }
    }

    pub(super) fn enter(&mut self, tag: Open, attributes: &Attributes<'_>) {
        if let Some(index) = index(tag) {
            if index == TEMPLATE {
                let is_shown = attributes.make_a_shadow_root();
                self.shadows = self.shadows << 1 | u64::from(is_shown);
                if is_shown {
                    return;
                }
            }
            if GUESTS.contains(&index) && !self.have_guests() {
                self.open = [0; 128];
            }
            self.inside += u32::from(self.depth[index] == 0);
            self.depth[index] = self.depth[index].saturating_add(1);
        }
    }

    pub(super) fn leave(&mut self, tag: Open) {
        if let Some(index) = index(tag) {
            if index == TEMPLATE {
                let was_shown = self.shadows & 1 == 1;
                self.shadows >>= 1;
                if was_shown {
                    return;
                }
            }
            self.inside -= u32::from(self.depth[index] == 1);
            self.depth[index] = self.depth[index].saturating_sub(1);
        }
    }

    /// Takes over what the scanner knows of its elements: what is hidden, and that other elements end SVG and `MathML` too.
    #[cold]
    pub(super) fn see(&mut self, scanner: &Scanner<'_>) {
        if !scanner.has_foreign() {
            self.forget([SVG, ANNOTATION]);
        }
        self.inside -= u32::from(self.hidden);
        self.hidden = scanner.is_hidden();
        self.inside += u32::from(self.hidden);
    }

    pub(super) fn hide_text(&self) -> bool {
        self.inside > 0
    }

    pub(super) fn in_template(&self) -> bool {
        self.depth[TEMPLATE] > 0
    }

    pub(super) fn in_svg(&self) -> bool {
        self.depth[SVG] > 0
    }

    pub(super) fn in_noscript(&self) -> bool {
        self.depth[NOSCRIPT] > 0
    }
}
