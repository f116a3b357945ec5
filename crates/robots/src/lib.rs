//! What a site asks of crawlers, and what it offers them: RFC 9309 rules and sitemaps.
//!
//! Pure and infallible: any bytes give an answer, in time and memory linear in them; nothing is fetched here.
//!
//! * [`Access`]: what the status of a robots.txt response means (RFC 9309 §2.3.1).
//! * [`Robots`]: the rules of one file that concern one agent; [`Robots::verdict`] decides a URL and names the
//!   [`Rule`] that decided.
//! * [`UsageRules`]: what the file says of uses of its pages; [`Preferences`]: the same of one page, wherever it is said.
//! * [`RobotsTxt`]: both, of one reading.
//! * [`Reservations`], [`AiTxt`]: the same in files of their own, `/.well-known/tdmrep.json` and `/ai.txt`.
//! * [`parse_sitemap`]: URLs of a sitemap, a sitemap index, a text list, an RSS or an Atom feed; [`read_sitemap`]: the
//!   same as a stream.
//! * [`limits`]: every bound, with its reason.

mod access;
mod ai_txt;
mod bounded;
mod compiled;
mod group;
pub mod limits;
mod line;
mod pattern;
mod preferences;
mod reservations;
mod robots_txt;
mod rule_list;
mod rules;
mod search;
mod sitemap;
mod stored;
mod text;
mod usage;

pub use access::Access;
pub use ai_txt::AiTxt;
pub use preferences::{Answer, Preferences, Use};
pub use reservations::{Reservation, Reservations};
pub use robots_txt::RobotsTxt;
pub use rules::{CrawlDelay, Robots, Rule, RuleKind, Verdict};
pub use sitemap::{Entry, Extent, Listing, Sitemap, SitemapTotals, parse_sitemap, read_sitemap};
pub use usage::{UsageRule, UsageRules};

#[cfg(test)]
mod tests;
