//! The words that say what an element or a line is, in the languages of the pages that are read most. Words alone: how far they
//! are believed is for those to say who ask for them.

mod bylines;
mod lines;
mod names;

pub(crate) use bylines::{BY, FILLERS, MONTHS};
pub(crate) use lines::{END_BEGINNINGS, ENDS, LINES, SENTENCES};
pub(crate) use names::{
    LINE_NUMBER_CHARS, LINE_NUMBERS, LINK_TYPES, NAMES, NEGATIONS, NOTES, PROPERTIES, ROLES, STYLES,
};
