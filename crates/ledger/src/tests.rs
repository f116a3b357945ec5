//! Forged ledgers and forged logs: what was planted is found, and nothing else.

mod answers;
mod crashes;
mod forge;
mod journal;
mod promises;
mod requests;
mod rules;
mod server_logs;
