//! URL, key, SURT, registrable domain, scope: what a URL *is* to the crawler. Pure.
//!
//! * [`Url`]: the form that is requested. [`resolve_any`] resolves references of every scheme.
//! * [`Key`] and [`KeyHash`]: the form that decides sameness, and the 64 bits it is known by. [`Folding`] says
//!   what is folded away.
//! * [`registrable_domain`], [`site`], [`pld`]: the public suffix list; [`Shard`]: who owns a host.
//!   [`without_root_dot`]: the one name of it.
//! * [`surt()`]: the sort key of CDXJ indexes.
//! * [`ScopeRules`]: which URLs a crawl is about, and by which rule the others are not; [`Bans`]: what an operator has
//!   excluded since.
//!
//! Equal keys mean one fetch. Making the key of a key changes nothing, and the order of query parameters never
//! matters. Time and memory are linear in the input everywhere.

mod bans;
mod drives;
mod folding;
mod in_ascii;
mod key;
pub mod limits;
mod parameters;
mod percent;
mod plain;
mod psl;
mod resolve;
mod root_dot;
mod rule;
mod scope;
mod surt;
mod url;

pub use bans::Bans;
pub use folding::Folding;
pub use in_ascii::in_ascii;
pub use key::{Key, KeyHash};
pub use psl::{LIST_VERSION, Shard, pld, registrable_domain, site};
pub use resolve::resolve_any;
pub use root_dot::without_root_dot;
pub use rule::{Rule, Verdict};
pub use scope::{Scope, ScopeRules, UnknownScope};
pub use surt::surt;
pub use url::{Url, UrlError};

#[cfg(test)]
mod tests;
