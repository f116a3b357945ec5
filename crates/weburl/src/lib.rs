//! URL, key, SURT, registrable domain, scope. Pure.

mod url;

pub use url::{Url, UrlError};
