//! Immutable files of sections: stretches of entries that are read in order.

mod blocks;
mod reader;
mod section;
mod set;
mod writer;

pub use reader::{Head, RunReader};
pub use section::{RunId, Section};
pub use set::{Released, RunSet, RunUse};
pub(crate) use writer::RunCut;
pub use writer::RunWriter;
