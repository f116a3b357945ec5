use crate::pattern::Pattern;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A rule that is about some paths.
pub(crate) trait OfPaths {
    /// Which, as written.
    fn pattern(&self) -> &str;
}

/// A rule and its pattern, ready to match. Stored as the rule alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compiled<T> {
    pub(crate) rule: T,
    pub(crate) pattern: Pattern,
}

impl<T: OfPaths> From<T> for Compiled<T> {
    fn from(rule: T) -> Self {
        Self { pattern: Pattern::new(rule.pattern()), rule }
    }
}

impl<T: Serialize> Serialize for Compiled<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rule.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + OfPaths> Deserialize<'de> for Compiled<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}
