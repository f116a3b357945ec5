use crate::bounded::{Bounded, bounded};
use crate::group::read;
use crate::limits::AI_TXT_RULES;
use crate::preferences::{Preferences, Use};
use crate::rules::{Robots, Rule, RuleKind};
use serde::{Deserialize, Serialize};

/// What an `/ai.txt` of Spawning's kind says: the grammar of robots.txt, about training instead of fetching. Its rules are mostly
/// about kinds of files, `Disallow: *.jpg`, as Spawning's generator writes them: some hundred, and one of `/` at last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AiTxt {
    rules: Robots,
}

/// What its rules are about.
const ABOUT: [Use; 2] = [Use::Train, Use::Mining];

impl AiTxt {
    /// Where the file lies on a host.
    pub const PATH: &'static str = "/ai.txt";

    /// Reads a file for `agent`, as [`Robots::parse`] does. Other files of that name, which are prose, have no rules.
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        let rules = bounded(read(bytes, agent).group.rules, AI_TXT_RULES);
        Self { rules: Robots::new(rules, None, Vec::new()) }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.rules.rules().next().is_none()
    }

    /// What is said of a path with its query. A path that names no kind of file is a page, and what is said of `.html` counts
    /// too.
    pub fn preferences(&self, path_and_query: &str) -> Preferences {
        let path = path_and_query.split(['?', '#']).next().unwrap_or_default();
        let is_unnamed = !path.rsplit('/').next().unwrap_or_default().contains('.');
        let as_page = if is_unnamed { self.of_path(&format!("{path}.html")) } else { Preferences::NONE };
        self.of_path(path_and_query).with(as_page)
    }

    fn of_path(&self, path_and_query: &str) -> Preferences {
        match self.rules.verdict(path_and_query).rule {
            None => Preferences::NONE,
            Some(rule) if rule.kind == RuleKind::Disallow => Preferences::refusing(&ABOUT),
            Some(_) => Preferences::allowing(&ABOUT),
        }
    }
}

impl Bounded for Rule {
    fn bytes(&self) -> usize {
        self.text.len()
    }

    fn folded(rules: &[Self]) -> Option<Self> {
        let first = rules.iter().find(|rule| rule.kind == RuleKind::Disallow)?;
        Some(Self { text: "/".to_owned(), ..first.clone() })
    }
}
