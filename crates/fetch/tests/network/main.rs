//! The fetcher against hand-written servers on loopback: honest, odd and hostile.

mod dns;
mod hostile;
mod http;
mod http2;
mod keep_alive;
mod route;
mod support;
mod tls;
