mod data;
mod files;
mod model;
mod reading;
mod sitemaps;
mod suites;
mod usage;
mod work;
