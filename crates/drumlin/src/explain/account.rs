use super::answer::Answer;
use super::clocks::{self, Neighbours};
use super::known::Known;
use super::robots::ruling_of;
use control::{Stage, Takedown};
use crawler::{
    Barred, Budget, Deferral, DomainStanding, Explanation, HostStanding, Origin, Pattern, Pending, Place,
    SuspectTemplate, UrlState,
};
use std::fmt;
use stdx::{Timestamp, WallTime, count_of, format_count};
use weburl::Url;

/// What is known of a URL, as lines for people.
pub(crate) struct Account<'a> {
    pub(crate) url: &'a Url,
    pub(crate) known: &'a Known,
    /// What was answered, and where that is, once it is durable.
    pub(crate) answer: Option<Answer>,
    /// Who else is where its host is contacted.
    pub(crate) neighbours: Option<Neighbours>,
}

impl fmt::Display for Account<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.url.as_str())?;
        let explanation = self.known.explanation.as_ref();
        let state = explanation.and_then(|known| known.state.as_ref());
        let is_ruled_out = self.known.out_of_scope.is_some();
        let unknown = || match () {
            () if is_ruled_out => RULED_OUT.to_owned(),
            () if self.known.rereading => NOT_REREAD.to_owned(),
            () => unknown(self.url),
        };
        line(f, "state", state.map_or_else(unknown, state_of))?;
        if let Some(form) = self.requested().filter(|form| *form != self.url.as_str()) {
            line(f, "requested", format!("as {form}, which is the same URL"))?;
        }
        if let Some(answer) = &self.answer {
            line(f, "answer", &answer.said)?;
        }
        if let Some(rule) = &self.known.out_of_scope {
            line(f, "scope", rule)?;
        }
        if let Some(takedown) = &self.known.taken_down {
            line(f, stage_of(takedown), takedown)?;
        }
        explanation.map_or(Ok(()), |explanation| self.explain(f, explanation))
    }
}

/// What the rules keep out is not remembered, and what waited when they changed is forgotten.
const RULED_OUT: &str = "not in the crawl, by the rule below";

/// … and found again in the journal once they let it in.
const NOT_REREAD: &str =
    "not known, or let go by a rule that is gone: the crawl reads once more what it had found, as it goes on";

/// Rules are fetched as they are needed, and are no pages. A host is asked about by its front page, which may be at another port.
fn unknown(url: &Url) -> String {
    let said = match url.path() {
        "/robots.txt" => "no page of the crawl; what it says of pages is below",
        "/" => "never discovered, as a page; what is known of the host is below",
        _ => "never discovered",
    };
    said.to_owned()
}

fn stage_of(takedown: &Takedown) -> &'static str {
    match takedown.stage {
        Stage::Withheld => "withheld",
        Stage::Purged => "purged",
    }
}

impl Account<'_> {
    /// The form of the URL that is or was requested: keys fold some away.
    fn requested(&self) -> Option<&str> {
        match self.known.explanation.as_ref()?.state.as_ref()? {
            UrlState::Pending { pending, .. } => Some(&pending.url),
            _ => self.answer.as_ref()?.url.as_deref(),
        }
    }

    fn explain(&self, f: &mut fmt::Formatter<'_>, known: &Explanation) -> fmt::Result {
        if let Some(deferral) = known.deferral {
            line(f, "put off", deferral_of(deferral))?;
        }
        if let Some(suspicion) = known.suspicion {
            line(f, "suspicion", suspicion)?;
        }
        line(f, "pattern", pattern_of(&known.pattern))?;
        if let Some(host) = &known.host {
            line(f, "host", host_of(host))?;
            clocks::write(f, host, self.known, self.neighbours)?;
            for record in &host.robots {
                line(f, "robots.txt", ruling_of(record, self.url, &host.robots))?;
            }
            for suspect in &host.suspects {
                line(f, "held back", suspect_of(suspect))?;
            }
        }
        known.domain.as_ref().map_or(Ok(()), |domain| line(f, "domain", domain_of(domain)))
    }
}

pub(super) fn line(f: &mut fmt::Formatter<'_>, name: &str, what: impl fmt::Display) -> fmt::Result {
    writeln!(f, "  {name:<10} {what}")
}

fn state_of(state: &UrlState) -> String {
    match state {
        UrlState::Discovered { .. } => "discovered; whether it is new is not decided yet".to_owned(),
        UrlState::Pending { pending, place } => format!("{}; {}", pending_of(pending), place_of(*place)),
        UrlState::Fetched { depth, capture, .. } => {
            let links = count_of(u64::from(*depth), "link");
            format!("fetched: entry {} (its number in crawl.log), {links} from a seed", capture.0)
        }
        UrlState::Excluded { rule, .. } => format!("excluded: {rule}"),
        UrlState::Parked { reason, .. } => format!("parked: {reason}"),
    }
}

fn pending_of(pending: &Pending) -> String {
    let found = match &pending.origin {
        Origin::Seed => "a seed".to_owned(),
        Origin::Document(url) | Origin::Voted(url) => format!("found on {url}"),
        Origin::Robots(url) | Origin::Sitemap(url) => format!("named by {url}"),
    };
    let tried = match pending.attempts {
        0 => String::new(),
        attempts => {
            let failed = count_of(u64::from(attempts), "failed attempt");
            format!(", {failed}, the next not before {}", moment(pending.due))
        }
    };
    let links = count_of(u64::from(pending.depth), "link");
    format!("waits, {links} from a seed, {found}{tried}")
}

fn place_of(place: Place) -> &'static str {
    match place {
        Place::InFlight => "under way",
        Place::AtHand => "among the next few of its host",
        Place::Retry => "with its host's retries",
        Place::Queued => "in its host's queue, in memory",
        Place::Section => "in its host's queue, on disk",
        Place::Directory => "with its host, on disk",
        Place::Deferred(_) => "put off",
        Place::PutBack => "among the parked still, from where a retry is about to put it back",
    }
}

fn deferral_of(deferral: Deferral) -> String {
    match deferral {
        Deferral::After(0) => "in the queue that is being read".to_owned(),
        Deferral::After(queues) => format!("in the queue that is read after {}", count_of(queues, "other")),
        Deferral::Last => "in the last queue, which is read over many turns".to_owned(),
    }
}

fn pattern_of(pattern: &Pattern) -> String {
    let Pattern { form, is_counted, is_at_most, fetches, fresh, barren } = pattern;
    if !is_counted {
        return format!("{form}: rare; its host has so many patterns that rare ones are counted together");
    }
    if *fetches == 0 {
        return format!("{form}: none fetched yet");
    }
    let at_most = if *is_at_most { "at most " } else { "" };
    format!(
        "{form}: {at_most}{fetches} fetched, {fresh} of them with something new; barren {barren}: one more for each with nothing new, half for each with something"
    )
}

fn suspect_of(suspect: &SuspectTemplate) -> String {
    let SuspectTemplate { form, rule, fetches, fresh, held_back, .. } = suspect;
    format!(
        "{} like {form}, by the rule {rule}: {fetches} fetched, {fresh} of them with something new",
        count_of(*held_back, "URL")
    )
}

fn host_of(host: &HostStanding) -> String {
    let (waiting, put_off) = (count_of(host.pending, "URL"), format_count(host.deferred));
    let waits = format!("{}: {waiting} waiting, {put_off} more put off", host.name);
    match &host.barred {
        Some(Barred::Excluded(rule)) => format!("{waits}; excluded: {rule}"),
        Some(Barred::Parked(reason)) => format!("{waits}; parked: {reason}"),
        None => waits,
    }
}

fn domain_of(domain: &DomainStanding) -> String {
    let budget = match domain.budget {
        Budget::Pages(pages) => format!("{} a round", count_of(u64::from(pages), "page")),
        Budget::Unlimited => "no budget".to_owned(),
    };
    format!(
        "{}: votes of {}, {budget}, {} put off, {}",
        domain.name,
        count_of(u64::from(domain.in_degree), "other domain"),
        count_of(domain.deferred, "URL"),
        count_of(domain.hosts, "host")
    )
}

pub(super) fn moment(at: Timestamp) -> String {
    WallTime::from_unix_ms(at.as_ms()).to_string()
}
