use crate::identity::without_scheme;

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
        let target = rest.find('/').map_or("", |slash| &rest[slash..]);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Self { path, query }
    }

    pub(super) fn segments(self) -> impl Iterator<Item = &'a str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    pub(super) fn parameters(self) -> impl Iterator<Item = &'a str> {
        self.query.split('&').filter(|parameter| !parameter.is_empty())
    }
}
