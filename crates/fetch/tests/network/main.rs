//! The fetcher against servers on loopback: hand-written ones, honest, odd and hostile, and nginx.

mod conditional;
mod datagrams;
mod dns;
mod hostile;
mod http;
mod http2;
mod keep_alive;
mod nginx;
mod route;
mod support;
mod tls;
