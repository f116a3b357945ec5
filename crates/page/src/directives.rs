use serde::{Deserialize, Serialize};

/// What a page asks of robots, from `meta[name=robots]`, `meta[name=drumlin]` and X-Robots-Tag together; what
/// restricts more wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Directives(u8);

/// The product token that directives may be addressed to.
const AGENT: &str = "drumlin";

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

    /// The content of a robots meta: tokens between commas (or blanks, as some write).
    pub(crate) fn of_meta(content: &str) -> Self {
        let tokens = content.split(|c: char| c == ',' || c == ';' || c.is_ascii_whitespace());
        tokens.map(Self::of_token).fold(Self::NONE, Self::with)
    }

    /// One X-Robots-Tag header: tokens between commas; `agent:` in front of one addresses it and what follows.
    pub(crate) fn of_header(value: &str) -> Self {
        let mut addressed = true;
        let mut all = Self::NONE;
        for part in value.split(',') {
            let (agent, token) = agent_and_token(part);
            addressed = agent.map_or(addressed, |agent| agent == "*" || agent.eq_ignore_ascii_case(AGENT));
            if addressed {
                all = all.with(Self::of_token(token));
            }
        }
        all
    }

    fn of_token(token: &str) -> Self {
        let token = token.trim();
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

/// Whether a meta of this name speaks to us.
pub(crate) fn is_robots_meta(name: &str) -> bool {
    let name = name.trim_ascii();
    name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(AGENT)
}

/// `unavailable_after: …` and `max-snippet: …` have a colon, but no agent.
fn agent_and_token(part: &str) -> (Option<&str>, &str) {
    const RULES: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];
    let Some((before, after)) = part.split_once(':') else { return (None, part) };
    let agent = before.trim();
    if RULES.iter().any(|rule| rule.eq_ignore_ascii_case(agent)) {
        return (None, "");
    }
    (Some(agent), after)
}
