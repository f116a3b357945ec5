use crate::group::{Group, Reading, read};
use crate::pattern::NormalPath;
use crate::rule_list::{ListedRule, RuleList};
use crate::search::Search;
use crate::stored::Stored;
use serde::{Deserialize, Serialize};

/// The rules of one robots.txt that concern one agent (RFC 9309). Small: rules for others are not kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "Stored")]
pub struct Robots {
    rules: RuleList,
    crawl_delay: Option<CrawlDelay>,
    sitemaps: Vec<String>,
}

/// One rule as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its line in the file, from 1.
    pub line: u32,
    /// The path pattern as written.
    pub text: String,
    /// What it does.
    pub kind: RuleKind,
}

/// What a rule does to the paths it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RuleKind {
    /// They may be fetched.
    Allow,
    /// They may not.
    Disallow,
}

/// A `Crawl-delay`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrawlDelay {
    /// What it asks for, in milliseconds. How much of it is obeyed is not decided here.
    pub ms: u64,
    /// Its line in the file, from 1; `None` of rules that were kept by a program that did not note it.
    pub line: Option<u32>,
}

/// Whether a URL may be fetched, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it may.
    pub allowed: bool,
    /// The rule that decided; `None` where no rule matches, which allows.
    pub rule: Option<Rule>,
}

impl Robots {
    /// Reads a robots.txt for `agent`, of which only the product token counts: `drumlin` of `drumlin/0.1 (+…)`.
    /// Case is ignored. Of `bytes`, [`ROBOTS_BYTES`](crate::limits::ROBOTS_BYTES) are read.
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        let Reading { group: Group { rules, crawl_delay, .. }, sitemaps } = read(bytes, agent);
        Self::new(rules, crawl_delay, sitemaps)
    }

    /// Whether a path with its query (`/a/b?c=d`, raw or percent-encoded) may be fetched. The longest matching
    /// pattern decides, allow wins ties (RFC 9309 §2.2.2). `/robots.txt` itself is always allowed.
    pub fn verdict(&self, path_and_query: &str) -> Verdict {
        let path = NormalPath::new(path_and_query);
        if path.octets() == b"/robots.txt" {
            return Verdict { allowed: true, rule: None };
        }
        let rule = self.deciding(&path, &mut Search::default());
        let allowed = rule.is_none_or(|rule| rule.kind == RuleKind::Allow);
        Verdict { allowed, rule: rule.map(ListedRule::to_rule) }
    }

    /// The rules, in the order in which they are tried. What the file repeats is there once, with its first line.
    pub fn rules(&self) -> impl Iterator<Item = Rule> {
        self.listed().map(ListedRule::to_rule)
    }

    /// The `Crawl-delay` our groups ask for, the longest if there are several, in milliseconds. How much of it is
    /// obeyed is not decided here.
    pub fn crawl_delay_ms(&self) -> Option<u64> {
        self.crawl_delay.map(|delay| delay.ms)
    }

    /// The same, with its line.
    pub fn crawl_delay(&self) -> Option<CrawlDelay> {
        self.crawl_delay
    }

    /// Values of the file's Sitemap lines, whoever's group they stand in, in order, none twice. They should be
    /// absolute URLs; some are relative to the file.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// What it takes of memory, all in all; of [`Self::parse`] at most twelve bytes for each of the file's, and a kibibyte.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.sitemaps.iter().map(String::capacity).sum();
        let sitemaps = self.sitemaps.capacity() * size_of::<String>() + texts;
        size_of::<Self>() + self.rules.heap_bytes() + sitemaps
    }
}

impl Robots {
    pub(crate) fn new(rules: Vec<Rule>, crawl_delay: Option<CrawlDelay>, sitemaps: Vec<String>) -> Self {
        Self { rules: RuleList::new(rules), crawl_delay, sitemaps }
    }

    /// As they were written down.
    pub(crate) fn stored(rules: Vec<Rule>, crawl_delay: Option<CrawlDelay>, sitemaps: Vec<String>) -> Self {
        Self { rules: RuleList::of_different(rules), crawl_delay, sitemaps }
    }

    /// As they are kept.
    pub(crate) fn listed(&self) -> impl Iterator<Item = ListedRule<'_>> {
        self.rules.iter()
    }

    /// The rule that decides a path.
    pub(crate) fn deciding(&self, path: &NormalPath, search: &mut Search) -> Option<ListedRule<'_>> {
        self.listed().find(|rule| path.is_matched(rule.pattern, search))
    }
}
