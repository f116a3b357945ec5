use crate::{Offline, Room, Snapshot, Strain, Waits, WaitsFor};
use serde::Serialize;
use std::fmt;
use stdx::count_of;

#[cfg(test)]
mod tests;

/// What a crawl would have to have more of to go faster, with the numbers that say so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Bottleneck {
    /// Nothing is known yet: the seeds are still to come.
    Begins,
    /// Every URL has its final state.
    NothingLeft,
    /// What is left has used up its retries.
    AllParked {
        /// URLs.
        parked: u64,
    },
    /// The operator's limit on pages is reached.
    Limit {
        /// That limit.
        pages: u64,
    },
    /// Nothing new is begun, because the operator said so.
    Paused,
    /// Nobody can be reached from this machine.
    Offline(Offline),
    /// The bytes or the time that the operator gave it are used up.
    Spent,
    /// Nothing new is begun, for lack of disk space.
    DiskFull,
    /// The disk does not keep up with the network.
    Disk {
        /// Captures that wait for it.
        captures: u64,
        /// Entries of the journal that do.
        entries: u64,
    },
    /// The parsers do not keep up with the network: processor time.
    Parser {
        /// Captures that wait for them.
        unparsed: u64,
    },
    /// Bodies have used up their memory.
    Memory {
        /// Requests under way.
        in_flight: u64,
    },
    /// Name servers answer slowly.
    Dns {
        /// Look-ups under way.
        look_ups: u64,
    },
    /// All slots are taken by requests: bandwidth, slow servers, or `--concurrency`.
    Network {
        /// Requests under way.
        in_flight: u64,
        /// So many may be.
        slots: u64,
    },
    /// Hosts are left alone because their robots.txt could not be had.
    Robots(Waits),
    /// Hosts rest after a 429 or 503, after a Retry-After of any answer, or after refusals.
    Overload(Waits),
    /// Hosts and URLs that failed wait for another attempt.
    Retries(Waits),
    /// One host has all that is left, and is asked at its delay.
    OneHost {
        /// Its URLs.
        urls: u64,
    },
    /// Hosts are asked at their delays, and there are no more hosts that could be asked.
    Politeness {
        /// Hosts with something left.
        hosts: u64,
        /// Their URLs.
        urls: u64,
        /// Other hosts, that are left alone for another reason.
        at_rest: u64,
    },
    /// What is left waits for the budget of its domain.
    Budget {
        /// URLs put off.
        put_off: u64,
    },
    /// What was found is being merged with what is known.
    Merge {
        /// Discoveries.
        undecided: u64,
    },
    /// Nothing that these numbers show.
    Nothing,
}

impl Bottleneck {
    /// Names it. What keeps the crawl from beginning anything comes first, then what it has no slots for, then what its hosts
    /// wait for.
    pub fn of(snapshot: &Snapshot) -> Self {
        let behind = stopped(snapshot).or_else(|| held(snapshot));
        behind.or_else(|| full(snapshot)).unwrap_or_else(|| waiting(snapshot))
    }
}

/// Nothing is to be begun any more, or not now.
fn stopped(snapshot: &Snapshot) -> Option<Bottleneck> {
    let Snapshot { queued, parked, pages, limit, in_flight, strain, .. } = snapshot;
    if let Some(limit) = limit.filter(|limit| pages >= limit) {
        return Some(Bottleneck::Limit { pages: limit });
    }
    if snapshot.paused {
        return Some(Bottleneck::Paused);
    }
    if snapshot.disk_low {
        return Some(Bottleneck::DiskFull);
    }
    if let Some(offline) = &strain.offline {
        return Some(Bottleneck::Offline(offline.clone()));
    }
    let is_over = queued + in_flight + strain.undecided + snapshot.unparsed == 0;
    match parked {
        _ if !is_over => None,
        0 if snapshot.discovered == 0 && snapshot.ending.is_none() => Some(Bottleneck::Begins),
        0 => Some(Bottleneck::NothingLeft),
        parked => Some(Bottleneck::AllParked { parked: *parked }),
    }
}

/// Nothing new is begun until something behind the network has room again.
fn held(snapshot: &Snapshot) -> Option<Bottleneck> {
    let Snapshot { unparsed, in_flight, strain, .. } = snapshot;
    let Strain { entries_uncommitted: entries, captures_uncommitted: captures, .. } = *strain;
    let is_full = |has: u64, most: u64| most > 0 && has >= most;
    if is_full(*unparsed, strain.unparsed_most) {
        return Some(Bottleneck::Parser { unparsed: *unparsed });
    }
    if is_full(entries, strain.entries_uncommitted_most) {
        return Some(Bottleneck::Disk { captures, entries });
    }
    // Bodies in memory are under way, or wait for the disk, or for the parsers.
    (strain.memory == Room::Short).then(|| match *in_flight {
        in_flight if in_flight >= captures.max(*unparsed) => Bottleneck::Memory { in_flight },
        _ if captures > *unparsed => Bottleneck::Disk { captures, entries },
        _ => Bottleneck::Parser { unparsed: *unparsed },
    })
}

/// All slots are taken, by whom most of them are.
fn full(snapshot: &Snapshot) -> Option<Bottleneck> {
    let Snapshot { in_flight, strain, .. } = snapshot;
    let Strain { slots, look_ups, captures_uncommitted: captures, entries_uncommitted: entries, .. } =
        *strain;
    let requests = in_flight.saturating_sub(look_ups);
    if slots == 0 || in_flight + captures < slots {
        return None;
    }
    Some(if captures > requests.max(look_ups) {
        Bottleneck::Disk { captures, entries }
    } else if look_ups > requests {
        Bottleneck::Dns { look_ups }
    } else {
        Bottleneck::Network { in_flight: *in_flight, slots }
    })
}

/// There are free slots, and nobody who may take one: what do most hosts wait for?
fn waiting(snapshot: &Snapshot) -> Bottleneck {
    let Snapshot { in_flight, strain, .. } = snapshot;
    let waits = |what: WaitsFor| strain.waits.get(&what).copied().unwrap_or_default();
    let requests = in_flight.saturating_sub(strain.look_ups);
    let (robots, overload, retries) =
        (waits(WaitsFor::Robots), waits(WaitsFor::Overload), waits(WaitsFor::Retry));
    let at_rest = strain.at_rest();
    let polite = strain.hosts_waiting() - at_rest.hosts + requests + strain.hosts_at_servers;
    let most =
        [robots.hosts, overload.hosts, retries.hosts, strain.look_ups, polite].into_iter().max().unwrap_or(0);
    // A few hosts that nobody can ask hold nothing up while one that is asked has most of what waits.
    let has_most = polite > 0 && at_rest.urls < snapshot.queued_of_others();
    match most {
        0 => idle(snapshot),
        _ if polite == most || has_most && strain.look_ups < most => politeness(snapshot, polite),
        _ if strain.look_ups == most => Bottleneck::Dns { look_ups: strain.look_ups },
        _ if robots.hosts == most => Bottleneck::Robots(robots),
        _ if overload.hosts == most => Bottleneck::Overload(overload),
        _ => Bottleneck::Retries(retries),
    }
}

fn politeness(snapshot: &Snapshot, hosts: u64) -> Bottleneck {
    let Snapshot { queued, strain, .. } = snapshot;
    let others = strain.hosts_waiting() + snapshot.in_flight + strain.hosts_at_servers > hosts;
    let (urls, at_rest) = (snapshot.queued_of_others(), strain.at_rest().hosts);
    match hosts {
        // Of what those hosts have, it is not known yet whether any is new: so it is after a kill.
        _ if *queued == 0 && strain.undecided > 0 => Bottleneck::Merge { undecided: strain.undecided },
        1 if !others => Bottleneck::OneHost { urls },
        hosts => Bottleneck::Politeness { hosts, urls, at_rest },
    }
}

/// No host in memory waits and none is asked.
fn idle(snapshot: &Snapshot) -> Bottleneck {
    let Strain { put_off, undecided, .. } = snapshot.strain;
    match (put_off, undecided) {
        (0, 0) => digesting(snapshot),
        (put_off, undecided) if put_off >= undecided => Bottleneck::Budget { put_off },
        (_, undecided) => Bottleneck::Merge { undecided },
    }
}

/// All that is known has been fetched.
fn digesting(snapshot: &Snapshot) -> Bottleneck {
    let Strain { captures_uncommitted: captures, entries_uncommitted: entries, .. } = snapshot.strain;
    match snapshot.unparsed {
        unparsed if captures > unparsed => Bottleneck::Disk { captures, entries },
        0 => Bottleneck::Nothing,
        unparsed => Bottleneck::Parser { unparsed },
    }
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begins => write!(f, "begins: its seeds are still to come"),
            Self::NothingLeft => write!(f, "nothing left: every URL has its final state"),
            Self::AllParked { parked } => {
                write!(
                    f,
                    "all parked: no retries are left to {}, and nothing else is left",
                    count_of(*parked, "URL")
                )
            }
            Self::Limit { pages } => write!(f, "limit: the {} asked for, no more", count_of(*pages, "page")),
            Self::Paused => {
                write!(f, "paused: an operator said so; nothing new is begun before `drumlin ctl DIR resume`")
            }
            Self::Offline(Offline { because, .. }) => {
                write!(f, "offline: nobody can be reached from this machine: {because}")
            }
            Self::Spent => write!(f, "limit: the bytes or the time that were given are used up"),
            Self::DiskFull => {
                write!(f, "disk full: too little space is free, so nothing new is begun")
            }
            Self::Disk { captures, entries } => {
                let (captures, entries) =
                    (count_of(*captures, "capture"), count_of(*entries, "journal entry"));
                write!(f, "disk: {captures} and {entries} still to be written")
            }
            Self::Parser { unparsed } => {
                write!(f, "parser: {} still to be parsed", count_of(*unparsed, "capture"))
            }
            Self::Memory { in_flight } => {
                write!(f, "memory: its share is used up by the bodies of {}", count_of(*in_flight, "request"))
            }
            Self::Dns { look_ups } => write!(f, "DNS: {} under way", count_of(*look_ups, "look-up")),
            Self::Network { in_flight, slots } => {
                write!(
                    f,
                    "network: {} under way, of {slots} that may be: bandwidth, slow servers or --concurrency",
                    count_of(*in_flight, "request")
                )
            }
            Self::Robots(waits) => write!(f, "robots.txt: {waits}, because theirs could not be had"),
            Self::Overload(waits) => {
                write!(f, "overload: {waits}, after a 429, a 503, a Retry-After or refusals")
            }
            Self::Retries(waits) => write!(f, "retries: {waits}, after failures"),
            Self::OneHost { urls } => {
                write!(
                    f,
                    "politeness: one host has all that is left, {}, and is asked at its delay",
                    count_of(*urls, "URL")
                )
            }
            Self::Politeness { hosts, urls, at_rest } => {
                let others = match at_rest {
                    0 => "there are no others".to_owned(),
                    at_rest => format!("{} left alone for other reasons", count_of(*at_rest, "host")),
                };
                let (hosts, urls) = (count_of(*hosts, "host"), count_of(*urls, "URL"));
                write!(f, "politeness: {hosts} with {urls}, asked at their delays, and {others}")
            }
            Self::Budget { put_off } => {
                write!(f, "budget: {} put off until the domain's budget allows", count_of(*put_off, "URL"))
            }
            Self::Merge { undecided } => {
                write!(f, "merge: {} not merged with what is known yet", count_of(*undecided, "discovery"))
            }
            Self::Nothing => write!(f, "none that can be seen"),
        }
    }
}

impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} left alone", count_of(self.hosts, "host"), count_of(self.urls, "URL"))
    }
}
