//! The ring as a pure machine: seeds and outcomes go in by `handle(now, event)`, work comes out by
//! `poll(now) -> Option<Action>`, and `next_deadline(now)` says when to come back. Production and simulation both run it.
//!
//! What is in which file, along the ring; [`event`](Event) and [`action`](Action) are the two sides of the machine, [`config`](CrawlConfig) what it is told once, [`record`](Record) what
//! the journal holds:
//!
//! * [`machine`](Crawler): the state and the loop. `shards`, each in an `agenda` by when it wants something; they `apportion` memory among themselves.
//! * Turns into requests: `front_queues`, whose turn it is; `dispatch`; `line`, where too many wait. Above hosts the clocks of `servers` (each a `server`, with those who are `resting` there and its
//!   `server_standing` for people) and of named `groups`. `uplink`: whether anybody can be reached from here.
//! * Outcomes into records: `outcome`, what a `response` means, whether it is `blocked`, `circles` of redirects, `false_conditions`; `robots_txt`, rules and where they are had; `commit`, group commit and
//!   checkpoints; `tally`, what is counted; [`log`](CrawlLog), the attempts as people read them.
//! * Pages into discoveries: `unfinished`, captures not yet derived from, and their `location`; [`digest`](digest()), the parse of one, run by a pool, with `page_text` and `sitemap`; `found` links in scope,
//!   or a page that is `lost`; `links` into `discoveries`, of which one is the page's `vote`; `exchange`, to the shards that own them; `work`, the jobs of shards, by their `appetite`.
//! * From run to run: `saved`, what a checkpoint holds; `recovery`, checkpoint and journal into state, with `relief` for memory; [`promise`](Promise), what a run owes to servers; `scope`, rules that
//!   change; `ending`, when and how a crawl stops.
//! * People: `command`, what operators say, and `orders`, what of it holds; `takedown`; [`ruling`](Ruling), which rule keeps a URL out; `strain`, what holds a crawl back; `listed_hosts`.
//! * Several nodes: `peers`, what there is to say to them; `leases`, server clocks above all nodes; `errands`, robots.txt files at hosts of others; `wire`, what is inside a message.
//!
//! It reads no clock and opens no socket; into bodies only `digest` looks.

mod action;
mod agenda;
mod appetite;
mod apportion;
mod blocked;
mod circles;
mod command;
mod commit;
mod config;
mod digest;
mod discoveries;
mod dispatch;
mod ending;
mod errands;
mod event;
mod exchange;
mod false_conditions;
mod found;
mod front_queues;
mod groups;
mod leases;
pub mod limits;
mod line;
mod links;
mod listed_hosts;
mod location;
mod log;
mod lost;
mod machine;
mod orders;
mod outcome;
mod page_text;
mod peers;
mod promise;
mod record;
mod recovery;
mod relief;
mod response;
mod resting;
mod robots_txt;
mod ruling;
mod saved;
mod scope;
mod server;
mod server_standing;
mod servers;
mod shards;
mod sitemap;
mod strain;
mod takedown;
mod tally;
mod unfinished;
mod uplink;
mod vote;
mod wire;
mod work;

pub use action::{Action, Checkpoint, Exit, ParseJob, ResolveJob, Source, Wants};
pub use cluster::{Placement, clock_of};
pub use config::{CrawlConfig, Operator, Retention, Rules};
pub use digest::{Digested, Material, digest};
pub use discoveries::{Discoveries, OfShard};
pub use event::{
    AnyContentType, Asks, Commitment, Event, FetchJob, FetchLimits, Fetched, Memory, OrderId, Outcome,
    Parsed, ResolveOutcome, Resolved, Storage, Ticket,
};
pub use found::{Found, FoundLinks};
pub use frontier::{
    Address, Attempt, Barred, Blame, Budget, BudgetFunction, CaptureSeq, Clock, ClockOf, Contact, Deferral,
    DelayPolicy, DelayRule, Doing, DomainStanding, End, Error as FrontierError, Explanation, Failure,
    FailureKind, FrontierConfig, GroupError, HostDelay, HostFacts, HostKey, HostPattern, HostStanding,
    HostsOnDisk, Kind, ListedHost, LookUp, Memory as FrontierMemory, More, NamedGroup, NamedGroupId,
    NamedGroups, Origin, Pace, PageSubject, Paths, Pattern, Pending, Place, Profile, Reach, Response,
    RetryPolicy, RobotsAnswer, RobotsRecord, SeedBudgets, Star, Stop, Subject, SuspectTemplate, Suspicion,
    TrapRule, UrlState, WaitingFor, Yield,
};
pub use groups::GroupStanding;
pub use location::archived_at;
pub use log::{CrawlLog, crawl_log_files, log_line};
pub use lost::{Loss, LostPage};
pub use machine::Crawler;
pub use orders::Order;
pub use page::Room;
pub use page_text::PageText;
pub use promise::Promise;
pub use record::{Addressed, Record, RecordError, Says};
pub use recovery::{RecoveryError, require_own};
pub use ruling::Ruling;
pub use server_standing::ServerStanding;
pub use takedown::{revision, takedowns};
pub use work::{Work, Worked};

#[cfg(test)]
mod tests;
