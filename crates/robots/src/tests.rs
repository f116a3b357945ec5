mod data;
mod model;
mod reading;
mod sitemaps;
mod suites;
mod usage;
