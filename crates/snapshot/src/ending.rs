use crate::Snapshot;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use stdx::count_of;

/// What a run that begins nothing new is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// What is under way ends, is archived and parsed.
    Finishing,
    /// The corpus is closed, and then the checkpoint, the archive and its index.
    Saving,
}

impl Snapshot {
    /// What the end still waits for, for people; nothing for a run that goes on.
    pub fn at_its_end(&self) -> Option<String> {
        let ending = self.ending?;
        let waits = match ending {
            Ending::Finishing => self.unfinished(),
            Ending::Saving => Vec::new(),
        };
        Some(if waits.is_empty() { ending.to_string() } else { format!("{ending}: {}", waits.join(", ")) })
    }

    fn unfinished(&self) -> Vec<String> {
        let counts = [
            (self.in_flight, "request", ""),
            (self.strain.captures_uncommitted, "capture", " to write"),
            (self.unparsed, "capture", " to parse"),
            (self.strain.merges, "merge", ""),
        ];
        let some = counts.into_iter().filter(|(count, ..)| *count > 0);
        some.map(|(count, of, todo)| format!("{}{todo}", count_of(count, of))).collect()
    }
}

impl Display for Ending {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finishing => "finishing",
            Self::Saving => "saving",
        })
    }
}
