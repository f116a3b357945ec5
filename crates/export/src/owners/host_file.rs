use super::notice::body;
use crate::captures::{Capture, Purpose};
use robots::{AiTxt, Preferences, Reservations, UsageRules, Use};
use serde::{Deserialize, Serialize};

/// A file in which a host speaks of all its pages.
#[derive(Serialize, Deserialize)]
pub(super) enum HostFile {
    Robots(UsageRules),
    Reservations(Reservations),
    AiTxt(AiTxt),
    /// One that says nobody knows what, for what it stands for is gone.
    Dangling,
}

/// How the file is called where it says something.
pub(super) const ROBOTS_TXT: &str = "robots.txt";

impl HostFile {
    /// If the capture is one that says something to `agent`. Crawled as a page it counts as well.
    pub(super) fn of(capture: &Capture, agent: &str) -> Option<Self> {
        if capture.dangling.is_some() {
            return Self::is_one(capture).then_some(Self::Dangling);
        }
        match (capture.purpose, capture.url.request_target()) {
            (Purpose::Robots, _) => {
                let rules = UsageRules::parse(&body(capture), agent);
                (!rules.is_empty()).then_some(Self::Robots(rules))
            }
            (_, Reservations::PATH) => {
                let rules = Reservations::parse(&body(capture));
                (!rules.is_empty()).then_some(Self::Reservations(rules))
            }
            (_, AiTxt::PATH) => {
                let rules = AiTxt::parse(&body(capture), agent);
                (!rules.is_empty()).then_some(Self::AiTxt(rules))
            }
            _ => None,
        }
    }

    fn is_one(capture: &Capture) -> bool {
        capture.purpose == Purpose::Robots
            || [Reservations::PATH, AiTxt::PATH].contains(&capture.url.request_target())
    }

    pub(super) fn place(&self) -> &'static str {
        match self {
            Self::Robots(_) => ROBOTS_TXT,
            Self::Reservations(_) => "tdmrep.json",
            Self::AiTxt(_) => "ai.txt",
            Self::Dangling => "a file of the host that is gone",
        }
    }

    /// What it says of a path with its query; of what is gone nobody knows, and so it refuses all.
    pub(super) fn preferences(&self, path: &str) -> Preferences {
        match self {
            Self::Robots(rules) => rules.preferences(path),
            Self::Reservations(rules) => rules.preferences(path),
            Self::AiTxt(rules) => rules.preferences(path),
            Self::Dangling => Preferences::refusing(&Use::ALL),
        }
    }
}
