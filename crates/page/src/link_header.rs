//! The `Link` header: RFC 8288, read as its appendix B reads it.

use std::borrow::Cow;

/// One link of a header, as written. Of parameters that are repeated the first counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct HeaderLink<'a> {
    pub(crate) reference: &'a str,
    pub(crate) rel: Option<Cow<'a, str>>,
    pub(crate) media_type: Option<Cow<'a, str>>,
    pub(crate) hreflang: Option<Cow<'a, str>>,
    /// What the link is said of, where that is not the response.
    pub(crate) anchor: Option<Cow<'a, str>>,
    pub(crate) image_srcset: Option<Cow<'a, str>>,
}

/// The links of one header, in order. What is between them and is none is passed over.
pub(crate) fn parse(value: &str) -> impl Iterator<Item = HeaderLink<'_>> {
    let mut text = Text(value);
    std::iter::from_fn(move || text.link())
}

/// What is left of a header.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn link(&mut self) -> Option<HeaderLink<'a>> {
        while !self.skips('<') {
            self.pass()?;
        }
        let end = self.0.find('>')?;
        let mut link = HeaderLink { reference: self.0[..end].trim(), ..HeaderLink::default() };
        self.0 = &self.0[end + 1..];
        while self.skips(';') {
            let name = self.name();
            let value = if self.skips('=') { self.parameter_value() } else { Cow::Borrowed("") };
            link.take(name, value);
        }
        Some(link)
    }

    /// One character further, or one quoted string.
    fn pass(&mut self) -> Option<()> {
        if self.skips('"') {
            self.quoted();
            return Some(());
        }
        let mut rest = self.0.chars();
        rest.next()?;
        self.0 = rest.as_str();
        Some(())
    }

    /// Whether the next character is this one, which is then behind.
    fn skips(&mut self, wanted: char) -> bool {
        self.0 = self.0.trim_ascii_start();
        let rest = self.0.strip_prefix(wanted);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn name(&mut self) -> &'a str {
        self.until(|c| matches!(c, '=' | ';' | ','))
    }

    /// A quoted string, or what stands before the next parameter or link.
    fn parameter_value(&mut self) -> Cow<'a, str> {
        if self.skips('"') { self.quoted() } else { Cow::Borrowed(self.until(|c| matches!(c, ';' | ','))) }
    }

    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let end = self.0.find(ends).unwrap_or(self.0.len());
        let (before, rest) = self.0.split_at(end);
        self.0 = rest;
        before.trim_ascii()
    }

    /// To the closing quote, or to the end where there is none; a backslash stands before a character that is meant as it is.
    fn quoted(&mut self) -> Cow<'a, str> {
        let Some(end) = self.0.find(['"', '\\']) else { return Cow::Borrowed(std::mem::take(&mut self.0)) };
        if self.0[end..].starts_with('"') {
            let inner = &self.0[..end];
            self.0 = &self.0[end + 1..];
            return Cow::Borrowed(inner);
        }
        Cow::Owned(self.escaped())
    }

    fn escaped(&mut self) -> String {
        let (mut inner, mut is_escaped) = (String::new(), false);
        for (at, c) in self.0.char_indices() {
            match c {
                '"' if !is_escaped => {
                    self.0 = &self.0[at + 1..];
                    return inner;
                }
                '\\' if !is_escaped => is_escaped = true,
                _ => {
                    is_escaped = false;
                    inner.push(c);
                }
            }
        }
        self.0 = "";
        inner
    }
}

impl<'a> HeaderLink<'a> {
    fn take(&mut self, name: &str, value: Cow<'a, str>) {
        let place = match name.to_ascii_lowercase().as_str() {
            "rel" => &mut self.rel,
            "type" => &mut self.media_type,
            "hreflang" => &mut self.hreflang,
            "anchor" => &mut self.anchor,
            "imagesrcset" => &mut self.image_srcset,
            _ => return,
        };
        place.get_or_insert(value);
    }
}

#[cfg(test)]
mod tests;
