use serde::{Deserialize, Serialize};
use std::fmt;
use weburl::Scope;

/// Settings and their new values; what is not named stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Changes {
    /// Between two contacts with one host, in milliseconds. The floor of public hosts holds whatever this says.
    pub delay_ms: Option<u64>,
    /// Between two contacts with one server address. Its floor holds likewise.
    pub ip_delay_ms: Option<u64>,
    /// Between two requests to one registrable domain, start to start.
    pub domain_delay_ms: Option<u64>,
    /// Requests and look-ups under way at once.
    pub concurrency: Option<u64>,
    /// Pages to fetch, exactly.
    pub limit: Option<Bound>,
    /// Body bytes after which no further page is begun.
    pub size_limit: Option<Bound>,
    /// Milliseconds of a run after which no further page is begun.
    pub time_limit_ms: Option<Bound>,
    /// Links from a seed to follow.
    pub depth: Option<Bound>,
    /// How far from its seeds the crawl goes.
    pub scope: Option<Scope>,
}

/// A limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// None.
    Unlimited,
    /// So much.
    AtMost(u64),
}

/// The name of a setting, as the configuration has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Setting {
    /// `concurrency`
    Concurrency,
    /// `depth`
    Depth,
    /// `scope`
    Scope,
}

impl Bound {
    /// The limit, if there is one.
    pub const fn most(self) -> Option<u64> {
        match self {
            Self::Unlimited => None,
            Self::AtMost(most) => Some(most),
        }
    }
}

impl From<Option<u64>> for Bound {
    fn from(limit: Option<u64>) -> Self {
        limit.map_or(Self::Unlimited, Self::AtMost)
    }
}

/// Changes, each setting of which is what a function makes of the same setting of others.
macro_rules! each {
    ($make:path, $($of:ident),+) => {
        Self {
            delay_ms: $make($($of.delay_ms),+),
            ip_delay_ms: $make($($of.ip_delay_ms),+),
            domain_delay_ms: $make($($of.domain_delay_ms),+),
            concurrency: $make($($of.concurrency),+),
            limit: $make($($of.limit),+),
            size_limit: $make($($of.size_limit),+),
            time_limit_ms: $make($($of.time_limit_ms),+),
            depth: $make($($of.depth),+),
            scope: $make($($of.scope),+),
        }
    };
}

impl Changes {
    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it concerns what servers are promised.
    pub fn concerns_delays(&self) -> bool {
        self.delay_ms.or(self.ip_delay_ms).or(self.domain_delay_ms).is_some()
    }

    /// Those of these whose setting the configuration `says` to be as it `said` when they were made: whoever changes the
    /// configuration means that.
    #[must_use]
    pub fn holding(&self, said: &Self, says: &Self) -> Self {
        fn if_same<T: PartialEq + Copy>(set: Option<T>, said: Option<T>, says: Option<T>) -> Option<T> {
            set.filter(|_| said == says)
        }
        each!(if_same, self, said, says)
    }

    /// Those of these that `others` do not name.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        fn if_other<T: Copy>(named: Option<T>, other: Option<T>) -> Option<T> {
            named.filter(|_| other.is_none())
        }
        each!(if_other, self, others)
    }

    /// What `all` says of the settings that are named here.
    #[must_use]
    pub fn same_of(&self, all: &Self) -> Self {
        each!(Option::and, self, all)
    }

    /// These, and where both name a setting the `later`.
    #[must_use]
    pub fn overlaid(self, later: Self) -> Self {
        each!(Option::or, later, self)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Concurrency => "concurrency",
            Self::Depth => "depth",
            Self::Scope => "scope",
        })
    }
}
