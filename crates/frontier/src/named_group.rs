//! Groups that an operator names: hosts that share what their names don't show, a machine room or an owner.

#[cfg(test)]
mod tests;

use crate::limits::NAMED_HOSTS;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use stdx::Map;
use thiserror::Error;

/// A group of hosts with a clock of its own, beside those of host, domain and server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedGroup {
    /// As the operator calls it.
    pub name: String,
    /// Which hosts belong to it.
    pub hosts: Vec<HostPattern>,
    /// Between two requests, start to start.
    pub interval_ms: u64,
}

/// Which hosts are meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HostPattern {
    /// `example.com`: this host. `203.0.113.7` and `[2001:db8::1]` are hosts too.
    Host(String),
    /// `*.example.com`: this host and every one under it.
    Under(String),
}

/// Names a group within its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedGroupId(pub u16);

/// All groups of a crawl. A host belongs to one at most: of several patterns that fit, the longest counts.
#[derive(Debug, Clone, Default)]
pub struct NamedGroups {
    groups: Vec<NamedGroup>,
    hosts: Map<String, NamedGroupId>,
    under: Map<String, NamedGroupId>,
}

/// Groups that can't be meant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroupError {
    /// Not a host and not a domain.
    #[error("`{text}` is no host: write `example.com`, or `*.example.com` for all hosts of a domain")]
    Pattern {
        /// What was written.
        text: String,
    },
    /// Two groups can't both have a host.
    #[error("`{pattern}` is in group `{first}` and in group `{second}`")]
    Twice {
        /// What was written twice.
        pattern: HostPattern,
        /// In this group.
        first: String,
        /// And in this one.
        second: String,
    },
    /// More than a person writes down.
    #[error("{count} hosts are in groups; {NAMED_HOSTS} can be")]
    TooMany {
        /// So many.
        count: usize,
    },
}

impl NamedGroups {
    /// Checks the groups and makes them ready to be asked.
    pub fn new(groups: Vec<NamedGroup>) -> Result<Self, GroupError> {
        let count = groups.iter().map(|group| group.hosts.len().max(1)).sum();
        if count > NAMED_HOSTS {
            return Err(GroupError::TooMany { count });
        }
        let mut named = Self { groups, ..Self::default() };
        for index in 0..named.groups.len() {
            named.index(NamedGroupId(index as u16))?;
        }
        Ok(named)
    }

    /// The group of a host, given as URLs have it: in lower case, in ASCII.
    pub fn of(&self, host: &str) -> Option<NamedGroupId> {
        let host = weburl::without_root_dot(host);
        let suffixes = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        let mut domains = std::iter::once(host).chain(suffixes);
        self.hosts.get(host).copied().or_else(|| domains.find_map(|domain| self.under.get(domain).copied()))
    }

    /// A group by its id.
    pub fn get(&self, id: NamedGroupId) -> &NamedGroup {
        &self.groups[usize::from(id.0)]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &NamedGroup> {
        self.groups.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    fn index(&mut self, id: NamedGroupId) -> Result<(), GroupError> {
        for pattern in self.get(id).hosts.clone() {
            let (map, name) = match &pattern {
                HostPattern::Host(name) => (&mut self.hosts, name.clone()),
                HostPattern::Under(name) => (&mut self.under, name.clone()),
            };
            if let Some(first) = map.insert(name, id).filter(|first| *first != id) {
                let name_of = |id| self.get(id).name.clone();
                return Err(GroupError::Twice { first: name_of(first), second: name_of(id), pattern });
            }
        }
        Ok(())
    }
}

impl FromStr for HostPattern {
    type Err = GroupError;
    fn from_str(text: &str) -> Result<Self, GroupError> {
        let (host, make): (_, fn(String) -> Self) = match text.strip_prefix("*.") {
            Some(domain) => (domain, Self::Under),
            None => (text, Self::Host),
        };
        let wrong = || GroupError::Pattern { text: text.to_owned() };
        let url = weburl::Url::parse(&format!("http://{host}/")).map_err(|_| wrong())?;
        let has_port = host.contains(':') && !host.ends_with(']');
        let has_others = host.contains(|c: char| c.is_control() || matches!(c, '/' | '*' | '@'));
        let is_host = url.path() == "/" && !has_port && !has_others;
        if is_host { Ok(make(url.host().trim_end_matches('.').to_owned())) } else { Err(wrong()) }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(name) => f.write_str(name),
            Self::Under(name) => write!(f, "*.{name}"),
        }
    }
}
