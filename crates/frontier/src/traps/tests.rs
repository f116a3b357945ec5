//! Traps, and what is none.

mod real;
mod shape;
mod templates;
mod waits;
