use crate::identity::without_scheme;
use memchr::memchr;

/// The parts of a URL, cut out of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form<'a> {
    pub(super) path: &'a str,
    pub(super) query: &'a str,
}

impl<'a> Form<'a> {
    /// Of a URL as [`weburl::Url`] writes it: parsed once before, so it is only cut here.
    pub(super) fn of(url: &'a str) -> Self {
        let rest = without_scheme(url);
        let target = memchr(b'/', rest.as_bytes()).map_or("", |slash| &rest[slash..]);
        let mark = memchr(b'?', target.as_bytes());
        let (path, query) = mark.map_or((target, ""), |mark| (&target[..mark], &target[mark + 1..]));
        Self { path, query }
    }

    pub(super) fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    pub(super) fn parameters(self) -> impl Iterator<Item = &'a str> {
        self.query.split('&').filter(|parameter| !parameter.is_empty())
    }
}
