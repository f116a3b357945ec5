use serde::{Deserialize, Serialize};
use std::fmt;
use stdx::count_of;

/// A command is done, and durable: a restart and a kill change nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its entry of the journal.
    pub entry: u64,
    /// What it did.
    pub effect: Effect,
}

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// What was asked.
    Done,
    /// Nothing: it was so already.
    AlreadySo,
    /// Seeds have been taken in.
    Seeded {
        /// So many, known before or not.
        taken: u64,
        /// So many are out by an exclusion, and were not.
        excluded: u64,
    },
    /// Parked URLs are being put back, and those of hosts whose addresses were refused.
    Retrying {
        /// So many are parked in all; those that were selected wait again from the next job of their shard on.
        parked: u64,
        /// So many are of hosts whose addresses were refused; they are asked for again, by the ranges of the run.
        #[serde(default)]
        refused: u64,
    },
    /// It holds from now on; what was found and left aside before is found again from the archive.
    Rereading,
    /// Nothing more is contacted and nothing leaves the crawl; `drumlin purge` takes it out of the files when the crawl does
    /// not run.
    Withheld,
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (entry {} of the journal)", self.effect, self.entry)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::AlreadySo => f.write_str("it was so already"),
            Self::Seeded { taken, excluded: 0 } => write!(f, "{} taken in", count_of(*taken, "seed")),
            Self::Seeded { taken, excluded } => {
                write!(f, "{} taken in; {excluded} excluded, and not taken in", count_of(*taken, "seed"))
            }
            Self::Retrying { parked, refused: 0 } => {
                write!(f, "those that were selected of {} are being put back", count_of(*parked, "parked URL"))
            }
            Self::Retrying { parked, refused } => write!(
                f,
                "those that were selected of {}, and of {refused} whose host's addresses were refused, are being put back",
                count_of(*parked, "parked URL")
            ),
            Self::Rereading => {
                f.write_str("done; what was left aside is found again from the archive, as far as that is there")
            }
            Self::Withheld => f.write_str(
                "excluded, and withheld from every export; `drumlin purge` takes it out of the files once the crawl has stopped",
            ),
        }
    }
}
