use super::OpenElements;
use crate::scan::attributes::Attributes;
use crate::tag::Label;

impl OpenElements {
    /// Whether some element is not shown.
    pub(in crate::scan) fn has_hidden(&self) -> bool {
        self.stack.has_hidden()
    }

    /// Takes the start tag of an element that is not shown; says whether it belongs to SVG or `MathML`.
    pub(in crate::scan) fn open_hidden(
        &mut self,
        label: Label,
        self_closing: bool,
        attributes: &Attributes<'_>,
    ) -> bool {
        self.hides = true;
        let foreign = self.open(label, self_closing, attributes);
        self.hides = false;
        foreign
    }
}
