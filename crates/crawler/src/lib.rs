//! The ring as a pure machine: `handle(now, event)`, `poll(now) -> Option<Action>`, `next_deadline()`.

mod event;

pub use event::{
    AnyContentType, Blame, FetchJob, FetchLimits, Fetched, Outcome, Failure, FailureKind, ResolveOutcome, Resolved, Ticket,
};
