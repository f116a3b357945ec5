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

    /// Whether a segment begins with four digits: told much more quickly than what such segments are called.
    pub(super) fn may_name_a_year(self) -> bool {
        let begins = |window: &[u8]| window[0] == b'/' && window[1..].iter().all(u8::is_ascii_digit);
        self.path.as_bytes().windows(5).any(begins)
    }

    pub(super) fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    pub(super) fn has_no_query(self) -> bool {
        self.query.is_empty()
    }

    pub(super) fn parameters(self) -> impl Iterator<Item = &'a str> {
        self.query.split('&').filter(|parameter| !parameter.is_empty())
    }
}
