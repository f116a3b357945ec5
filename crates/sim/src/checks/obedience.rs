use super::politeness::domain_of;
use crate::log::{Contact, ServerLog};
use crate::operator::Said;
use control::{Changes, Command, Target};
use std::collections::BTreeMap;
use stdx::Timestamp;
use weburl::{Bans, Url};

/// Judges from the server's log whether a crawl did what it was told: from the receipt of a pause to the next word of
/// resuming nobody is contacted, and from the receipt of an exclusion or a takedown to the next word of taking it back nobody it names,
/// crashes or not; and from the receipt of a delay to the next word about it all that are contacted have been left alone for so long.
pub fn obeyed(said: &[Said], log: &ServerLog) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, order) in said.iter().enumerate() {
        let Some(from) = order.acknowledged else { continue };
        let later = &said[index + 1..];
        match &order.command {
            Command::Pause => {
                let until = next(later, |command| *command == Command::Resume);
                wrong.extend(contacts(log, from, until, |_| true).map(|url| format!("paused: {url}")));
            }
            Command::Exclude(target) | Command::Takedown(target) => {
                let until = next(later, |command| *command == Command::Readmit(target.clone()));
                let bans = bans(target);
                let is_excluded = |url: &str| Url::parse(url).is_ok_and(|url| bans.ban_of(&url).is_some());
                wrong.extend(contacts(log, from, until, is_excluded).map(|url| format!("excluded: {url}")));
            }
            Command::Set(changes) => {
                for delay in Delay::ALL {
                    let Some(ms) = delay.of(changes) else { continue };
                    let until =
                        next(later, |said| matches!(said, Command::Set(set) if delay.of(set).is_some()));
                    let early = too_early(log, delay, ms).filter(|at| (from..until).contains(&at.started));
                    wrong.extend(
                        early.map(|at| format!("{delay:?} of {ms} ms: {} at {:?}", at.url, at.started)),
                    );
                }
            }
            _ => {}
        }
    }
    wrong
}

/// A delay that an operator may set.
#[derive(Debug, Clone, Copy)]
enum Delay {
    Host,
    Server,
    Domain,
}

impl Delay {
    const ALL: [Self; 3] = [Self::Host, Self::Server, Self::Domain];

    fn of(self, changes: &Changes) -> Option<u64> {
        match self {
            Self::Host => changes.delay_ms,
            Self::Server => changes.ip_delay_ms,
            Self::Domain => changes.domain_delay_ms,
        }
    }

    /// Whose it is.
    fn subject(self, contact: &Contact) -> String {
        match self {
            Self::Host => contact.host.clone(),
            Self::Server => contact.address.to_string(),
            Self::Domain => domain_of(&contact.host).to_owned(),
        }
    }

    /// From when on it counts; whoever dies in a contact knows nothing of its end.
    fn counts_from(self, contact: &Contact, log: &ServerLog) -> Timestamp {
        match self {
            Self::Host | Self::Server => contact.ended.min(log.runs[contact.run].ended),
            Self::Domain => contact.started,
        }
    }
}

/// Contacts that began less than a delay after the one before.
fn too_early(log: &ServerLog, delay: Delay, ms: u64) -> impl Iterator<Item = &Contact> {
    let mut due = BTreeMap::new();
    log.in_order().filter(move |contact| {
        let next = delay.counts_from(contact, log) + ms;
        due.insert(delay.subject(contact), next).is_some_and(|due| contact.started < due)
    })
}

/// When something like this is said next.
fn next(later: &[Said], is: impl Fn(&Command) -> bool) -> Timestamp {
    later.iter().find(|said| is(&said.command)).map_or(Timestamp::NEVER, |said| said.given)
}

fn bans(target: &Target) -> Bans {
    let mut bans = Bans::default();
    target.ban(&mut bans);
    bans
}

/// URLs that were asked for between two moments.
fn contacts(
    log: &ServerLog,
    from: Timestamp,
    until: Timestamp,
    is: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &str> {
    let between = log.contacts.iter().filter(move |contact| (from..until).contains(&contact.started));
    between.map(|contact| contact.url.as_str()).filter(move |url| is(url))
}
