use crate::identity::without_scheme;

/// The parts of a URL, cut out of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form<'a> {
    path: &'a str,
    query: &'a str,
}

impl<'a> Form<'a> {
    /// Of a URL as [`weburl::Url`] writes it: parsed once before, so it is only cut here.
    pub(super) fn of(url: &'a str) -> Self {
        let rest = without_scheme(url);
        let target = rest.find('/').map_or("", |slash| &rest[slash..]);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Self { path, query }
    }

    /// At most so many segments; counted much more quickly than they are cut.
    pub(super) fn most_segments(self) -> usize {
        self.path.bytes().filter(|byte| *byte == b'/').count()
    }

    /// Whether it is plain that no segment comes twice: told in one pass, without comparing any two.
    pub(super) fn has_no_twins(self) -> bool {
        let segments = self.path.as_bytes().split(|byte| *byte == b'/');
        let mut marks = 0;
        let is_new = |segment: &[u8]| {
            let known = marks;
            marks |= mark_of(segment);
            marks != known
        };
        segments.filter(|segment| !segment.is_empty()).all(is_new)
    }

    /// Whether any segment or value begins with four digits: told in one pass, without cutting any.
    pub(super) fn may_name_year(self) -> bool {
        let begins_with_digits = |text: &str| {
            let mut windows = text.as_bytes().windows(5);
            windows.any(|bytes| matches!(bytes[0], b'/' | b'=') && bytes[1..].iter().all(u8::is_ascii_digit))
        };
        begins_with_digits(self.path) || begins_with_digits(self.query)
    }

    pub(super) fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    /// At most so many parameters; counted much more quickly than they are cut.
    pub(super) fn most_parameters(self) -> usize {
        if self.query.is_empty() { 0 } else { 1 + self.query.bytes().filter(|byte| *byte == b'&').count() }
    }

    pub(super) fn parameters(self) -> impl Iterator<Item = &'a str> {
        self.query.split('&').filter(|parameter| !parameter.is_empty())
    }
}

/// One bit of 64, by the length of a segment and its ends.
fn mark_of(segment: &[u8]) -> u64 {
    let ends = segment.first().zip(segment.last());
    let ends = ends.map_or(0, |(first, last)| usize::from(*first) + 7 * usize::from(*last));
    1 << ((ends + 19 * segment.len()) % u64::BITS as usize)
}
