use thiserror::Error;

#[cfg(test)]
mod tests;

/// The media types whose bodies are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTypes {
    patterns: Vec<Pattern>,
}

/// A media type pattern that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{pattern}` is not a media type pattern (type/subtype, type/*, type/*+suffix or */*)")]
pub struct TypeError {
    pattern: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    main: String,
    sub: String,
}

/// HTML, XHTML, XML (feeds and sitemaps among it) and plain text.
const DEFAULT: [&str; 5] = ["text/html", "text/plain", "text/xml", "application/xml", "application/*+xml"];

/// Types that say nothing (MIME Sniffing, 7).
const UNTOLD: [&str; 3] = ["unknown/unknown", "application/unknown", "*/*"];

impl Default for KeptTypes {
    fn default() -> Self {
        let patterns = DEFAULT.iter().filter_map(|text| Pattern::parse(text)).collect();
        Self { patterns }
    }
}

impl KeptTypes {
    /// The types that match one of `patterns`: `type/subtype`, `type/*`, `type/*+suffix` or `*/*`.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Self, TypeError> {
        let parse = |text: &S| {
            Pattern::parse(text.as_ref()).ok_or_else(|| TypeError { pattern: text.as_ref().to_owned() })
        };
        Ok(Self { patterns: patterns.iter().map(parse).collect::<Result<_, _>>()? })
    }

    /// Whether the body under these `Content-Type`s, each a list, is read: if it would be under any type among them, since it is for who
    /// reads it to say which counts. Where none of them is a type, or says anything, that is no reason to leave a body unread: browsers
    /// sniff it, and so does what comes after us.
    pub fn keep_any<'a>(&self, content_types: impl IntoIterator<Item = &'a [u8]>) -> bool {
        let mut is_untold = true;
        for list in content_types {
            for value in stdx::list_members(&String::from_utf8_lossy(list)) {
                let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
                let told = stdx::media_type(&essence).filter(|_| !UNTOLD.contains(&essence.as_str()));
                let Some((main, sub)) = told else { continue };
                if self.patterns.iter().any(|pattern| pattern.matches(main, sub)) {
                    return true;
                }
                is_untold = false;
            }
        }
        is_untold
    }
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let (main, sub) = text.trim().split_once('/')?;
        let is_token =
            |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_graphic() && b != b'/');
        (is_token(main) && is_token(sub))
            .then(|| Self { main: main.to_ascii_lowercase(), sub: sub.to_ascii_lowercase() })
    }

    fn matches(&self, main: &str, sub: &str) -> bool {
        (self.main == "*" || self.main == main)
            && match self.sub.strip_prefix('*') {
                Some(suffix) => sub.ends_with(suffix),
                None => self.sub == sub,
            }
    }
}
