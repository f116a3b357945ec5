//! Which blocks are the main text.

mod end;
mod lines;
mod marked;
mod region;
