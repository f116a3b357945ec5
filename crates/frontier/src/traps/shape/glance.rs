//! What one pass over a URL tells: most have nothing that a judge would look at.

use super::calendar::{beyond, leading_year};
use crate::traps::Penalty;
use crate::traps::form::Form;

/// What is seen of path and query at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::traps) struct Glance {
    /// Segments that are not empty.
    pub(in crate::traps) segments: usize,
    /// Parameters, empty ones among them.
    pub(in crate::traps) parameters: usize,
    /// Whether a segment looks like another. If none does, none comes twice.
    pub(in crate::traps) has_twins: bool,
    /// Whether any segment or value is a year far off, a calendar's or not.
    pub(in crate::traps) names_far_year: bool,
}

impl Glance {
    /// In the year `present`.
    pub(in crate::traps) fn at(form: Form<'_>, present: u16) -> Self {
        let mut glance = Self { segments: 0, parameters: 0, has_twins: false, names_far_year: false };
        glance.look_at_path(form.path, present);
        if !form.query.is_empty() {
            glance.look_at_query(form.query, present);
        }
        glance
    }

    fn look_at_path(&mut self, path: &str, present: u16) {
        let segments = path.as_bytes().split(|byte| *byte == b'/').filter(|segment| !segment.is_empty());
        let mut marks = 0;
        for segment in segments {
            let mark = mark_of(segment);
            self.segments += 1;
            self.has_twins |= marks & mark != 0;
            self.names_far_year |= is_far_year(segment, present);
            marks |= mark;
        }
    }

    fn look_at_query(&mut self, query: &str, present: u16) {
        for parameter in query.as_bytes().split(|byte| *byte == b'&') {
            self.parameters += 1;
            let value = parameter.iter().position(|byte| *byte == b'=').map(|at| &parameter[at + 1..]);
            self.names_far_year |= value.is_some_and(|value| is_far_year(value, present));
        }
    }
}

fn is_far_year(text: &[u8], present: u16) -> bool {
    leading_year(text).is_some_and(|year| beyond(year, present) > Penalty::NONE)
}

/// One bit of 64, by the length of a segment and its ends.
fn mark_of(segment: &[u8]) -> u64 {
    let ends = segment.first().zip(segment.last());
    let ends = ends.map_or(0, |(first, last)| usize::from(*first) + 7 * usize::from(*last));
    1 << ((ends + 19 * segment.len()) % u64::BITS as usize)
}
