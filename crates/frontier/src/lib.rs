//! What to fetch next, and when: the frontier of one shard, as a pure machine.
//!
//! Mercator's two levels (Heydon & Najork 1999): *front queues* order by importance, *back queues* keep one host
//! each, so that a host is contacted by one connection at a time and never before its clock allows it. Above the hosts
//! stand the *groups* (registrable domains), whose clock keeps the hosts of one domain from adding up.
//!
//! What is in a file: [`discovery`](Discovery) what comes in · [`record`](UrlState) the one state a URL is in ·
//! [`host`](Host) what is known of a host · [`group`](Group) the clock of a domain and the calendar of its hosts ·
//! [`front`](FrontQueues) priority classes · [`delay`](DelayPolicy) how long a host is left alone ·
//! [`retry`](RetryPolicy) what follows from an outcome · [`attempt`](Attempt) an outcome as the journal has it ·
//! [`shard`](Frontier) the machine itself.
//!
//! Nothing here reads a clock, opens a socket or sees a body.

mod admit;
mod attempt;
mod beast;
mod calendar;
mod checkpoint;
mod delay;
mod discovery;
mod draw;
mod front;
mod group;
mod host;
pub mod limits;
mod named_group;
mod outcome;
mod pace;
mod record;
mod retry;
mod robots_state;
mod shard;
mod star;
mod traps;

pub use admit::Admission;
pub use attempt::{
    Attempt, Blame, Contact, End, Failure, FailureKind, PageSubject, Redirect, Response, Subject,
};
pub use beast::{Acquaintance, Beast, BeastCounters, BeastQueue, Claim, Placement, Reading};
pub use calendar::{Need, Turn, Waiting, WaitingFor};
pub use checkpoint::{FrontierState, Stop};
pub use delay::{DelayPolicy, Reach};
pub use discovery::{Class, Discovery, Kind, Origin};
pub use draw::{Draw, PageDraw, RobotsErrand};
pub use front::FrontQueues;
pub use group::Group;
pub use host::{Address, Host, HostId};
pub use named_group::{GroupError, HostPattern, NamedGroup, NamedGroupId, NamedGroups};
pub use outcome::Consequence;
pub use pace::{Pace, Profile, Tenants};
pub use record::{CaptureSeq, Exclusion, ParkReason, Pending, UrlState};
pub use retry::RetryPolicy;
pub use robots_state::{RobotsAnswer, RobotsRecord};
pub use shard::{Frontier, FrontierConfig};
pub use star::{Budget, BudgetFunction, InDegrees, Ranking, SeedBudgets, Standing, Star};
pub use traps::{
    Fingerprint, Listed, Penalty, Source, Suspicion, Template, Templates, TrapReason, Yield, judge_hops,
    judge_shape,
};

#[cfg(test)]
mod tests;
