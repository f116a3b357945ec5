//! What the text of an element says, once what surrounds it by mistake is off.

/// Without blanks of any kind around it, and out of a literal whose markup was escaped itself.
pub(super) fn plain(text: &str) -> &str {
    let text = text.trim_matches(is_blank);
    let literal = text.strip_prefix("<![CDATA[").and_then(|inside| inside.strip_suffix("]]>"));
    literal.map_or(text, |inside| inside.trim_matches(is_blank))
}

/// Whether it may be a URL at all: not nothing, and not an entity that nobody defined.
pub(super) fn is_url(value: &str) -> bool {
    !value.is_empty() && !is_reference(value)
}

/// Whether it is a full URL, as sitemaps.org asks, or begins at the root of its site, as some write. All else is a
/// slip, and to resolve it would invent a URL.
pub(super) fn is_full(value: &str) -> bool {
    value.starts_with('/') || has_scheme(value)
}

/// RFC 3986 §3.1.
fn has_scheme(value: &str) -> bool {
    let Some((scheme, _)) = value.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

fn is_reference(value: &str) -> bool {
    let name = value.strip_prefix('&').and_then(|rest| rest.strip_suffix(';'));
    name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"#_-.:".contains(&b)))
}

/// White space of Unicode, and what does not show at all: control characters, a zero-width space, a byte-order mark.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200B}' | '\u{FEFF}')
}
