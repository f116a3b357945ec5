//! Drive letters in paths: `C:` and `c|`. In web URLs `..` removes them as it does any segment ("shorten a URL's
//! path" of the URL Standard keeps one in `file` alone), yet the `url` crate (2.5.8) keeps them in every scheme. So they are
//! hidden from it: one `q` more in front, of a `qC:` too, and one less afterwards.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Whether a serialised path holds a drive letter. Where the crate has kept one too many, it still does.
pub(crate) fn has_drive(path: &str) -> bool {
    let is_drive = |segment: &[u8]| matches!(segment, [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    path.split('/').any(|segment| is_drive(segment.as_bytes()))
}

/// A web URL, or a reference in one, with every drive letter of its path hidden. Host and user may be other ones afterwards.
pub(crate) fn hide(text: &str) -> String {
    static DRIVE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(^|^(?i:https?):|[/\\])(q*[A-Za-z][:|])"));
    let text = text.trim_matches(|c| c <= ' ').replace(['\t', '\n', '\r'], "");
    DRIVE.replace_all(&text, "${1}q${2}").into_owned()
}

/// A serialised path with every drive letter seen again.
pub(crate) fn show(path: &str) -> Cow<'_, str> {
    static HIDDEN: LazyLock<Regex> = LazyLock::new(|| pattern("/q(q*[A-Za-z][:|])"));
    HIDDEN.replace_all(path, "/${1}")
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant")
}
