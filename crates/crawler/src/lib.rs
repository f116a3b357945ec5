//! The ring as a pure machine: seeds and outcomes go in by `handle(now, event)`, work comes out by
//! `poll(now) -> Option<Action>`, and `next_deadline(now)` says when to come back. Production and simulation both run it.
//!
//! What is in a file: [`event`](Event) and [`action`](Action) the two sides of the machine · [`config`](CrawlConfig) what it is
//! told once · [`record`](Record) what the journal holds · [`machine`](Crawler) the state and the loop · `dispatch` turns
//! into requests · `outcome` responses into records · `uplink` whether anybody can be reached from here · `robots_txt` rules and where they are had · `commit` group commit and checkpoints · `links` pages into
//! discoveries · `unfinished` captures not yet derived from · `ending` when and how a crawl stops · `saved` what a checkpoint
//! holds · [`promise`](Promise) what a run owes to servers · `recovery` checkpoint and journal into state · `scope` rules that change between runs · `strain` what holds it back · `listed_hosts` its hosts, for whoever lists them · `servers` the clocks of server addresses · `exchange` links to the shards that own them ·
//! `command` what operators say · `orders` what of it holds · [`ruling`](Ruling) which rule keeps a URL out ·
//! `peers` what there is to say to other nodes · `leases` server clocks above all nodes · `errands` robots.txt files at hosts of
//! other nodes · `wire` what is inside a message · [`digest`](digest()) the parse of one capture, run by a pool · [`log`](CrawlLog) the attempts as people read them.
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
