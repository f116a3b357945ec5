//! What the suites stand on.

pub(crate) mod confine;
pub(crate) mod crawl;
pub(crate) mod edge;
pub(crate) mod gaps;
pub(crate) mod holdings;
pub(crate) mod http;
pub(crate) mod names;
pub(crate) mod nginx;
pub(crate) mod script;
pub(crate) mod tools;
pub(crate) mod wayback;
