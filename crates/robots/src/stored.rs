//! The rules of a file as journals and checkpoints have them: as written. Patterns are compiled again.

use crate::rule_list::ListedRule;
use crate::rules::{CrawlDelay, Robots, Rule, RuleKind};
use serde::{Deserialize, Serialize, Serializer};

/// Read, or to be written: the texts are owned then, or the rules' own.
#[derive(Serialize, Deserialize)]
pub(crate) struct Stored<Text = String, Texts = Vec<String>> {
    lines: Vec<Line<Text>>,
    crawl_delay_ms: Option<u64>,
    sitemaps: Texts,
}

#[derive(Serialize, Deserialize)]
struct Line<Text> {
    number: u32,
    text: Text,
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
        Self::stored(rules, crawl_delay_ms.map(|ms| CrawlDelay { ms, line }), sitemaps)
    }
}

impl Serialize for Robots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (rules, delay) = (self.listed().map(Line::of_rule), self.crawl_delay());
        let lines = rules.chain(delay.and_then(Line::of_delay)).collect();
        Stored { lines, crawl_delay_ms: self.crawl_delay_ms(), sitemaps: self.sitemaps() }
            .serialize(serializer)
    }
}

impl<'a> Line<&'a str> {
    fn of_rule(rule: ListedRule<'a>) -> Self {
        let kind = match rule.kind {
            RuleKind::Allow => Kind::Allow,
            RuleKind::Disallow => Kind::Disallow,
        };
        Self { number: rule.line, text: rule.text, kind }
    }

    fn of_delay(delay: CrawlDelay) -> Option<Self> {
        delay.line.map(|number| Self { number, text: "", kind: Kind::CrawlDelay })
    }
}

impl Line<String> {
    fn into_rule(self) -> Option<Rule> {
        let kind = match self.kind {
            Kind::Allow => RuleKind::Allow,
            Kind::Disallow => RuleKind::Disallow,
            Kind::CrawlDelay => return None,
        };
        Some(Rule { line: self.number, text: self.text, kind })
    }
}
