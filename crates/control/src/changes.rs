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
        Self {
            delay_ms: if_same(self.delay_ms, said.delay_ms, says.delay_ms),
            ip_delay_ms: if_same(self.ip_delay_ms, said.ip_delay_ms, says.ip_delay_ms),
            domain_delay_ms: if_same(self.domain_delay_ms, said.domain_delay_ms, says.domain_delay_ms),
            concurrency: if_same(self.concurrency, said.concurrency, says.concurrency),
            limit: if_same(self.limit, said.limit, says.limit),
            size_limit: if_same(self.size_limit, said.size_limit, says.size_limit),
            time_limit_ms: if_same(self.time_limit_ms, said.time_limit_ms, says.time_limit_ms),
            depth: if_same(self.depth, said.depth, says.depth),
            scope: if_same(self.scope, said.scope, says.scope),
        }
    }

    /// Those of these that `others` do not name.
    #[must_use]
    pub fn without(&self, others: &Self) -> Self {
        fn if_other<T: Copy>(named: Option<T>, other: Option<T>) -> Option<T> {
            if other.is_some() { None } else { named }
        }
        Self {
            delay_ms: if_other(self.delay_ms, others.delay_ms),
            ip_delay_ms: if_other(self.ip_delay_ms, others.ip_delay_ms),
            domain_delay_ms: if_other(self.domain_delay_ms, others.domain_delay_ms),
            concurrency: if_other(self.concurrency, others.concurrency),
            limit: if_other(self.limit, others.limit),
            size_limit: if_other(self.size_limit, others.size_limit),
            time_limit_ms: if_other(self.time_limit_ms, others.time_limit_ms),
            depth: if_other(self.depth, others.depth),
            scope: if_other(self.scope, others.scope),
        }
    }

    /// What `all` says of the settings that are named here.
    #[must_use]
    pub fn same_of(&self, all: &Self) -> Self {
        fn if_named<T: Copy>(named: Option<T>, all: Option<T>) -> Option<T> {
            named.and(all)
        }
        Self {
            delay_ms: if_named(self.delay_ms, all.delay_ms),
            ip_delay_ms: if_named(self.ip_delay_ms, all.ip_delay_ms),
            domain_delay_ms: if_named(self.domain_delay_ms, all.domain_delay_ms),
            concurrency: if_named(self.concurrency, all.concurrency),
            limit: if_named(self.limit, all.limit),
            size_limit: if_named(self.size_limit, all.size_limit),
            time_limit_ms: if_named(self.time_limit_ms, all.time_limit_ms),
            depth: if_named(self.depth, all.depth),
            scope: if_named(self.scope, all.scope),
        }
    }

    /// These, and where both name a setting the `later`.
    #[must_use]
    pub fn overlaid(self, later: Self) -> Self {
        Self {
            delay_ms: later.delay_ms.or(self.delay_ms),
            ip_delay_ms: later.ip_delay_ms.or(self.ip_delay_ms),
            domain_delay_ms: later.domain_delay_ms.or(self.domain_delay_ms),
            concurrency: later.concurrency.or(self.concurrency),
            limit: later.limit.or(self.limit),
            size_limit: later.size_limit.or(self.size_limit),
            time_limit_ms: later.time_limit_ms.or(self.time_limit_ms),
            depth: later.depth.or(self.depth),
            scope: later.scope.or(self.scope),
        }
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
