//! The rules of a file as journals and checkpoints have them: as written. Patterns are compiled again.

use crate::rules::{CrawlDelay, Robots, Rule, RuleKind};
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Stored {
    lines: Vec<Line>,
    crawl_delay_ms: Option<u64>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct Line {
    number: u32,
    text: String,
    kind: Kind,
}

/// What a line says. New kinds go behind the others, so that what older programs wrote is read as it was.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Allow,
    Disallow,
    /// The crawl-delay that counts stands here; its text is left out.
    CrawlDelay,
}

impl From<Stored> for Robots {
    fn from(Stored { lines, crawl_delay_ms, sitemaps }: Stored) -> Self {
        let line = lines.iter().find(|line| line.kind == Kind::CrawlDelay).map(|line| line.number);
        let rules = lines.into_iter().filter_map(Line::into_rule).collect();
        Self::new(rules, crawl_delay_ms.map(|ms| CrawlDelay { ms, line }), sitemaps)
    }
}

impl From<Robots> for Stored {
    fn from(robots: Robots) -> Self {
        let (rules, delay) = (robots.rules().map(Line::of_rule), robots.crawl_delay());
        let lines = rules.chain(delay.and_then(Line::of_delay)).collect();
        Self { lines, crawl_delay_ms: robots.crawl_delay_ms(), sitemaps: robots.into_sitemaps() }
    }
}

impl Line {
    fn of_rule(rule: &Rule) -> Self {
        let kind = match rule.kind {
            RuleKind::Allow => Kind::Allow,
            RuleKind::Disallow => Kind::Disallow,
        };
        Self { number: rule.line, text: rule.text.clone(), kind }
    }

    fn of_delay(delay: CrawlDelay) -> Option<Self> {
        delay.line.map(|number| Self { number, text: String::new(), kind: Kind::CrawlDelay })
    }

    fn into_rule(self) -> Option<Rule> {
        let kind = match self.kind {
            Kind::Allow => RuleKind::Allow,
            Kind::Disallow => RuleKind::Disallow,
            Kind::CrawlDelay => return None,
        };
        Some(Rule { line: self.number, text: self.text, kind })
    }
}
