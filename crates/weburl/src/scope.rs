use crate::percent;
use crate::{Bans, Folding, Key, KeyHash, Rule, Url, Verdict, site, without_root_dot};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use stdx::Set;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// How far from its seeds a crawl goes. Whether a URL is http or https never matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The seed URLs themselves.
    Page,
    /// What lies on a seed's host under its path, cut after the last slash: `/docs/` for `/docs/index.html`.
    Prefix,
    /// The hosts of seeds; `www.example.com` and `example.com` are two. The port matters where the seed names
    /// one: `http://example.com/` brings in `example.com:8080`, `http://example.com:8080/` only itself.
    Host,
    /// The registrable domains of seeds by the whole public suffix list, at any port.
    #[default]
    Domain,
    /// The hosts of seeds at exactly the seeds' ports (80 and 443 are one): the narrow form of `host`.
    Seeds,
    /// Everything.
    Any,
}

/// A word that names no scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a scope; it is one of page, prefix, host, domain, seeds, any")]
pub struct UnknownScope(String);

impl Scope {
    /// All of them, narrowest first.
    pub const ALL: [Self; 6] = [Self::Page, Self::Prefix, Self::Seeds, Self::Host, Self::Domain, Self::Any];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Prefix => "prefix",
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Seeds => "seeds",
            Self::Any => "any",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;
    fn from_str(word: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.name() == word).ok_or_else(|| UnknownScope(word.to_owned()))
    }
}

/// Which URLs a crawl is about. A million seeds cost a few hash lookups a URL.
#[derive(Debug, Clone, Default)]
pub struct ScopeRules {
    scope: Scope,
    include: Vec<Regex>,
    exclude: Vec<Regex>,
    excluded_hosts: Set<String>,
    bans: Bans,
    pages: Set<KeyHash>,
    places: Set<String>,
    deepest_prefix: usize,
    home: Option<String>,
}

impl ScopeRules {
    /// Rules without seeds: only scope `any` lets something in.
    pub fn new(scope: Scope) -> Self {
        Self { scope, ..Self::default() }
    }

    /// Only URLs that one of these expressions matches are in. Expressions see the whole URL.
    #[must_use]
    pub fn include(mut self, expressions: Vec<Regex>) -> Self {
        self.include = expressions;
        self
    }

    /// URLs that one of these expressions matches are out.
    #[must_use]
    pub fn exclude(mut self, expressions: Vec<Regex>) -> Self {
        self.exclude = expressions;
        self
    }

    /// These hosts, and every host below them, are out.
    #[must_use]
    pub fn exclude_hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.excluded_hosts.extend(hosts);
        self
    }

    /// What an operator has excluded since, in the place of what was excluded before.
    pub fn set_bans(&mut self, bans: Bans) {
        self.bans = bans;
    }

    /// What an operator has excluded since.
    pub fn bans(&self) -> &Bans {
        &self.bans
    }

    /// Lets a seed widen what is in.
    pub fn add_seed(&mut self, seed: &Url) {
        self.home.get_or_insert_with(|| site(bare_host(seed)).to_owned());
        match self.scope {
            Scope::Page => {
                self.pages.insert(page_identity(seed));
            }
            Scope::Prefix => self.add_prefix(seed),
            Scope::Host | Scope::Seeds => {
                self.places.insert(host_port(seed).into_owned());
            }
            Scope::Domain => {
                self.places.insert(site(bare_host(seed)).to_owned());
            }
            Scope::Any => {}
        }
    }

    /// The registrable domain of the first seed, if this URL lies in another.
    pub fn home_left_for(&self, url: &Url) -> Option<&str> {
        self.home.as_deref().filter(|home| *home != site(bare_host(url)))
    }

    /// Tells one set of rules from another, whatever the order in which seeds and hosts were given.
    pub fn fingerprint(&self) -> u64 {
        let hash = |part: &str, text: &str| xxh3_64(format!("{part}\0{text}").as_bytes());
        let texts = |part: &'static str, res: &[Regex]| {
            let hashes = res.iter().map(|re| hash(part, re.as_str()));
            hashes.fold(0, u64::wrapping_add)
        };
        let hosts = self.excluded_hosts.iter().map(|host| hash("host", host)).fold(0, u64::wrapping_add);
        let places = self.places.iter().map(|place| hash("place", place)).fold(0, u64::wrapping_add);
        let pages =
            self.pages.iter().map(|page| hash("page", &page.0.to_string())).fold(0, u64::wrapping_add);
        let (include, exclude) = (texts("include", &self.include), texts("exclude", &self.exclude));
        let parts = [include, exclude, hosts, self.bans.fingerprint(), places, pages];
        parts.into_iter().fold(hash("scope", self.scope.name()), u64::wrapping_add)
    }

    /// Judges a discovered URL: what the operator has excluded, then scope, excluded hosts, `exclude`, `include`.
    pub fn judge(&self, url: &Url) -> Verdict {
        if let Some(ban) = self.bans.ban_of(url) {
            return Verdict::Out(Rule::Banned(ban));
        }
        if !self.covers(url) {
            return Verdict::Out(Rule::Scope(self.scope));
        }
        let included = self.include.is_empty() || self.include.iter().any(|re| re.is_match(url.as_str()));
        match self.judge_exclusions(url) {
            Verdict::In if !included => Verdict::Out(Rule::NotIncluded),
            verdict => verdict,
        }
    }

    /// Judges a seed: it is in scope by definition and needs no `include`, since a crawl must begin somewhere;
    /// exclusions hold for it too.
    pub fn judge_seed(&self, url: &Url) -> Verdict {
        match self.bans.ban_of(url) {
            Some(ban) => Verdict::Out(Rule::Banned(ban)),
            None => self.judge_exclusions(url),
        }
    }

    /// The rule by which a host is not to be contacted at all, for robots.txt neither.
    pub fn shuns(&self, host: &str) -> Option<Rule> {
        let bare = without_root_dot(host);
        let ban = self.bans.ban_of_host(bare).map(Rule::Banned);
        ban.or_else(|| self.excluded_host(bare).map(|host| Rule::ExcludedHost(host.to_owned())))
    }

    fn judge_exclusions(&self, url: &Url) -> Verdict {
        if let Some(host) = self.excluded_host(bare_host(url)) {
            return Verdict::Out(Rule::ExcludedHost(host.to_owned()));
        }
        match self.exclude.iter().find(|re| re.is_match(url.as_str())) {
            Some(expression) => Verdict::Out(Rule::Exclude(expression.as_str().to_owned())),
            None => Verdict::In,
        }
    }

    /// The scope these rules were made with.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether no URL is out.
    pub fn is_everything(&self) -> bool {
        let unrestricted =
            self.include.is_empty() && self.exclude.is_empty() && self.excluded_hosts.is_empty();
        self.scope == Scope::Any && unrestricted && self.bans.is_empty()
    }

    /// Whether a seed brings a URL in under this scope, whatever is excluded.
    pub fn covers(&self, url: &Url) -> bool {
        match self.scope {
            Scope::Page => self.pages.contains(&page_identity(url)),
            Scope::Prefix => self.has_prefix_of(url),
            Scope::Host => self.places.contains(bare_host(url)) || self.places.contains(&*host_port(url)),
            Scope::Domain => self.places.contains(site(bare_host(url))),
            Scope::Seeds => self.places.contains(&*host_port(url)),
            Scope::Any => true,
        }
    }

    fn add_prefix(&mut self, seed: &Url) {
        let path = percent::normalise(seed.path());
        let folder = &path[..=path.rfind('/').unwrap_or(0)];
        self.deepest_prefix = self.deepest_prefix.max(folder.matches('/').count());
        self.places.insert(format!("{}{folder}", host_port(seed)));
    }

    /// Looks up every folder that holds the URL, as deep as seeds go.
    fn has_prefix_of(&self, url: &Url) -> bool {
        let place = format!("{}{}", host_port(url), percent::normalise(url.path()));
        place
            .match_indices('/')
            .take(self.deepest_prefix)
            .any(|(slash, _)| self.places.contains(&place[..=slash]))
    }

    fn excluded_host<'a>(&self, host: &'a str) -> Option<&'a str> {
        if self.excluded_hosts.is_empty() {
            return None;
        }
        let above = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        std::iter::once(host).chain(above).find(|name| self.excluded_hosts.contains(*name))
    }
}

fn bare_host(url: &Url) -> &str {
    without_root_dot(url.host())
}

/// Host and port as they tell places apart: without the root dot, as keys have it.
fn host_port(url: &Url) -> Cow<'_, str> {
    let bare = bare_host(url);
    if bare.len() == url.host().len() {
        Cow::Borrowed(url.host_port())
    } else {
        Cow::Owned([bare, url.written_port()].concat())
    }
}

fn page_identity(url: &Url) -> KeyHash {
    Key::of(url, &Folding::ALL).hash(0)
}
