use crate::Contact;
use crate::limits::DRAW_TO_START_MS;
use control::Target;
use crawler::Subject;
use std::collections::BTreeMap;
use stdx::{Timestamp, WallTime};
use weburl::Bans;

/// What an operator has excluded or taken down, as the journal says it.
#[derive(Debug, Default)]
pub(crate) struct Exclusions {
    /// By the text that `bans` know them under.
    standing: BTreeMap<String, Exclusion>,
    bans: Bans,
}

/// One order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// Its entry of the journal.
    pub entry: u64,
    /// When it was given.
    pub at: Timestamp,
    /// What is not to be contacted.
    pub target: Target,
    /// The word of the command: `exclude` or `takedown`.
    pub word: &'static str,
}

impl Exclusions {
    pub(crate) fn add(&mut self, exclusion: Exclusion) {
        exclusion.target.ban(&mut self.bans);
        self.standing.entry(exclusion.target.to_string()).or_insert(exclusion);
    }

    pub(crate) fn take_back(&mut self, target: &Target) {
        self.standing.remove(&target.to_string());
        self.bans = Bans::default();
        self.standing.values().for_each(|exclusion| exclusion.target.ban(&mut self.bans));
    }

    /// How a contact disobeyed, if it did: what was about to begin when the order was given is none.
    pub(crate) fn offence(&self, contact: &Contact) -> Option<String> {
        let by_host = || self.bans.ban_of_host(contact.url.host());
        let is_robots = matches!(contact.attempt.subject, Subject::Robots { .. });
        let ban = if is_robots { by_host() } else { self.bans.ban_of(&contact.url) };
        let Exclusion { entry, at, target, word } = self.standing.get(&ban?)?;
        let later_ms = contact.started().since_ms(*at + DRAW_TO_START_MS);
        (later_ms > 0).then(|| {
            let at = WallTime::from_unix_ms(at.as_ms()).iso_millis();
            format!("{word} of {target} stood since {at} (entry {entry})")
        })
    }
}
