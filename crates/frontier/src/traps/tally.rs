use super::limits::{FORM_BYTES, SUSPECT_TEMPLATES};
use super::{Pattern, Template, TrapRule};
use serde::{Deserialize, Serialize};

/// How many URLs each rule has held back, and the patterns of the most of them; of one shard, in bounded memory. A URL is
/// counted once, when it is found; it is not dropped, so what is counted here may have been fetched since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TrapTally {
    /// By [`TrapRule::ALL`].
    held_back: [u64; TrapRule::ALL.len()],
    suspects: Vec<SuspectTemplate>,
}

/// A pattern of URLs of one host, some of which were held back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuspectTemplate {
    /// The host.
    pub host: String,
    /// `/calendar/<number>/<number>?view`
    pub form: String,
    /// The rule that held the last of them back.
    pub rule: TrapRule,
    /// Fetches of such URLs.
    pub fetches: u32,
    /// Of them those that gave something new.
    pub fresh: u32,
    /// URLs held back since it is counted here.
    pub held_back: u64,
    template: Template,
    /// How many it may be at most: as in space-saving, one that takes the place of another inherits what that had.
    at_most: u64,
}

/// A URL that is held back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldBack<'a> {
    pub(crate) host: &'a str,
    pub(crate) url: &'a str,
    pub(crate) rule: TrapRule,
}

impl TrapTally {
    /// URLs that a rule has held back.
    pub fn held_back(&self, rule: TrapRule) -> u64 {
        self.held_back[rule as usize]
    }

    /// The patterns of most of them.
    pub fn suspects(&self) -> &[SuspectTemplate] {
        &self.suspects
    }

    /// A URL of a host that is new is held back, because its domain shows too many of them.
    pub(crate) fn note_farm(&mut self) {
        self.held_back[TrapRule::Farm as usize] += 1;
    }

    /// A URL is held back; `pattern` says what its like have given, if that is to be known.
    pub(crate) fn note(&mut self, held: HeldBack<'_>, pattern: impl FnOnce() -> Pattern) {
        self.held_back[held.rule as usize] += 1;
        let template = Template::of(held.url);
        if let Some(known) = self.find(held.host, template) {
            known.count(1, 1, held.rule);
            return;
        }
        let Pattern { mut form, fetches, fresh, .. } = pattern();
        form.truncate(form.floor_char_boundary(FORM_BYTES));
        let host = held.host.to_owned();
        let (rule, held_back, at_most) = (held.rule, 1, 1);
        self.insert(SuspectTemplate { host, form, rule, fetches, fresh, held_back, template, at_most });
    }

    /// A URL of this host was fetched; `pattern` says what its like have given by now.
    pub(crate) fn note_fetch(&mut self, host: &str, template: Template, pattern: impl FnOnce() -> Pattern) {
        if let Some(known) = self.find(host, template) {
            let Pattern { fetches, fresh, .. } = pattern();
            (known.fetches, known.fresh) = (fetches, fresh);
        }
    }

    /// Adds what a job has counted.
    pub(crate) fn merge(&mut self, other: Self) {
        for (sum, count) in self.held_back.iter_mut().zip(other.held_back) {
            *sum += count;
        }
        for suspect in other.suspects {
            match self.find(&suspect.host, suspect.template) {
                Some(known) => known.count(suspect.held_back, suspect.at_most, suspect.rule),
                None => self.insert(suspect),
            }
        }
    }

    fn find(&mut self, host: &str, template: Template) -> Option<&mut SuspectTemplate> {
        self.suspects.iter_mut().find(|known| known.template == template && known.host == host)
    }

    /// In the place of the one with the fewest, if there is no room (Metwally, Agrawal and El Abbadi 2005).
    fn insert(&mut self, mut suspect: SuspectTemplate) {
        if self.suspects.len() < SUSPECT_TEMPLATES {
            return self.suspects.push(suspect);
        }
        let fewest = self.suspects.iter_mut().min_by_key(|known| known.at_most).expect("there is no room");
        suspect.at_most += fewest.at_most;
        *fewest = suspect;
    }
}

impl SuspectTemplate {
    fn count(&mut self, held_back: u64, at_most: u64, rule: TrapRule) {
        self.held_back += held_back;
        self.at_most += at_most;
        self.rule = rule;
    }
}
