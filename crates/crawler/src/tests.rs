//! The parts of the ring, each alone. Whole crawls are run by `sim`.

mod apportion;
mod broken;
mod circles;
mod commands;
mod digest;
mod discoveries;
mod examples;
mod exchange;
mod formats;
mod found;
mod hand;
mod late;
mod line;
mod machine;
mod peers;
mod relief;
mod response;
mod robots_txt;
mod scope;
mod seeds;
mod servers;
mod strain;
mod unchanged;
mod unfinished;
mod uplink;
mod vote;
