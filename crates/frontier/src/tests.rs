//! Every rule of the frontier, shown on a small web in virtual time ([`world`]).

mod checkpoint;
mod clocks;
mod driver;
mod front;
mod redirects;
mod retries;
mod robots;
mod seen;
mod world;
