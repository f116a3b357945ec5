use serde::{Deserialize, Serialize};

/// Which differences between URLs are folded away when a [`Key`](crate::Key) is made. Everything is on by
/// default; what is off for a crawl stays off for its lifetime, since keys are compared across restarts.
///
/// Not configurable, because nobody means two pages by them: letter case of host and scheme, dots in the path,
/// default port, trailing dot of the host, credentials, fragment, empty query, percent-encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of one configuration table")]
pub struct Folding {
    /// `https` is `http`.
    pub scheme: bool,
    /// `//` in a path is `/`.
    pub slashes: bool,
    /// Query parameters are sorted, empty ones (`a=1&&b`) dropped, and `b=` is `b`.
    pub parameters: bool,
    /// `utm_source`, `gclid`, `fbclid` and their kin are dropped.
    pub tracking: bool,
    /// `PHPSESSID`, `;jsessionid=` and their kin are dropped; `sid`, `ref` and other ambiguous names only when
    /// the value looks like a token.
    pub sessions: bool,
}

impl Folding {
    /// Every group on.
    pub const ALL: Self =
        Self { scheme: true, slashes: true, parameters: true, tracking: true, sessions: true };
    /// Every group off.
    pub const NONE: Self =
        Self { scheme: false, slashes: false, parameters: false, tracking: false, sessions: false };
}

impl Default for Folding {
    fn default() -> Self {
        Self::ALL
    }
}
