//! The dashboard and the control API of a crawl, over HTTP/1.1: on a Unix socket for its owner, and on loopback for browsers.
//!
//! * [`Desk`]: what may be asked of a crawl and said to it. The program has one; here it is only asked.
//! * [`serve`]: the server, on a thread of its own. [`Entrance`]: where it listens, and so who may come in.
//! * `guard` says who may do what, `answer` what is where, `metrics` and `history` what is made of [`snapshot::Snapshot`]s.
//! * `assets/`: the page. It asks for nothing that is not here, and shows what comes from the web as text, never as markup.
//!
//! Nothing changes but through [`Desk::command`]. Whoever asks gets an answer or an error in bounded time, and how slowly he
//! reads it is nobody's concern but his: connections, requests and answers are bounded ([`limits`]), and none of it happens
//! on the crawl's threads. The API is docs/api.md.

mod answer;
mod assets;
mod desk;
mod guard;
mod history;
mod json;
pub mod limits;
mod metrics;
mod proxy;
mod query;
mod reply;
mod sample;
mod server;
mod token;
mod view;

pub use desk::{Desk, Unanswered};
pub use metrics::render as render_metrics;
pub use query::{HostQuery, HostSort, Subject};
pub use server::{Entrance, Server, serve, serve_through};
pub use token::Token;
pub use view::{
    AttemptSeen, ContactSeen, HostRow, Hosts, Mode, Output, PageSeen, Standing, TemplateRow, Trap, TrapRow,
    Traps,
};

#[cfg(test)]
mod tests;
