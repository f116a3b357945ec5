use crate::limits::{ROBOTS_BYTES, ROBOTS_SITEMAPS, URL_BYTES};
use crate::line::{Directive, directive};
use crate::rules::{CrawlDelay, Rule, RuleKind};
use crate::text::{lines, text_of, without_mark};
use crate::usage::{UsageRule, usage_rule};
use std::collections::BTreeSet;

/// What a robots.txt says to one agent, in the file's order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Group {
    pub(crate) rules: Vec<Rule>,
    pub(crate) crawl_delay: Option<CrawlDelay>,
    pub(crate) usages: Vec<UsageRule>,
}

/// A file as one agent reads it.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// All groups that name the agent, merged (RFC 9309 §2.2.1); without one, those that name `*`.
    pub(crate) group: Group,
    /// Sitemap lines, wherever they stand; none twice.
    pub(crate) sitemaps: Vec<String>,
}

/// Reads a file for the agent whose product token begins `agent`.
pub(crate) fn read(bytes: &[u8], agent: &str) -> Reading {
    let mut reader = Reader { agent: product_token(agent), ..Reader::default() };
    let text = without_mark(bytes);
    for line in lines(within_limit(&text)) {
        if let Some(directive) = directive(line.bytes) {
            reader.take(line.number, directive);
        }
    }
    let group = if reader.named { reader.ours } else { reader.everyones };
    Reading { group, sitemaps: reader.sitemaps }
}

/// Which of the two groups that matter a line speaks to.
#[derive(Debug, Default, Clone, Copy)]
struct Addressee {
    us: bool,
    everyone: bool,
}

#[derive(Default)]
struct Reader {
    agent: String,
    ours: Group,
    everyones: Group,
    /// A line named our agent: the groups of `*` are not for us, and not kept.
    named: bool,
    sitemaps: Vec<String>,
    known_sitemaps: BTreeSet<String>,
    to: Addressee,
    /// Some group has begun.
    has_agents: bool,
    /// The line before was a User-agent line, or nothing that ends their list stood between.
    in_agents: bool,
}

impl Reader {
    fn take(&mut self, line: u32, directive: Directive<'_>) {
        match directive {
            Directive::UserAgent(value) => self.agent_line(value),
            Directive::Rule(kind, value) => self.rule_line(line, kind, value),
            Directive::CrawlDelay(value) => self.delay_line(line, value),
            Directive::Sitemap(value) => self.sitemap_line(value),
            Directive::Usage(value) => self.usage_line(line, value),
        }
    }

    fn agent_line(&mut self, value: &[u8]) {
        self.has_agents = true;
        if !self.in_agents {
            self.to = Addressee::default();
            self.in_agents = true;
        }
        if is_everyone(value) {
            self.to.everyone = true;
        } else if !self.agent.is_empty() && product_token(&String::from_utf8_lossy(value)) == self.agent {
            self.named = true;
            self.everyones = Group::default();
            self.to.us = true;
        }
    }

    fn rule_line(&mut self, line: u32, kind: RuleKind, value: &[u8]) {
        self.in_agents = false;
        if value.is_empty() {
            return;
        }
        let text = text_of(value);
        for group in self.groups() {
            group.rules.extend(index_page_rule(line, kind, &text));
            group.rules.push(Rule { line, kind, text: text.clone() });
        }
    }

    /// Ends the list of agents, as a rule does. RFC 9309 §2.2.4 would let the list go on past it; but a group that
    /// holds a crawl-delay and nothing else is common, its author never means the rules of the next group, and
    /// other parsers end it too. One that cannot be read is no line at all.
    fn delay_line(&mut self, line: u32, value: &[u8]) {
        let Some(ms) = delay_ms(value) else { return };
        self.in_agents = false;
        for group in self.groups() {
            if group.crawl_delay.is_none_or(|known| known.ms < ms) {
                group.crawl_delay = Some(CrawlDelay { ms, line: Some(line) });
            }
        }
    }

    fn sitemap_line(&mut self, value: &[u8]) {
        let url = text_of(value);
        let fits = !url.is_empty() && url.len() <= URL_BYTES && self.sitemaps.len() < ROBOTS_SITEMAPS;
        if fits && self.known_sitemaps.insert(url.clone()) {
            self.sitemaps.push(url);
        }
    }

    /// Does not end the list of agents: to the rules of a crawl such a line is none.
    fn usage_line(&mut self, line: u32, value: &[u8]) {
        let Some(rule) = usage_rule(line, &text_of(value)) else { return };
        if !self.has_agents {
            self.ours.usages.push(rule.clone());
            self.everyones.usages.push(rule);
            return;
        }
        for group in self.groups() {
            group.usages.push(rule.clone());
        }
    }

    fn groups(&mut self) -> impl Iterator<Item = &mut Group> {
        let ours = self.to.us.then_some(&mut self.ours);
        let everyones = (self.to.everyone && !self.named).then_some(&mut self.everyones);
        ours.into_iter().chain(everyones)
    }
}

/// The part of a User-agent value that names a product: `FooBot` of `FooBot/2.1 (+https://…)`, in lower case.
/// RFC 9309 has letters, `_` and `-`; digits and letters of other scripts are found and do no harm.
fn product_token(value: &str) -> String {
    let value = value.trim();
    let end = value.find(|c: char| !c.is_alphanumeric() && !"-_".contains(c)).unwrap_or(value.len());
    value[..end].to_lowercase()
}

fn is_everyone(value: &[u8]) -> bool {
    matches!(value, [b'*'] | [b'*', b' ' | b'\t' | b',' | b'<', ..])
}

/// Google's parser lets `Allow: /dir/index.html` allow `/dir/` too.
fn index_page_rule(line: u32, kind: RuleKind, text: &str) -> Option<Rule> {
    let slash = text.rfind('/').filter(|slash| text[*slash..].starts_with("/index.htm"))?;
    (kind == RuleKind::Allow).then(|| Rule { line, kind, text: format!("{}$", &text[..=slash]) })
}

/// Seconds, perhaps with a fraction behind a point or a comma, perhaps with an exponent; what follows the number is
/// ignored.
fn delay_ms(value: &[u8]) -> Option<u64> {
    let number = std::str::from_utf8(&value[..number_end(value)]).ok()?.replace(',', ".");
    let seconds: f64 = number.parse().ok()?;
    Some((seconds * 1000.0).round() as u64)
}

fn number_end(value: &[u8]) -> usize {
    let digits = |from: usize| value[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let end = value.iter().position(|b| !b.is_ascii_digit() && !b".,".contains(b)).unwrap_or(value.len());
    let exponent = match &value[end..] {
        [b'e' | b'E', b'+' | b'-', ..] => 2,
        [b'e' | b'E', ..] => 1,
        _ => return end,
    };
    match digits(end + exponent) {
        0 => end,
        count => end + exponent + count,
    }
}

fn within_limit(text: &[u8]) -> &[u8] {
    if text.len() <= ROBOTS_BYTES {
        return text;
    }
    let kept = &text[..ROBOTS_BYTES];
    let whole_lines = kept.iter().rposition(|b| matches!(b, b'\n' | b'\r')).unwrap_or(0);
    &kept[..whole_lines]
}
