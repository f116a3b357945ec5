use crate::{Url, without_root_dot};
use regex::Regex;
use stdx::Set;
use xxhash_rust::xxh3::xxh3_64;

/// What an operator has excluded while the crawl was there: over every other rule, for seeds too.
#[derive(Debug, Clone, Default)]
pub struct Bans {
    hosts: Set<String>,
    domains: Set<String>,
    patterns: Vec<Regex>,
}

impl Bans {
    /// This host, at any port.
    pub fn add_host(&mut self, host: &str) {
        self.hosts.insert(host.to_owned());
    }

    /// This host and all below it.
    pub fn add_domain(&mut self, domain: &str) {
        self.domains.insert(domain.to_owned());
    }

    /// URLs that this expression matches.
    pub fn add_pattern(&mut self, pattern: Regex) {
        self.patterns.push(pattern);
    }

    /// What excludes a URL, if something does, as text: `host a.example`, `domain a.example`, `pattern /x/`.
    pub fn ban_of(&self, url: &Url) -> Option<String> {
        let by_pattern = || self.patterns.iter().find(|pattern| pattern.is_match(url.as_str()));
        let by_host = self.ban_of_host(url.host());
        by_host.or_else(|| by_pattern().map(|pattern| format!("pattern {}", pattern.as_str())))
    }

    /// What excludes a whole host, if something does.
    pub fn ban_of_host(&self, host: &str) -> Option<String> {
        let host = without_root_dot(host);
        if self.hosts.contains(host) {
            return Some(format!("host {host}"));
        }
        if self.domains.is_empty() {
            return None;
        }
        let above = host.match_indices('.').map(|(dot, _)| &host[dot + 1..]);
        let domain = std::iter::once(host).chain(above).find(|name| self.domains.contains(*name))?;
        Some(format!("domain {domain}"))
    }

    /// Whether nothing is excluded.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.domains.is_empty() && self.patterns.is_empty()
    }

    /// Tells one set of bans from another, whatever their order; 0 for none.
    pub(crate) fn fingerprint(&self) -> u64 {
        let hash = |kind: &str, text: &str| xxh3_64(format!("ban {kind}\0{text}").as_bytes());
        let hosts = self.hosts.iter().map(|host| hash("host", host));
        let domains = self.domains.iter().map(|domain| hash("domain", domain));
        let patterns = self.patterns.iter().map(|pattern| hash("pattern", pattern.as_str()));
        hosts.chain(domains).chain(patterns).fold(0, u64::wrapping_add)
    }
}
