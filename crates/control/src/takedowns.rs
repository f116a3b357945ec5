use crate::Target;
use std::collections::BTreeMap;
use std::fmt;
use stdx::{Timestamp, WallTime};
use weburl::{Bans, Url};

/// What is taken down: nothing of it leaves the crawl.
#[derive(Debug, Clone, Default)]
pub struct Takedowns {
    bans: Bans,
    /// By the text that `bans` know them under.
    by_rule: BTreeMap<String, Takedown>,
}

/// One order to take something down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Takedown {
    /// Its entry of the journal: the number it goes by.
    pub entry: u64,
    /// When it was given.
    pub at: Timestamp,
    /// What of.
    pub target: Target,
    /// How far it has come.
    pub stage: Stage,
}

/// How far a takedown has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The files of the crawl still hold what it covers, and nothing that is made of them shows it.
    Withheld,
    /// It is gone from the files.
    Purged,
}

impl Takedowns {
    /// What covers a URL, if something does.
    pub fn covering(&self, url: &Url) -> Option<&Takedown> {
        if self.by_rule.is_empty() {
            return None;
        }
        self.by_rule.get(&self.bans.ban_of(url)?)
    }

    /// The same of a URL as text; what is none is covered by nothing.
    pub fn covering_text(&self, url: &str) -> Option<&Takedown> {
        if self.by_rule.is_empty() { None } else { self.covering(&Url::parse(url).ok()?) }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Takedown> {
        self.by_rule.values()
    }

    /// Those whose files are still to be rewritten.
    pub fn withheld(&self) -> impl Iterator<Item = &Takedown> {
        self.iter().filter(|takedown| takedown.stage == Stage::Withheld)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_rule.is_empty()
    }
}

impl FromIterator<Takedown> for Takedowns {
    fn from_iter<I: IntoIterator<Item = Takedown>>(takedowns: I) -> Self {
        let mut all = Self::default();
        for takedown in takedowns {
            takedown.target.ban(&mut all.bans);
            all.by_rule.insert(takedown.target.to_string(), takedown);
        }
        all
    }
}

impl Takedown {
    /// What keeps a row out, as lists of what is withheld have it.
    pub fn rule(&self) -> String {
        format!("takedown {} of {}", self.entry, self.target)
    }
}

/// With its moment.
impl fmt::Display for Takedown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = WallTime::from_unix_ms(self.at.as_ms());
        write!(f, "takedown {} of {at}: {}", self.entry, self.target)
    }
}
