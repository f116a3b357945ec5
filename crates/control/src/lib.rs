//! What an operator may say to a crawl, running or not, and what it answers: plain values, the same as JSON (the control
//! API) and in the journal (postcard).
//!
//! * [`Command`]: what is to be done. [`Target`], [`Selection`]: to which URLs. [`Changes`]: to which settings.
//! * [`Takedowns`]: what has been taken down, and what of it a URL is covered by.
//! * [`Receipt`]: it is done and durable. [`Refusal`]: it is not, and nothing has changed, or nobody
//!   knows yet.
//!
//! A value that exists is valid: names and expressions are checked where they are read. Politeness is no setting: nothing
//! here takes a delay under the floors of public hosts, or goes past a robots.txt.
//!
//! The JSON is drawn in `docs/control.md`.

mod changes;
mod command;
pub mod limits;
mod receipt;
mod refusal;
mod takedowns;
mod target;

pub use changes::{Bound, Changes, Setting};
pub use command::{Command, Selection};
pub use receipt::{Effect, Receipt};
pub use refusal::Refusal;
pub use takedowns::{Stage, Takedown, Takedowns};
pub use target::{Domain, Host, Pattern, Target, TargetError};

#[cfg(test)]
mod tests;
