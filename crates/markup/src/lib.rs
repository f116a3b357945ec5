//! Decoded text to tokens, as HTML 13.2.5 says and without a tree: what everything that reads markup stands on.
//!
//! Pure, infallible, linear in time, and of constant memory but for the attributes of one tag.
//!
//! * [`Scanner`]: the tokens of a text, and the attributes of the start tag it just returned.
//! * [`Tag`], [`TagSet`], [`TagCounts`]: elements by name, sets of them in one word, and how many there are of each.
//! * [`mod@reference`]: character references.
//! * [`begins_html`]: whether bytes of no known type are markup at all.

mod find_near;
mod limits;
pub mod reference;
mod scan;
mod sniff;
mod tag;
mod tag_counts;

pub use scan::{Attribute, Attributes, Dialect, Open, Scanner, Token};
pub use sniff::{begins_html, ends_name};
pub use tag::{BLOCK, CLOSES_P, HEADINGS, NEVER_SHOWN, PREFORMATTED, TABLE_PARTS, Tag, TagSet, VOID};
pub use tag_counts::TagCounts;

#[cfg(test)]
mod tests;
