use crate::bounded::{Bounded, bounded};
use crate::compiled::{Compiled, OfPaths};
use crate::limits::{TDMREP_BYTES, USAGE_RULES};
use crate::pattern::NormalPath;
use crate::preferences::{Preferences, Use};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a `/.well-known/tdmrep.json` says (TDM Reservation Protocol, final report of the W3C Community Group, 10 May 2024, "TDM File
/// on the Origin Server").
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reservations {
    rules: Vec<Compiled<Reservation>>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// Which paths it is about: a pattern as in robots.txt.
    pub location: String,
    /// Whether mining is reserved, or said to be free.
    pub preferences: Preferences,
    /// Where the terms of a licence are, as written.
    pub policy: Option<String>,
}

impl Reservations {
    /// Where the file lies on a host.
    pub const PATH: &'static str = "/.well-known/tdmrep.json";

    /// Reads a file: a list of rules, or one alone. What is no rule is passed over; of what is no JSON nothing is read.
    /// Of a list that breaks off, or is cut because it is long, nobody knows what else it says, and so it reserves all.
    pub fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let read = &bytes[..bytes.len().min(TDMREP_BYTES)];
        let rules = match serde_json::from_str(&String::from_utf8_lossy(read)) {
            Ok(Value::Array(rules)) => rules.iter().filter_map(Reservation::of).collect(),
            Ok(rule @ Value::Object(_)) => Reservation::of(&rule).into_iter().collect(),
            Err(error) if error.is_eof() && is_begun(read) => vec![Reservation::of_all()],
            _ => Vec::new(),
        };
        Self { rules: bounded(rules, USAGE_RULES).into_iter().map(Compiled::from).collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// What is said of a path with its query.
    pub fn preferences(&self, path_and_query: &str) -> Preferences {
        self.rule(path_and_query).map_or(Preferences::NONE, |rule| rule.preferences)
    }

    /// The rule that speaks of a path: the first that matches. The report calls that the most specific one, and asks of its authors to put
    /// them in that order.
    pub fn rule(&self, path_and_query: &str) -> Option<&Reservation> {
        let path = NormalPath::new(path_and_query);
        self.rules.iter().find(|compiled| compiled.pattern.matches(&path)).map(|found| &found.rule)
    }
}

impl OfPaths for Reservation {
    fn pattern(&self) -> &str {
        &self.location
    }
}

impl Bounded for Reservation {
    fn bytes(&self) -> usize {
        self.location.len() + self.policy.as_ref().map_or(0, String::len)
    }

    fn folded(rules: &[Self]) -> Option<Self> {
        rules.iter().any(|rule| rule.preferences.refuses(Use::Mining)).then(Self::of_all)
    }
}

impl Reservation {
    /// That all is reserved.
    fn of_all() -> Self {
        Self { location: "/".to_owned(), preferences: Preferences::refusing(&[Use::Mining]), policy: None }
    }

    fn of(rule: &Value) -> Option<Self> {
        let reserved = match &rule["tdm-reservation"] {
            Value::Number(number) => number.to_string().trim_end_matches(".0").to_owned(),
            Value::String(text) => text.clone(),
            Value::Bool(is_reserved) => u8::from(*is_reserved).to_string(),
            _ => return None,
        };
        let preferences = Preferences::of_tdm_reservation(&reserved);
        let location = rule["location"].as_str().map_or("/", str::trim);
        let policy = rule["tdm-policy"].as_str().map(|policy| policy.trim().to_owned());
        let is_rule = !preferences.is_none() && location.starts_with(['/', '*']);
        is_rule.then(|| Self { location: location.to_owned(), preferences, policy })
    }
}

/// Whether this is the beginning of rules.
fn is_begun(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start(), [b'[' | b'{', ..])
}
