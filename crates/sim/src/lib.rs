//! Whole crawls in virtual time: the shipped machine, archive and corpus on a disk in memory, against [`simweb`].
//!
//! * [`Sim`]: one run of a crawl; it performs the machine's actions itself and steps time to whatever comes next.
//! * [`Trial`]: a crawl that dies and is started again, until it is done, and is judged.
//! * [`Cluster`]: a crawl of several nodes that die and are started again, with a [`Wire`] between them.
//! * [`Scenario`]: a crawl whose web, configuration and misfortunes follow from a seed; [`Campaign`]: many of them.
//! * [`Operator`]: somebody who speaks to a crawl, while it runs or [at rest](Trial::order); [`Purge`]: what is taken down leaves one at rest.
//! * [`Network`]: plays resolve and fetch, and keeps the [log](ServerLog) that a server would.
//! * [`checks`]: who judges, from the server's log, the archive and the web's truth alone; one file each.
//!
//! Same seed, same trace.

mod agenda;
mod archivist;
mod campaign;
pub mod checks;
mod cluster;
mod failed;
mod hands;
mod judges;
mod log;
mod network;
mod operator;
mod parser;
mod run;
mod scenario;
mod setup;
mod structure;
mod trace;
mod trial;
mod wire;

pub use campaign::{Campaign, Figures, Ran};
pub use cluster::{Cluster, Mortality};
pub use failed::Failed;
pub use judges::Judges;
pub use log::{Before, Contact, Purpose, Run, SURELY_COMMITTED_MS, ServerLog, Witness};
pub use network::{Cause, Network, Outage};
pub use operator::{Operator, Said};
pub use run::{Answered, Sim};
pub use scenario::{Faults, Kind, NotAScenario, Outcome, Scenario};
pub use setup::{Setup, Site, Times};
pub use trace::Trace;
pub use trial::{Life, Loss, Purge, START, Trial, Until};
pub use wire::{Meddler, Weather, Wire};
