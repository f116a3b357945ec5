use super::{Settings, Span};
use crawler::Pace;
use serde::{Deserialize, Serialize};

/// Delays by name (`--profile`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Profile {
    /// Four seconds a host, one a server and a domain; twice the time for hosts of domains that nobody links to.
    Gentle,
    /// One second a host.
    Default,
    /// One second a host and a server; up to 40 for hosts of domains that nobody links to.
    Broad,
}

impl Profile {
    /// Its numbers.
    pub(crate) fn pace(self) -> Pace {
        match self {
            Self::Gentle => crawler::Profile::Gentle.pace(),
            Self::Default => crawler::Profile::Default.pace(),
            Self::Broad => crawler::Profile::Broad.pace(),
        }
    }
}

impl Settings {
    /// A layer that names a profile says what the profile says, unless it says otherwise itself: so a profile goes over the
    /// delays of the layers below.
    #[must_use]
    pub(crate) fn with_profile(mut self) -> Self {
        let Some(profile) = self.profile else { return self };
        let Pace { host_ms, stranger_factor, group_ms, server_ms } = profile.pace();
        self.delay.get_or_insert(Span(host_ms));
        self.ip_delay.get_or_insert(Span(server_ms));
        self.domain_delay.get_or_insert(Span(group_ms));
        self.stranger_factor.get_or_insert(stranger_factor);
        self
    }
}
