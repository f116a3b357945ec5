//! BEAST on a web in memory: a stream of URLs of domains of every size, and what must hold of it.

mod rate;
mod rules;
mod spam;
mod stream;
mod web;
