use crate::Scope;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What scope rules say of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The crawl is about it.
    In,
    /// It is not, by this rule.
    Out(Rule),
}

/// The first rule that kept a URL out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rule {
    /// No seed brings it in under this scope.
    Scope(Scope),
    /// `--exclude-hosts` names its host or a domain above it.
    ExcludedHost(String),
    /// This `--exclude` expression matches it.
    Exclude(String),
    /// An operator's command excludes it: this host, domain or pattern.
    Banned(String),
    /// There are `--include` expressions and none matches it.
    NotIncluded,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scope(scope) => write!(f, "outside scope {scope}"),
            Self::ExcludedHost(host) => write!(f, "excluded host {host}"),
            Self::Exclude(expression) => write!(f, "excluded by {expression}"),
            Self::Banned(target) => write!(f, "excluded by the operator: {target}"),
            Self::NotIncluded => f.write_str("matched by no include expression"),
        }
    }
}
