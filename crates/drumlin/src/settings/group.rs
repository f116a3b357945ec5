use super::Span;
use crawler::HostPattern;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Hosts under one clock (`--group`): `NAME=HOST,…@SECS`, in files as on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) hosts: Vec<HostPattern>,
    /// Between two requests, start to start; as between those to a domain if it is not said.
    pub(crate) interval: Option<Span>,
}

/// What is no group.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum NoGroup {
    #[error("write NAME=HOST,… or NAME=HOST,…@SECS")]
    Form,
    #[error(transparent)]
    Interval(#[from] stdx::UnitError),
    #[error(transparent)]
    Host(#[from] crawler::GroupError),
}

impl FromStr for Group {
    type Err = NoGroup;
    fn from_str(text: &str) -> Result<Self, NoGroup> {
        let (name, rest) = text.split_once('=').ok_or(NoGroup::Form)?;
        let (hosts, interval) = match rest.split_once('@') {
            Some((hosts, interval)) => (hosts, Some(interval)),
            None => (rest, None),
        };
        let interval = interval.map(str::parse).transpose()?;
        if name.trim().is_empty() || hosts.is_empty() {
            return Err(NoGroup::Form);
        }
        let hosts = hosts.split(',').map(|host| host.trim().parse()).collect::<Result<_, _>>()?;
        Ok(Self { name: name.trim().to_owned(), hosts, interval })
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts: Vec<String> = self.hosts.iter().map(ToString::to_string).collect();
        write!(f, "{}={}", self.name, hosts.join(","))?;
        // In the form it is read in: a number of seconds, or one with its unit.
        match self.interval {
            Some(Span(ms)) if ms.is_multiple_of(1000) => write!(f, "@{}", ms / 1000),
            Some(Span(ms)) => write!(f, "@{ms}ms"),
            None => Ok(()),
        }
    }
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Group {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error| de::Error::custom(format!("group `{text}`: {error}")))
    }
}
