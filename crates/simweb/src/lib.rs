//! A whole web as a pure function of (seed, URL, time), and a thin server beside it.
//!
//! Its promise: the same [`WebConfig`] answers the same request with the same bytes, in every process, in
//! time that does not depend on how large the web is; and [`Web::truth`] says what a perfect crawl of it
//! holds, without a line of the crawler's own code.
//!
//! * [`WebConfig`]: what a web is a function of; [`WebConfig::small`] and [`WebConfig::realistic`] to begin with.
//! * [`Web`]: names, pages, links, addresses. [`Web::respond`] gives bytes, [`Web::structure`] all but the bytes.
//! * [`Place`], [`What`], [`Leaf`]: what a URL names. [`Character`]: what a host is like, robots.txt included.
//! * [`Truth`]: what a perfect crawl knows in the end.
//!
//! * [`Contact`] and [`checker`]: a server's access log, and what it says about the client.
//! * [`server`]: the web served over HTTP, HTTPS and DNS on loopback. [`hostile`]: a server at its worst beside it.
//!
//! A host's pages form a tree by number, its hosts and the domains likewise: from one seed everything is
//! reachable. What is odd about pages (redirects, errors, copies, forbidden and ruined ones) hangs on the
//! tree as leaves; what is odd about hosts falls on hosts that nothing else depends on.
//!
//! What is in which file:
//!
//! * what there is: `web`, by its `config` alone; `draw` is its chance, `layout` how many hosts and pages it has, `character` what a host is like; a `host`, a `place`, an `address`
//! * how it is called: `url`, of a host and a `path`, with `words` of a language
//! * what is answered: `respond`, with an `answer` or with its `shape` alone; `html` of `prose` and of `links`, written as an `href` or to a `link_list`; `robots`, `sitemap`, `validators`
//! * beside it: `truth`; `contact` and `checker` of what a client did; `server`, and the `hostile` one

mod address;
mod answer;
mod character;
pub mod checker;
mod config;
mod contact;
mod draw;
mod host;
pub mod hostile;
mod href;
mod html;
mod layout;
pub mod limits;
mod link_list;
mod links;
mod path;
mod place;
mod prose;
mod respond;
mod robots;
pub mod server;
mod shape;
mod sitemap;
mod truth;
mod url;
mod validators;
mod web;
mod words;

pub use address::Resolution;
pub use answer::{Behaviour, BodyId, Media};
pub use character::{Certificate, Character, Charset, NameFate, Pace, PathStyle, Scheme, Trap};
pub use config::{Farms, HostMix, LeafMix, Sizes, WebConfig};
pub use contact::Contact;
pub use host::HostId;
pub use link_list::{LinkList, Outlink};
pub use place::{Leaf, Place, What};
pub use respond::{Head, Header, Method, Request, Response};
pub use robots::{RobotsClass, Verdict};
pub use shape::PageShape;
pub use truth::{End, Fate, Plan, Scope, Truth};
pub use validators::{Conditions, Validators};
pub use web::Web;
pub use words::Language;

#[cfg(test)]
mod tests;
