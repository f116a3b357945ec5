//! Feeds parsers what nobody wrote. For tests only:
//!
//! ```
//! fuzz::Fuzz::new("numbers")
//!     .seeds(["12", "-7"])
//!     .words(&["+", "e"])
//!     .executions(1000)
//!     .run(|input| drop(String::from_utf8_lossy(input).parse::<i32>()));
//! ```
//!
//! A *target* takes any bytes and asserts what must hold of them: no panic, no more memory than is stated, the answer of an oracle. An
//! execution that does not end is shown too.
//! An ordinary test run gives each target its seeds and a fixed number of mutations of them, the same every time. `cargo xtask fuzz
//! NAME --minutes 10` goes on for that much processor time, guided by coverage: the parsers are compiled with the stable compiler's counters
//! (`-C instrument-coverage`), which are read between two executions, and an input that reaches something new is mutated further. So no
//! other toolchain, no sanitizer and no corpus outside of the sources is needed. What was found is kept as a seed of its target.

mod coverage;
mod fuzz;
mod limits;
mod mutation;
mod pool;
mod shrink;
mod until;
mod watch;

pub use fuzz::Fuzz;

#[cfg(test)]
mod tests;
