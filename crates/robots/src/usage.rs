use crate::bounded::{Bounded, bounded};
use crate::compiled::{Compiled, OfPaths};
use crate::group::read;
use crate::limits::USAGE_RULES;
use crate::pattern::NormalPath;
use crate::preferences::{Preferences, Use};
use serde::{Deserialize, Serialize};

/// The `Content-Usage` and `Content-Signal` lines of one robots.txt that concern one agent (draft-ietf-aipref-attach §4).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UsageRules {
    rules: Vec<Compiled<UsageRule>>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRule {
    /// Its line in the file, from 1.
    pub line: u32,
    /// Which paths it is about.
    pub path: String,
    /// What it says.
    pub preferences: Preferences,
}

impl UsageRules {
    /// Reads a robots.txt for `agent`, as [`Robots::parse`](crate::Robots::parse) does; a line in front of all groups is
    /// everybody's.
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        Self::new(read(bytes, agent).group.usages)
    }

    pub(crate) fn new(usages: Vec<UsageRule>) -> Self {
        Self { rules: bounded(usages, USAGE_RULES).into_iter().map(Compiled::from).collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What is said of a path with its query: of each use by the longest pattern that says anything of it; of equally long ones the
    /// stricter counts.
    pub fn preferences(&self, path_and_query: &str) -> Preferences {
        let path = NormalPath::new(path_and_query);
        let mut matching: Vec<(usize, Preferences)> = Vec::new();
        for Compiled { rule, pattern } in &self.rules {
            if pattern.matches(&path) {
                matching.push((pattern.octets(), rule.preferences));
            }
        }
        Use::ALL.into_iter().fold(Preferences::NONE, |all, of| {
            let saying = matching.iter().filter(|(_, said)| said.of(of).is_some());
            let longest = saying.clone().map(|(octets, _)| *octets).max();
            let of_those = saying.filter(|(octets, _)| Some(*octets) == longest);
            of_those.fold(all, |all, (_, said)| all.with(said.only(of)))
        })
    }

    /// What it takes of memory, all in all; little, see [`USAGE_BYTES`](crate::limits::USAGE_BYTES).
    pub fn bytes(&self) -> usize {
        let heap =
            |compiled: &Compiled<UsageRule>| compiled.rule.path.capacity() + compiled.pattern.text().len();
        let texts: usize = self.rules.iter().map(heap).sum();
        size_of::<Self>() + self.rules.capacity() * size_of::<Compiled<UsageRule>>() + texts
    }
}

impl OfPaths for UsageRule {
    fn pattern(&self) -> &str {
        &self.path
    }
}

impl Bounded for UsageRule {
    fn bytes(&self) -> usize {
        self.path.len()
    }

    fn folded(rules: &[Self]) -> Option<Self> {
        let preferences = Preferences::refused_by(rules.iter().map(|rule| rule.preferences));
        let first = rules.iter().find(|rule| Use::ALL.into_iter().any(|of| rule.preferences.refuses(of)))?;
        Some(Self { line: first.line, path: "/".to_owned(), preferences })
    }
}

/// A line's value: a path may stand in front.
pub(crate) fn usage_rule(line: u32, value: &str) -> Option<UsageRule> {
    let value = value.trim();
    let starts_with_path = value.starts_with(['/', '*']);
    let (path, said) = match value.split_once([' ', '\t']) {
        Some((path, said)) if starts_with_path => (path, said),
        _ if starts_with_path => return None,
        _ => ("/", value),
    };
    let preferences = Preferences::of_usage(said);
    (!preferences.is_none()).then(|| UsageRule { line, path: path.to_owned(), preferences })
}
