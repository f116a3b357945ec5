//! Counting in bounded memory, and pages that show what servers chose.

mod counting;
mod pages;
