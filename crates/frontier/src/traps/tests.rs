//! Traps, and what is none.

mod absences;
mod real;
mod shape;
mod templates;
mod waits;
