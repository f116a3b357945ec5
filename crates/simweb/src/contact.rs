use crate::character::Scheme;
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// One request as the server saw it: a line of the access log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// When the request head had come, in microseconds since the server's start: never before the client began.
    pub start_us: u64,
    /// When the last byte was handed to the connection: never after the client had it.
    pub end_us: u64,
    /// The client's port: one connection, one port.
    pub client_port: u16,
    /// The address the client connected to.
    pub address: Ipv4Addr,
    /// Over which of the two ports.
    pub scheme: Scheme,
    /// The Host header in lower case, without port.
    pub host: String,
    /// Path and query.
    pub target: String,
    /// The status sent; 0 where the connection was reset instead.
    pub status: u16,
    /// Bytes of the body sent, compressed if it was.
    pub body_bytes: u64,
}

impl Contact {
    /// The line of the log, a JSON object without line feed.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("numbers and strings are JSON")
    }

    /// Reads what [`Contact::line`] wrote.
    pub fn parse(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line)
    }
}
