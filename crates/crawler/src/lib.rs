//! The ring as a pure machine: `handle(now, event)`, `poll(now) -> Option<Action>`, `next_deadline()`.

mod event;

pub use event::{
    AnyContentType, Blame, Failure, FailureKind, FetchJob, FetchLimits, Fetched, Outcome, ResolveOutcome,
    Resolved, Ticket,
};
