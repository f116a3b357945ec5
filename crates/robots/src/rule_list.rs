use crate::pattern::Pattern;
use crate::rules::{Rule, RuleKind};
use std::cmp::Reverse;

/// The rules of one file, most specific first, then allow before disallow, then in the file's order: the first that
/// matches decides. They lie one behind the other, since a file may have tens of thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RuleList {
    places: Box<[Place]>,
    /// As written.
    texts: Box<str>,
    /// Compiled, where that differs from what is written.
    patterns: Box<[u8]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    line: u32,
    kind: RuleKind,
    text_bytes: usize,
    /// 0 where the text is the pattern.
    pattern_bytes: usize,
}

/// One rule of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedRule<'a> {
    pub(crate) line: u32,
    pub(crate) kind: RuleKind,
    /// As written.
    pub(crate) text: &'a str,
    /// Compiled.
    pub(crate) pattern: &'a [u8],
}

impl RuleList {
    /// Of rules that are equal but for their lines, the first alone.
    pub(crate) fn new(mut rules: Vec<Rule>) -> Self {
        rules.sort_unstable_by(|one, other| key(one).cmp(&key(other)).then(one.line.cmp(&other.line)));
        rules.dedup_by(|later, rule| key(later) == key(rule));
        Self::of_different(rules)
    }

    /// Of rules none of which are equal but for their lines: those of a list, in whatever order.
    pub(crate) fn of_different(mut rules: Vec<Rule>) -> Self {
        rules.sort_by_cached_key(|rule| (Reverse(Pattern::new(&rule.text).octets()), rule.kind, rule.line));
        let (mut texts, mut patterns) = (String::new(), Vec::new());
        let place = |rule: Rule| {
            let compiled = Pattern::new(&rule.text);
            let pattern = if compiled.text() == rule.text.as_bytes() { &[] } else { compiled.text() };
            texts.push_str(&rule.text);
            patterns.extend_from_slice(pattern);
            let (text_bytes, pattern_bytes) = (rule.text.len(), pattern.len());
            Place { line: rule.line, kind: rule.kind, text_bytes, pattern_bytes }
        };
        let places = rules.into_iter().map(place).collect();
        Self { places, texts: texts.into(), patterns: patterns.into() }
    }

    /// In the order in which they are tried.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ListedRule<'_>> {
        let (mut texts, mut patterns) = (&*self.texts, &*self.patterns);
        self.places.iter().map(move |place| {
            let (text, later_texts) = texts.split_at(place.text_bytes);
            let (pattern, later_patterns) = patterns.split_at(place.pattern_bytes);
            (texts, patterns) = (later_texts, later_patterns);
            let pattern = if pattern.is_empty() { text.as_bytes() } else { pattern };
            ListedRule { line: place.line, kind: place.kind, text, pattern }
        })
    }

    /// What it takes of memory beside itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.places) + self.texts.len() + self.patterns.len()
    }
}

impl ListedRule<'_> {
    pub(crate) fn to_rule(self) -> Rule {
        Rule { line: self.line, text: self.text.to_owned(), kind: self.kind }
    }
}

/// What equal rules have in common.
fn key(rule: &Rule) -> (RuleKind, &str) {
    (rule.kind, &rule.text)
}
