//! Two logs of a crawl, as lines for programs and for people.
//!
//! * **Events**: what a run says of itself, one [`Event`] a line, its [`Level`] by whose fault it is. [`told_by`] finds what a
//!   record of the journal has to say; [`for_people`] shows a line; a [`RotatingFile`] keeps as many as it is given room for.
//! * **Attempts**: every request and look-up, from the records of the journal, as JSON ([`attempt_as_json`]) or in the columns of
//!   Heritrix's `crawl.log` ([`attempt_as_heritrix`]).
//!
//! The lines are drawn in `docs/formats/logs.md`.

mod attempt;
mod event;
mod heritrix;
mod level;
pub mod limits;
mod rotating;
mod told;

pub use attempt::attempt_as_json;
pub use event::{Event, for_people};
pub use heritrix::attempt_as_heritrix;
pub use level::Level;
pub use rotating::{Bounds, CURRENT, RotatingFile};
pub use told::told_by;

#[cfg(test)]
mod tests;
