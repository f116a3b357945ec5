use super::NotAScenario;
use std::fmt;
use std::str::FromStr;

/// What goes wrong in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faults {
    /// Nothing.
    Nothing,
    /// Connections and names fail by chance, servers storm and falter.
    Network,
    /// The crawl dies at any moment and at any call to its disk.
    Deaths,
    /// All of it.
    Everything,
}

impl Faults {
    pub(super) fn disturb(self) -> bool {
        matches!(self, Self::Network | Self::Everything)
    }

    pub(super) fn kill(self) -> bool {
        matches!(self, Self::Deaths | Self::Everything)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Network => "network",
            Self::Deaths => "deaths",
            Self::Everything => "everything",
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Faults {
    type Err = NotAScenario;
    fn from_str(word: &str) -> Result<Self, NotAScenario> {
        let all = [Self::Nothing, Self::Network, Self::Deaths, Self::Everything];
        all.into_iter().find(|faults| faults.name() == word).ok_or_else(|| NotAScenario(word.to_owned()))
    }
}
