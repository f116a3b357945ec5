//! Decoded text to tokens, as HTML 13.2.5 says and without a tree: what everything that reads markup stands on.
//!
//! Pure, infallible, linear in time, and of constant memory but for the attributes of one tag.
//!
//! * [`Scanner`]: the tokens of a text, and the attributes of the start tag it just returned.
//! * [`Tag`], [`TagSet`]: elements by name, and sets of them in one word.
//! * [`reference`]: character references.

mod find_near;
mod limits;
pub mod reference;
mod scan;
mod tag;

pub use scan::{Attribute, Attributes, Dialect, Open, Scanner, Token};
pub use tag::{BLOCK, CLOSES_P, Tag, TagSet, VOID};

#[cfg(test)]
mod tests;
