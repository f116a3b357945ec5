use super::attributes::Attributes;
use super::open::OpenElements;
use crate::limits::{LATE, LATE_AT_ONCE};
use crate::tag::{Label, Tag, TagSet};

/// [`OpenElements`], kept up to date only while some of them belong to SVG or `MathML`, or are not shown: before, nobody asks. What most documents have is
/// gathered until one begins, and forgotten where none does.
#[derive(Default)]
pub(super) struct Elements {
    open: OpenElements,
    late: Vec<Late>,
    /// Whether they are kept up to date.
    kept: bool,
}

/// A tag that nobody has looked at yet.
struct Late {
    label: Label,
    opens: bool,
    /// Whether characters come after it.
    text: bool,
}

impl Elements {
    /// Whether some element belongs to SVG or `MathML`.
    pub(super) fn has_foreign(&self) -> bool {
        self.kept && self.open.has_foreign()
    }

    /// Whether some element is not shown.
    pub(super) fn has_hidden(&self) -> bool {
        self.kept && self.open.has_hidden()
    }

    /// Whether one of these is open.
    pub(super) fn has_open(&mut self, tags: TagSet) -> bool {
        if !self.kept {
            self.catch_up();
        }
        self.open.has_open(tags)
    }

    /// Whether CDATA is text here.
    pub(super) fn has_cdata(&self) -> bool {
        self.kept && self.open.has_cdata()
    }

    /// Takes characters.
    #[inline]
    pub(super) fn text(&mut self) {
        if self.kept {
            self.open.text();
        } else if let Some(last) = self.late.last_mut() {
            last.text = true;
        }
    }

    /// Takes a start tag; says whether its element belongs to SVG or `MathML`.
    #[inline]
    pub(super) fn open(&mut self, label: Label, self_closing: bool, attributes: &Attributes<'_>) -> bool {
        if !self.kept && !matches!(label.tag, Tag::Svg | Tag::Math) {
            self.gather(Late { label, opens: true, text: false });
            return false;
        }
        self.catch_up();
        let foreign = self.open.open(label, self_closing, attributes);
        self.go_on();
        foreign
    }

    /// The same of an element that is not shown.
    #[cold]
    pub(super) fn open_hidden(
        &mut self,
        label: Label,
        self_closing: bool,
        attributes: &Attributes<'_>,
    ) -> bool {
        if !self.kept {
            self.catch_up();
        }
        let foreign = self.open.open_hidden(label, self_closing, attributes);
        self.go_on();
        foreign
    }

    /// Keeps them up to date for as long as somebody asks.
    fn go_on(&mut self) {
        self.kept = self.open.has_foreign() || self.open.has_hidden();
    }

    /// Takes an end tag; says whether its element belonged to SVG or `MathML`.
    #[inline]
    pub(super) fn close(&mut self, label: Label) -> bool {
        if !self.kept {
            self.gather(Late { label, opens: false, text: false });
            return false;
        }
        let foreign = self.open.close(label);
        self.go_on();
        foreign
    }

    #[inline]
    fn gather(&mut self, late: Late) {
        if self.late.len() == self.late.capacity() {
            self.make_room();
        }
        self.late.push(late);
    }

    #[cold]
    fn make_room(&mut self) {
        if self.late.len() >= LATE {
            self.catch_up();
        } else {
            self.late.reserve_exact((LATE - self.late.len()).min(LATE_AT_ONCE));
        }
    }

    #[cold]
    fn catch_up(&mut self) {
        let none = Attributes::default();
        for Late { label, opens, text } in self.late.drain(..) {
            if opens {
                self.open.open(label, false, &none);
            } else {
                self.open.close(label);
            }
            if text {
                self.open.text();
            }
        }
    }
}
