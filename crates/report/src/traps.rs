use serde::{Deserialize, Serialize};

/// What traps have held back since the crawl began. What is held back waits longer and is never dropped, so that some of it may have been
/// fetched since.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Traps {
    /// By rule: those that held something back.
    pub rules: Vec<Held>,
    /// Patterns of URLs that were held back most, the worst first.
    pub patterns: Vec<Pattern>,
}

/// What a rule has held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Its word.
    pub rule: String,
    /// What it is about.
    pub about: String,
    /// URLs, each counted once, when it was found.
    pub held_back: u64,
}

/// URLs of a host that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// The host.
    pub host: String,
    /// `/calendar/<number>/<number>?view`
    pub form: String,
    /// The rule that held the last of them back.
    pub rule: String,
    /// Fetches of such URLs.
    pub fetches: u32,
    /// Of them those that gave something new.
    pub fresh: u32,
    /// URLs held back.
    pub held_back: u64,
}
