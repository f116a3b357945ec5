//! Performs two actions and decides nothing: **resolve** gives the checked addresses of a name, **fetch**
//! connects to the one address it is handed and to nothing else, follows nothing, and returns one capture
//! or one typed failure, in bounded time and memory whatever the server does.
//!
//! * [`Fetcher`]: both actions; [`FetchConfig`] is what it is told, [`Limits`] its bounds.
//! * [`AddressPolicy`], [`is_global`]: which addresses may be contacted (ARCHITECTURE.md, promise 8).
//! * [`Signer`]: says in a way that can be checked who asks (Web Bot Auth).
//! * [`Cookies`]: what sites want to be shown again, where the operator says so.
//! * [`Route`]: from which address connections leave, and through which proxy.
//! * [`KeptTypes`]: which bodies are read. [`Clock`]: the crawl's timeline.
//!
//! A name is resolved once, its addresses are checked, and the checked address is what [`Fetcher::fetch`]
//! dials: the connection cannot go elsewhere (DNS rebinding), because nothing below it resolves names.
//!
//! What is in which file:
//!
//! * what is asked of it: `fetcher`, by its `config` and `clock`
//! * names: `dns`; which addresses are public is `address`, which may be contacted `policy`
//! * connections: their `route`, `wire` and `tls`; with TLS the `sessions` to go on with, of as many hosts as are remembered in `bounded` memory, the `verifier`, what has been `proven` and need not be again, the
//!   `certificate` as the archive has it, `metered` bytes and a count of `handshakes`; `connection` is ready for HTTP/1.1 or `http2`, `idle` keeps it until the next request, and
//!   `authorities` are those that were found to speak the one or the other badly
//! * one request: `exchange`, with a `signature` if there is a key and `cookies` if the operator wants them, on `tape` as it went over the wire; its `body`, of a `content_type` that is wanted, at no less than a `rate`. What goes
//!   wrong is a `failure`.

mod address;
mod authorities;
mod body;
mod bounded;
mod certificate;
mod clock;
mod config;
mod connection;
mod content_type;
mod cookies;
mod dns;
mod exchange;
mod failure;
mod fetcher;
mod handshakes;
mod http2;
mod idle;
pub mod limits;
mod metered;
mod policy;
mod proven;
mod rate;
mod route;
mod sessions;
mod signature;
mod tape;
mod tls;
mod verifier;
mod wire;

pub use address::{is_global, is_wholly_private};
pub use clock::Clock;
pub use config::{Certificates, Families, FetchConfig, FetchError, HttpVersions};
pub use content_type::{KeptTypes, TypeError};
pub use cookies::Cookies;
pub use dns::system_upstreams;
pub use fetcher::Fetcher;
pub use handshakes::Handshakes;
pub use limits::Limits;
pub use policy::{AddressPolicy, PolicyError};
pub use route::{Proxy, ProxyError, Route, Sources};
pub use signature::{AgentError, KeyError, SignedDirectory, Signer, SigningKey};
