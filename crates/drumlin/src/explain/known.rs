use archive::Location;
use control::Takedown;
use crawler::{
    Crawler, Explanation, FrontierError, GroupStanding, Place, ServerStanding, UrlState, archived_at,
};
use snapshot::Offline;
use stdx::Timestamp;
use weburl::Url;

/// What a crawl knows of a URL and its host at one moment, by the functions that decide about them.
pub(crate) struct Known {
    /// The rule that keeps the URL out, if it would be found now.
    pub(super) out_of_scope: Option<String>,
    /// What keeps it from leaving the crawl.
    pub(super) taken_down: Option<Takedown>,
    /// `None` if nothing was ever known of its domain.
    pub(super) explanation: Option<Explanation>,
    pub(super) server: Option<ServerStanding>,
    pub(super) group: Option<GroupStanding>,
    pub(super) paused: bool,
    /// Whether what wider rules let in again is still to be found.
    pub(super) rereading: bool,
    pub(super) offline: Option<Offline>,
    pub(super) now: Timestamp,
}

impl Known {
    /// Asks the crawl.
    pub(crate) fn of(crawler: &Crawler, url: &Url, now: Timestamp) -> Result<Self, FrontierError> {
        let explanation = crawler.look_up(url)?;
        let address = explanation.as_ref().and_then(|known| known.host.as_ref()?.address);
        Ok(Self {
            out_of_scope: crawler.ruling(url).map(|ruling| ruling.to_string()),
            taken_down: crawler.takedown_of(url),
            server: address.map(|address| crawler.server_standing(address)),
            group: crawler.group_standing(url.host()),
            explanation,
            paused: crawler.is_paused(),
            rereading: crawler.wants_rereading(),
            offline: crawler.offline(now),
            now,
        })
    }

    /// Where its host is contacted, if it ever was.
    pub(crate) fn server(&self) -> Option<&ServerStanding> {
        self.server.as_ref()
    }

    fn state(&self) -> Option<&UrlState> {
        self.explanation.as_ref()?.state.as_ref()
    }

    /// Whether it is not known yet that it is new.
    pub(super) fn is_undecided(&self) -> bool {
        matches!(self.state(), Some(UrlState::Discovered { .. }))
    }

    /// Whether it was parked, and a retry has not come to it yet.
    pub(super) fn is_put_back(&self) -> bool {
        matches!(self.state(), Some(UrlState::Pending { place: Place::PutBack, .. }))
    }

    /// Where its answer is, if it has a final one that may be shown.
    pub(crate) fn place(&self) -> Option<Location> {
        let state = self.state()?;
        if self.taken_down.is_some() { None } else { archived_at(state) }
    }
}
