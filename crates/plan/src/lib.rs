//! The arithmetic of a crawl before it starts: pages a second, bandwidth, disks, memory and nodes, from the models of
//! the literature. Pure: the same inputs give the same plan.
//!
//! The models are the theorems of Lee, Leonard, Wang and Loguinov, *`IRLbot`: Scaling to 6 Billion Pages and Beyond*
//! (TWEB 2009), and the tests hold them against every table printed there (`docs/plan.md`).
//!
//! * [`urlseen`]: what checking URLs costs in disk traffic, Theorems 1 to 3.
//! * [`cache`]: what a cache in front of it brings, Theorems 4 and 5.
//! * [`budget`]: what deferring URLs costs, Theorems 6 and 7.
//! * [`bloom`]: the size of a Bloom filter.
//! * [`irlbot`]: the constants of the paper, and of its tables.
//! * [`Inputs`], [`Plan`]: a crawl, and what it takes.

pub mod bloom;
pub mod budget;
pub mod cache;
mod inputs;
pub mod irlbot;
pub mod limits;
mod nodes;
mod plan;
mod table;
pub mod urlseen;

pub use inputs::{InputError, Inputs, in_digits};
pub use nodes::{Bound, Bounds};
pub use plan::{Checks, Frontier, Names, Network, Overheads, Plan, Rate, Storage};

#[cfg(test)]
mod tests;
