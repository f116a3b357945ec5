//! When a host may be contacted next, why not before, and where.

use super::account::{line, moment};
use super::known::Known;
use crawler::{ClockOf, DelayRule, Doing, GroupStanding, HostStanding, ServerStanding, WaitingFor};
use snapshot::Offline;
use std::fmt;
use stdx::{Timestamp, count_of, format_duration_ms};

/// Hosts that share a server, among those that were looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Neighbours {
    /// Last contacted there, with the host that was asked about.
    pub(crate) there: u64,
    /// Looked through.
    pub(crate) of: u64,
}

/// The lines about it.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    host: &HostStanding,
    known: &Known,
    neighbours: Option<Neighbours>,
) -> fmt::Result {
    let contacted = format!(
        "{}, its last answer took {}, {} in a row",
        count_of(host.contacts, "time"),
        format_duration_ms(host.last_response_ms),
        count_of(u64::from(host.failures), "failure")
    );
    line(f, "contacted", contacted)?;
    if host.soft_404s > 0 {
        let said = "pages, answered with 200, said what it says of pages that are not there";
        line(f, "soft 404s", format!("{} {said}", host.soft_404s))?;
    }
    let delay = format_duration_ms(host.delay.ms);
    line(f, "delay", format!("{delay} from the end of a contact to the next: {}", delay_by(host)))?;
    line(f, "next", next_of(host, known))?;
    if let Some(group) = &known.group {
        line(f, "group", group_of(group, known.now))?;
    }
    match &known.server {
        Some(server) => line(f, "server", server_of(server, known.now, neighbours)),
        None => Ok(()),
    }
}

fn delay_by(host: &HostStanding) -> String {
    match host.delay.by {
        DelayRule::Asked => "as configured".to_owned(),
        DelayRule::Floor => "the least that a host on the public internet is given".to_owned(),
        DelayRule::Budget => "by the budget of its domain: few others link to it".to_owned(),
        DelayRule::Response => "ten times what its last answer took, 30 s at most".to_owned(),
        DelayRule::Overload => "longer since it said 429 or 503, less so with each other answer".to_owned(),
        DelayRule::CrawlDelay => crawl_delay_of(host),
    }
}

fn crawl_delay_of(host: &HostStanding) -> String {
    let longest = host.robots.iter().max_by_key(|record| record.crawl_delay_ms());
    let said = longest.and_then(|record| Some((&record.authority, record.crawl_delay()?.line)));
    match said {
        Some((authority, Some(line))) => format!("the crawl-delay in line {line} of {authority}/robots.txt"),
        Some((authority, None)) => format!("the crawl-delay of {authority}/robots.txt"),
        None => "a crawl-delay".to_owned(),
    }
}

/// One of the clocks a contact waits for.
struct Waits {
    whose: &'static str,
    until: Timestamp,
}

fn next_of(host: &HostStanding, known: &Known) -> String {
    let awaited = match host.doing {
        _ if host.barred.is_some() => "never, as things stand: it is excluded or parked".to_owned(),
        Doing::Contact => "now: it has its turn".to_owned(),
        Doing::Nothing if host.awaiting_robots => {
            "when its robots.txt is here, which another host has".to_owned()
        }
        Doing::Nothing if host.deferred > 0 => "when some of what is put off has its turn".to_owned(),
        Doing::Nothing if known.is_undecided() => "when it is decided whether the URL is new".to_owned(),
        Doing::Nothing if known.is_put_back() => "when the retry has put the URL back".to_owned(),
        Doing::Nothing => "never, as things stand: nothing of it waits".to_owned(),
        Doing::Wait | Doing::Sleep => by_clocks(host, known),
    };
    match &known.offline {
        _ if known.paused => format!("when the crawl goes on, which is paused; {awaited}"),
        Some(Offline { because, .. }) => {
            format!("when somebody can be reached from this machine again ({because}); {awaited}")
        }
        None => awaited,
    }
}

fn by_clocks(host: &HostStanding, known: &Known) -> String {
    let mut clocks: Vec<Waits> =
        host.clocks.iter().map(|clock| Waits { whose: whose(clock.of), until: clock.until }).collect();
    let server = known.server.filter(|server| server.elsewhere.is_none());
    let group = known.group.as_ref();
    clocks.extend(group.map(|group| Waits { whose: "the interval of its group", until: group.until }));
    clocks.extend(server.map(|server| Waits { whose: "the delay of its server", until: server.until }));
    let Some(last) = clocks.iter().max_by_key(|clock| clock.until) else { return "at any moment".to_owned() };
    if last.until <= known.now {
        let room = if host.doing == Doing::Sleep { "room in memory" } else { "a free slot" };
        return format!("at any moment: every clock allows it, it waits for {room}");
    }
    let others = clocks.iter().filter(|clock| clock.until > known.now && clock.whose != last.whose);
    let others: Vec<String> =
        others.map(|clock| format!("; {}: {}", clock.whose, moment(clock.until))).collect();
    format!("not before {}: {}{}", moment(last.until), last.whose, others.concat())
}

fn whose(clock: ClockOf) -> &'static str {
    match clock {
        ClockOf::Host(waiting) => reason_of(waiting),
        ClockOf::Retry => "the next attempt at a URL that failed, unless something else of it is found",
        ClockOf::Domain => "the rate of its domain",
        ClockOf::Kept => "its domain's turn is kept for a host of it that has more to do",
    }
}

/// What a host waits for, in words.
pub(crate) fn reason_of(waiting: WaitingFor) -> &'static str {
    match waiting {
        WaitingFor::Delay => "its delay",
        WaitingFor::Overload => "its rest after a 429 or 503",
        WaitingFor::RetryAfter => "its Retry-After",
        WaitingFor::Refusal => "its rest after it turned us away",
        WaitingFor::Retry => "its rest after a failure",
        WaitingFor::Robots => "its robots.txt could not be had",
        WaitingFor::Restart => "the delay after an unclean stop or a change of delays",
        WaitingFor::Server => "its place in the line for its server or group, where others come first",
        WaitingFor::Sitemaps => "its rest after a sitemap, since it has far more of them than of pages",
    }
}

fn group_of(group: &GroupStanding, now: Timestamp) -> String {
    let stands =
        if group.until > now { format!("not before {}", moment(group.until)) } else { "free".to_owned() };
    let interval = format_duration_ms(group.interval_ms);
    format!("{}: {interval} from one request to the next, {stands}, {} in its queue", group.name, group.queue)
}

fn server_of(server: &ServerStanding, now: Timestamp, neighbours: Option<Neighbours>) -> String {
    let stands = match server {
        ServerStanding { elsewhere: Some(node), .. } => format!("its clock is node {}'s", node.0),
        ServerStanding { held: true, .. } => "being contacted".to_owned(),
        ServerStanding { until, .. } if *until > now => format!("not before {}", moment(*until)),
        ServerStanding { kept_until: Some(until), .. } if *until > now => {
            format!("kept until {} for the host there with the most to do", moment(*until))
        }
        _ => "free".to_owned(),
    };
    let shared = neighbours.map_or_else(String::new, |Neighbours { there, of }| {
        format!(
            "; last contacted there, of {} looked through: {}",
            count_of(of, "host"),
            count_of(there.saturating_sub(1), "other")
        )
    });
    format!(
        "{}: {} between two contacts, {stands}, {} in its queue{shared}",
        server.ip,
        format_duration_ms(server.delay_ms),
        server.queue
    )
}
