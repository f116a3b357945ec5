use crawler::Blame;
use std::fmt;
use std::str::FromStr;

/// How much an event matters to the operator, which is a matter of who can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// This program or its machine failed: somebody has to look.
    Error,
    /// A rule, a setting or a command is what stood in the way: the operator may want another.
    Warn,
    /// A host failed, as hosts do; or the run came to a point worth noting.
    Info,
    /// One URL failed.
    Debug,
}

impl Level {
    /// All, the gravest first.
    pub const ALL: [Self; 4] = [Self::Error, Self::Warn, Self::Info, Self::Debug];

    /// The level of a failure, by whose fault it is.
    pub const fn of(blame: Blame) -> Self {
        match blame {
            Blame::Ours => Self::Error,
            Blame::Policy => Self::Warn,
            Blame::Host | Blame::Gate => Self::Info,
            Blame::Url => Self::Debug,
        }
    }

    /// Its name in a line, and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| "one of error, warn, info and debug".to_owned())
    }
}
