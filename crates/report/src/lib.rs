//! A crawl in numbers, and as pages for people that need nothing else: no script, no network.
//!
//! * [`Figures`]: what the journal, the corpus and the index say, counted in bounded memory ([`Tally`], [`Histogram`],
//!   [`Timeline`]).
//! * [`page()`]: the same with charts, as one HTML page.
//! * [`Account`]: what was fetched from one host, for whoever runs it. [`contact_page`]: who we are, for all of them.
//!
//! It reads; it changes nothing, and escapes whatever it shows: names and texts are servers' own.

mod account;
mod error;
mod figures;
mod gaps;
mod histogram;
mod html;
mod index;
pub mod limits;
mod page;
mod pages;
mod requests;
mod taken_down;
mod tally;
mod timeline;
mod traps;

pub use account::{Account, Order, Rules, Visit, Who, contact_page};
pub use error::Error;
pub use figures::{Duplicates, Figures};
pub use gaps::Gaps;
pub use histogram::{Bin, Histogram};
pub use index::Archived;
pub use page::{About, Fact, page};
pub use pages::Pages;
pub use requests::{DEPTH_MOST, Failed, Requests};
pub use taken_down::TakenDown;
pub use tally::{Named, Tally};
pub use timeline::{Stretch, Timeline};
pub use traps::{Held, Pattern, Traps};

#[cfg(test)]
mod tests;
