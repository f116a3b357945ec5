use crate::{Changes, Target};
use serde::{Deserialize, Serialize};

/// What is to be done. In JSON a word, or an object with one key: `"pause"`, `{"exclude": {"host": "example.com"}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Begin nothing new until [`Command::Resume`], over restarts too. What is under way ends, checkpoints go on.
    Pause,
    /// Go on.
    Resume,
    /// Finish what is under way, save, and leave. The next run goes on.
    Stop,
    /// Contact these no more. What waits of them is let go, links to them are not taken in.
    Exclude(Target),
    /// Take back an exclusion, or a takedown: what it withheld and has not been purged leaves the crawl again.
    Readmit(Target),
    /// Exclude these, and withhold what there is of them from everything that leaves the crawl.
    Takedown(Target),
    /// Change settings.
    Set(Changes),
    /// Begin here too.
    Seeds(Vec<String>),
    /// Give URLs that used up their attempts as many again.
    Retry(Selection),
}

/// Which URLs of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// All.
    All,
    /// These.
    Target(Target),
}

impl Command {
    /// The word for it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Stop => "stop",
            Self::Exclude(_) => "exclude",
            Self::Readmit(_) => "readmit",
            Self::Takedown(_) => "takedown",
            Self::Set(_) => "set",
            Self::Seeds(_) => "seeds",
            Self::Retry(_) => "retry",
        }
    }
}
