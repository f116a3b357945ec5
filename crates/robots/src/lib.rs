//! RFC 9309 rules and sitemaps. Pure, infallible.
