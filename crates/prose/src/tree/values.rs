//! What is kept of the attributes of an element.

use super::{Spans, VALUED};
use crate::head::written;
use markup::{Attributes, Tag};

/// The one attribute that says more than the element; of most, what they are called.
pub(super) fn value<'a>(tag: Tag, attributes: &Attributes<'a>) -> &'a str {
    let names: &[&str] = match tag {
        Tag::A => &["href"],
        Tag::Time => &["datetime"],
        _ if VALUED.has(tag) => &["class"],
        _ => &["id"],
    };
    written(attributes, names).unwrap_or_default()
}

/// The spans of a cell (HTML 4.9.11): no columns are one, no rows are all that follow.
pub(super) fn spans(attributes: &Attributes<'_>) -> Spans {
    let number = |name| written(attributes, &[name]).and_then(number);
    let (columns, rows) = (number("colspan"), number("rowspan").unwrap_or(1));
    Spans { columns: columns.unwrap_or(1).max(1), rows: if rows == 0 { u8::MAX } else { rows } }
}

/// A non-negative integer (HTML 2.3.4.2), or the largest there is.
fn number(text: &str) -> Option<u8> {
    let text = text.trim_ascii_start();
    let digits = text.strip_prefix('+').unwrap_or(text).bytes().take_while(u8::is_ascii_digit);
    digits.fold(None, |number: Option<u8>, digit| {
        Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit - b'0'))
    })
}
