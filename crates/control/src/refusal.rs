use crate::{Setting, Target};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why there is no receipt: a command is not done and has changed nothing, or nobody knows yet whether it is.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The crawl is saving its end.
    #[error("the crawl is ending; say it again when it has")]
    Ending,
    /// Nobody runs it, and whoever was asked only shows it.
    #[error("the crawl does not run: `drumlin ctl` tells it all but `stop`, `drumlin resume` runs it")]
    NotRunning,
    /// No change is named.
    #[error("nothing to change is named")]
    NoChange,
    /// The setting decides what has been made of the state, so it changes between two runs.
    #[error(
        "no command changes {setting}, only the start of a run does: `drumlin crawl --dir DIR --{setting} …`"
    )]
    OnlyAtStart {
        /// Which.
        setting: Setting,
    },
    /// More than there may be.
    #[error("{asked} {what} are too many: {most} are the most")]
    TooMuch {
        /// Of what.
        what: String,
        /// How much was asked.
        asked: u64,
        /// How much may be.
        most: u64,
    },
    /// Less than there must be.
    #[error("{what} must be at least {least}")]
    TooLittle {
        /// Of what.
        what: String,
        /// How much must be.
        least: u64,
    },
    /// A seed is not a URL.
    #[error("`{seed}` is not a URL to begin at: {reason}")]
    BadSeed {
        /// Its text.
        seed: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A crawl that names nobody keeps to one registrable domain.
    #[error(
        "`{seed}` lies in another registrable domain than {home}: say whom its owner can write to, with --contact when the \
         crawl is started"
    )]
    NoContact {
        /// Its text.
        seed: String,
        /// The domain of the crawl.
        home: String,
    },
    /// Nothing excludes exactly this.
    #[error("no command excludes {target}")]
    NotExcluded {
        /// What was to be readmitted.
        target: Target,
    },
    /// It would have to hold on other nodes too, and a command concerns the node that got it.
    #[error("{command} would have to hold on all nodes of the crawl, and concerns only the one that got it")]
    ManyNodes {
        /// The word of the command.
        command: String,
    },
    /// Nobody knows whether it is done: the crawl ended before it could say so.
    #[error("the crawl ended before it could answer: look at its state, and say it again if need be")]
    Unanswered,
    /// The crawl has the command, and does it when it can.
    #[error("the crawl is busy and has not answered yet; it does this when it can: look at `drumlin status`")]
    Busy,
    /// Whoever asks may not, or can't be understood.
    #[error("{reason}")]
    Malformed {
        /// Why.
        reason: String,
    },
}

impl Refusal {
    /// Whether it may be done all the same.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Unanswered | Self::Busy)
    }
}
