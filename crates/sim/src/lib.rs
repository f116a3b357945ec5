//! Whole crawls in virtual time: the shipped machine, archive and corpus on a disk in memory, against [`simweb`].
//!
//! * [`Sim`]: one crawl; it performs the machine's actions itself and steps time to whatever comes next.
//! * [`Network`]: plays resolve and fetch, and keeps the log that a server would.
//! * [`checks`]: who judges, from the server's log, the archive and the web's truth alone; one file each.
//!
//! Same seed, same trace.

pub mod checks;
mod network;
mod run;
mod setup;

pub use network::{Contact, Network, Purpose};
pub use run::{Failed, Sim};
pub use setup::{Setup, Site};
