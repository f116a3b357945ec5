use super::Template;
use crate::traps::form::Form;
use crate::traps::limits::{PATTERN_PARAMETERS, PATTERN_SEGMENTS, WORD_BYTES};
use std::hash::Hasher;
use stdx::FoldHasher;

/// What a segment looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Number,
    /// Digits with something between them: a date, a version, a range.
    Numbers,
    /// A token: hexadecimal, or letters and digits mixed without a pattern.
    Token,
    /// Words in a row, as of a title.
    Slug,
    Word,
}

/// Parameters whose values are few, and each of which leads to pages of another sort: what is done with a page (`MediaWiki`, Trac and
/// `MoinMoin`; `DokuWiki`; gitweb; phpBB), and in which form it comes.
const SELECTORS: [&str; 6] = ["a", "action", "do", "feed", "format", "mode"];

impl Template {
    /// The pattern of a URL, as [`weburl::Url`] writes it: the look of each segment and the extension of the last, the first segment as it stands if it
    /// is a word, the names of the parameters, and the values of those that say what is done or in which form it comes.
    pub fn of(url: &str) -> Self {
        let form = Form::of(url);
        Self::of_parts(form, &parameters(form))
    }

    /// The pattern of its path with any query at all, if it has one.
    pub(super) fn of_any_query(url: &str) -> Option<Self> {
        let form = Form::of(url);
        (!form.query.is_empty()).then(|| Self::of_parts(form, &["*"]))
    }

    fn of_parts(form: Form<'_>, parameters: &[&str]) -> Self {
        let mut hasher = FoldHasher::default();
        for (index, segment) in form.segments().take(PATTERN_SEGMENTS).enumerate() {
            add_segment(&mut hasher, index, segment);
        }
        for parameter in parameters {
            hasher.write_u8(0);
            hasher.write(parameter.as_bytes());
        }
        let hash = hasher.finish();
        Self((hash ^ (hash >> 32)) as u32)
    }
}

/// The pattern of a URL for people: `/calendar/<number>/<number>?view`.
pub(crate) fn form_of(url: &str) -> String {
    let form = Form::of(url);
    let segments = form.segments().take(PATTERN_SEGMENTS).enumerate();
    let path: Vec<String> = segments.map(|(index, segment)| shown(index, segment)).collect();
    let (path, names) = (path.join("/"), parameters(form).join("&"));
    if names.is_empty() { format!("/{path}") } else { format!("/{path}?{names}") }
}

fn shown(index: usize, segment: &str) -> String {
    let (name, extension) = segment.rsplit_once('.').unwrap_or((segment, ""));
    let look = look_of(name);
    let name = if index == 0 && look == Look::Word { name } else { look.name() };
    if look_of(extension) == Look::Word && !extension.is_empty() {
        format!("{name}.{extension}")
    } else {
        name.to_owned()
    }
}

impl Look {
    fn name(self) -> &'static str {
        match self {
            Self::Number => "<number>",
            Self::Numbers => "<numbers>",
            Self::Token => "<token>",
            Self::Slug => "<title>",
            Self::Word => "<word>",
        }
    }
}

fn add_segment(hasher: &mut FoldHasher, index: usize, segment: &str) {
    let (name, extension) = segment.rsplit_once('.').unwrap_or((segment, ""));
    let look = look_of(name);
    hasher.write_u8(look as u8 + 1);
    if index == 0 && look == Look::Word {
        hasher.write(name.as_bytes());
    }
    if look_of(extension) == Look::Word {
        hasher.write(extension.as_bytes());
    }
}

/// What of the parameters makes the pattern, in the order of their names: `?a=1&b=2` and `?b=2;a=1` are the same form.
fn parameters(form: Form<'_>) -> Vec<&str> {
    // Also by semicolons, as HTML 4 (B.2.2) has programs accept them.
    let parameters = form.query.split(['&', ';']).filter(|parameter| !parameter.is_empty());
    let mut parameters: Vec<&str> = parameters.take(PATTERN_PARAMETERS).map(parameter).collect();
    parameters.sort_unstable();
    parameters.dedup();
    parameters
}

/// Its name; of a [selector](SELECTORS) with the value, if that is a word.
fn parameter(text: &str) -> &str {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if SELECTORS.contains(&name) && look_of(value) == Look::Word {
        return text;
    }
    name.trim_end_matches(|end: char| end.is_ascii_digit() || "[]%BD".contains(end))
}

fn look_of(name: &str) -> Look {
    let (mut digits, mut letters, mut breaks) = (0, 0, 0);
    for byte in name.bytes() {
        digits += usize::from(byte.is_ascii_digit());
        letters += usize::from(byte.is_ascii_alphabetic());
        breaks += usize::from(matches!(byte, b'-' | b'_' | b'+' | b'.' | b',' | b'~'));
    }
    if digits > 0 && digits == name.len() {
        Look::Number
    } else if digits > 0 && letters == 0 {
        Look::Numbers
    } else if breaks >= 2 || name.len() > WORD_BYTES && breaks > 0 {
        Look::Slug
    } else if name.len() > WORD_BYTES || digits > 0 {
        Look::Token
    } else {
        Look::Word
    }
}
