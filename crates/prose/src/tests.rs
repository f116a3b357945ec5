//! Tests of what is read of small pages, and of each part by itself.

mod about;
mod choose;
mod hostile;
mod markdown;
mod marks;
mod tree;

use crate::read;

/// The article reads so.
fn check(html: &str, text: &str) {
    assert_eq!(read(html).text(), text);
}

/// A sentence that is an article's.
const PROSE: &str = "The river rose again in the night, and the people of the lower town, who had seen it before, carried \
                     what they could up the hill.";
/// Another.
const MORE: &str = "By the morning, when the rain had stopped, the water stood in the market hall, and nobody could say \
                    how long it would stay.";
