use crate::limits::{PATTERN_BYTES, PATTERN_PROGRAM_BYTES};
use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use weburl::{Bans, Url};

/// Which URLs are meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Those of one host, at any port.
    Host(Host),
    /// Those of a host and of all hosts below it.
    Domain(Domain),
    /// Those that an expression matches, as `--exclude` has it: it sees the whole URL.
    Pattern(Pattern),
}

/// A host name or address, as URLs have it: lower case, in ASCII.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Host(String);

/// A name that stands for itself and all names below it. `*.NAME` and `.NAME` are the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Domain(String);

/// A regular expression over whole URLs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(String);

/// What is no host, domain or expression.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Neither a name nor an address.
    #[error("`{0}` is not the name of a host")]
    NotAHost(String),
    /// Many hosts are meant, where one can be named.
    #[error("`{0}` is not the name of a host; a host and all below it are a domain, named without the `*`")]
    ManyHosts(String),
    /// The expression can't be read.
    #[error("`{pattern}` is not a regular expression: {reason}")]
    NotAPattern {
        /// Its text.
        pattern: String,
        /// What is wrong with it, on one line.
        reason: String,
    },
    /// The expression matches whatever there is.
    #[error("`{0}` matches even an empty text, and so every URL")]
    MatchesAll(String),
    /// The expression is longer than an expression may be.
    #[error("an expression of {0} bytes is too long: {PATTERN_BYTES} are the most")]
    TooLong(usize),
}

impl Target {
    /// That a host of the web can have its name, and that its expression can fail to match. URLs may have stars and empty
    /// labels in their hosts, and what was accepted once stays readable; so whoever gives a new command asks this.
    pub fn check(&self) -> Result<(), TargetError> {
        match self {
            Self::Host(Host(name)) | Self::Domain(Domain(name)) if name.contains('*') => {
                Err(TargetError::ManyHosts(name.clone()))
            }
            Self::Host(Host(name)) | Self::Domain(Domain(name)) if name.split('.').any(str::is_empty) => {
                Err(TargetError::NotAHost(name.clone()))
            }
            Self::Pattern(pattern) if pattern.regex().is_match("") => {
                Err(TargetError::MatchesAll(pattern.0.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Adds it to what is excluded.
    pub fn ban(&self, bans: &mut Bans) {
        match self {
            Self::Host(host) => bans.add_host(&host.0),
            Self::Domain(domain) => bans.add_domain(&domain.0),
            Self::Pattern(pattern) => bans.add_pattern(pattern.regex()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(Host(name)) => write!(f, "host {name}"),
            Self::Domain(Domain(name)) => write!(f, "domain {name}"),
            Self::Pattern(Pattern(expression)) => write!(f, "pattern {expression}"),
        }
    }
}

impl Host {
    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Domain {
    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Pattern {
    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// It, compiled.
    pub fn regex(&self) -> Regex {
        compile(&self.0).expect("it was compiled when it was read")
    }
}

impl FromStr for Host {
    type Err = TargetError;
    fn from_str(name: &str) -> Result<Self, TargetError> {
        host_of(name).map(Self)
    }
}

impl FromStr for Domain {
    type Err = TargetError;
    fn from_str(name: &str) -> Result<Self, TargetError> {
        let below = name.strip_prefix('*').unwrap_or(name);
        host_of(below.strip_prefix('.').unwrap_or(name)).map(Self)
    }
}

impl FromStr for Pattern {
    type Err = TargetError;
    fn from_str(text: &str) -> Result<Self, TargetError> {
        if text.len() > PATTERN_BYTES {
            return Err(TargetError::TooLong(text.len()));
        }
        compile(text).map(|_| Self(text.to_owned())).map_err(|error| {
            let last = error.to_string().lines().last().unwrap_or_default().trim().to_owned();
            let reason = last.strip_prefix("error: ").unwrap_or(&last).to_owned();
            TargetError::NotAPattern { pattern: text.to_owned(), reason }
        })
    }
}

impl TryFrom<String> for Host {
    type Error = TargetError;
    fn try_from(name: String) -> Result<Self, TargetError> {
        name.parse()
    }
}

impl TryFrom<String> for Domain {
    type Error = TargetError;
    fn try_from(name: String) -> Result<Self, TargetError> {
        name.parse()
    }
}

impl TryFrom<String> for Pattern {
    type Error = TargetError;
    fn try_from(text: String) -> Result<Self, TargetError> {
        text.parse()
    }
}

impl From<Host> for String {
    fn from(host: Host) -> Self {
        host.0
    }
}

impl From<Domain> for String {
    fn from(domain: Domain) -> Self {
        domain.0
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0
    }
}

fn compile(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).size_limit(PATTERN_PROGRAM_BYTES).build()
}

/// The host of the URL that has this host and nothing else.
fn host_of(name: &str) -> Result<String, TargetError> {
    let not_a_host = || TargetError::NotAHost(name.to_owned());
    let has_port = name.contains(':') && !name.ends_with(']');
    let has_others = name.contains(|c: char| c.is_control() || matches!(c, '/' | '?' | '#' | '@' | '\\'));
    if name.is_empty() || has_port || has_others {
        return Err(not_a_host());
    }
    let url = Url::parse(&format!("http://{name}/")).map_err(|_| not_a_host())?;
    Ok(url.host().strip_suffix('.').unwrap_or(url.host()).to_owned())
}
