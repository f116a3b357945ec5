//! Every rule of the frontier, shown on a small web in virtual time ([`world`]).

mod authority;
mod checkpoint;
mod clocks;
mod crash;
mod driver;
mod formats;
mod front;
mod guests;
mod policies;
mod queues;
mod random;
mod redirects;
mod retries;
mod revive;
mod robots;
mod scope;
mod seen;
mod sitemaps;
mod welcome;
mod world;
