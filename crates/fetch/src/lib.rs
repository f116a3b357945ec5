//! Performs resolve and fetch: DNS, TCP, TLS, HTTP, limits.
