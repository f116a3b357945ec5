use serde::{Deserialize, Serialize};

/// What a page asks of robots, from `meta[name=robots]`, a `meta` with the name of our product and X-Robots-Tag together; what
/// restricts more wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Directives(u8);

impl Directives {
    /// Nothing is asked.
    pub const NONE: Self = Self(0);
    /// Keep the page out of indexes.
    pub const NOINDEX: Self = Self(1);
    /// Do not follow its links.
    pub const NOFOLLOW: Self = Self(2);
    /// Do not offer a stored copy.
    pub const NOARCHIVE: Self = Self(4);
    /// Do not show excerpts.
    pub const NOSNIPPET: Self = Self(8);
    /// Do not index its images.
    pub const NOIMAGEINDEX: Self = Self(16);
    /// Do not use it for AI.
    pub const NOAI: Self = Self(32);
    /// Do not use its images for AI.
    pub const NOIMAGEAI: Self = Self(64);

    /// Whether any of these is asked.
    pub const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The names of what is asked, as in a robots meta: `noindex`, `nofollow`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(move |(_, directive)| self.has(*directive)).map(|(name, _)| *name)
    }

    /// The content of a robots meta: tokens between commas (or semicolons, or blanks, as some write).
    pub(crate) fn of_meta(content: &str) -> Self {
        parts(content).map(Self::of_words).fold(Self::NONE, Self::with)
    }

    /// One X-Robots-Tag header, as `agent` reads it: tokens as in a meta; `name:` in front of one addresses it and what follows.
    pub(crate) fn of_header(value: &str, agent: &str) -> Self {
        let mut addressed = true;
        let mut all = Self::NONE;
        for part in parts(value) {
            let (addressee, words) = addressee_and_words(part);
            addressed = addressee.map_or(addressed, |name| name == "*" || name.eq_ignore_ascii_case(agent));
            if addressed {
                all = all.with(Self::of_words(words));
            }
        }
        all
    }

    /// Tokens between blanks; the `none` of `max-image-preview: none` is a value, and none of them.
    fn of_words(words: &str) -> Self {
        let mut all = Self::NONE;
        let mut is_value = false;
        for word in words.split_whitespace() {
            if !is_value {
                all = all.with(Self::of_token(word));
            }
            let name = word.strip_suffix(':');
            is_value = name.is_some_and(|name| name.is_empty() || is_one_of(name, &VALUED));
        }
        all
    }

    fn of_token(token: &str) -> Self {
        if token.eq_ignore_ascii_case("none") {
            return Self::NOINDEX.with(Self::NOFOLLOW);
        }
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(token));
        known.map_or(Self::NONE, |(_, directive)| *directive)
    }
}

const NAMES: &[(&str, Directives)] = &[
    ("noindex", Directives::NOINDEX),
    ("nofollow", Directives::NOFOLLOW),
    ("noarchive", Directives::NOARCHIVE),
    ("nosnippet", Directives::NOSNIPPET),
    ("noimageindex", Directives::NOIMAGEINDEX),
    ("noai", Directives::NOAI),
    ("noimageai", Directives::NOIMAGEAI),
];

/// Whether a meta of this name speaks to `agent`.
pub(crate) fn is_robots_meta(name: &str, agent: &str) -> bool {
    let name = name.trim_ascii();
    name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(agent)
}

/// What stands between commas or semicolons.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', ';'])
}

/// What has a colon before its value: `unavailable_after: …`, `max-snippet: …`.
const VALUED: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The agent that a part is addressed to, and the rest of it. A part may have a colon and no agent: that of
/// `max-snippet: 20`, or of a date that was cut at its comma.
fn addressee_and_words(part: &str) -> (Option<&str>, &str) {
    let addressed = part.split_once(':').map(|(before, after)| (before.trim(), after));
    match addressed.filter(|(before, _)| is_agent(before)) {
        Some((agent, words)) => (Some(agent), words),
        None => (None, part),
    }
}

/// `*`, or a product token (RFC 9309 §2.2.1) that is no directive's name. Some have digits: `360Spider`.
fn is_agent(word: &str) -> bool {
    let is_token = word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    word == "*" || is_token && word.contains(|c: char| c.is_ascii_alphabetic()) && !is_directive(word)
}

fn is_directive(word: &str) -> bool {
    const PLAIN: [&str; 7] =
        ["all", "none", "index", "follow", "notranslate", "nositelinkssearchbox", "indexifembedded"];
    is_one_of(word, &VALUED) || is_one_of(word, &PLAIN) || Directives::of_token(word) != Directives::NONE
}

fn is_one_of(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(word))
}
