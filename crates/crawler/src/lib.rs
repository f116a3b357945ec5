//! The ring as a pure machine: `handle(now, event)`, `poll(now) -> Option<Action>`, `next_deadline()`.

mod event;

pub use event::{AnyContentType, FetchJob, FetchLimits, Fetched, Outcome, ResolveOutcome, Resolved, Ticket};
pub use frontier::{Address, Blame, Failure, FailureKind, Reach};
