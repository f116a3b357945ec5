use crate::answers::{Answers, Packed};
use crate::limits::{COMPILED_BYTES, DRAW_TO_START_MS, RULES_AGAIN_MS, RULES_MAX_AGE_MS, RULES_STALE_AGE_MS};
use crate::{Breach, Contact, contact::id_of};
use crawler::{RobotsAnswer, RobotsRecord};
use stdx::{Map, Timestamp, map};

/// What the robots.txt of every authority said last, packed; forgotten when it is too old to be used.
#[derive(Debug)]
pub(crate) struct KnownRules {
    by_authority: Map<u64, Known>,
    answers: Answers,
    sweep_at: u64,
}

#[derive(Debug)]
struct Known {
    fetched_at: Timestamp,
    answer: Packed,
    /// Whether it could not be had.
    is_failure: bool,
    /// When it was last asked for in vain since.
    failed_at: Option<Timestamp>,
}

impl Known {
    /// Whether it may be obeyed at `at` while there is nothing newer.
    fn may_be_stale(&self, at: Timestamp) -> bool {
        !self.is_failure && at.since_ms(self.fetched_at) < RULES_STALE_AGE_MS
    }

    /// Whether a contact at `at` may go by it.
    fn counts(&self, at: Timestamp) -> bool {
        let tried = self
            .failed_at
            .is_some_and(|failed_at| at.since_ms(failed_at) <= RULES_AGAIN_MS + DRAW_TO_START_MS);
        at.since_ms(self.fetched_at) <= RULES_MAX_AGE_MS + DRAW_TO_START_MS
            || (tried && self.may_be_stale(at))
    }
}

/// What is wrong with a contact.
pub(crate) struct Offence {
    pub(crate) breach: Breach,
    pub(crate) detail: String,
}

/// Bytes of rules kept before those that are too old are dropped.
const SWEEP_BYTES: u64 = 16 << 20;

impl KnownRules {
    pub(crate) fn new() -> Self {
        Self { by_authority: map(), answers: Answers::new(COMPILED_BYTES), sweep_at: SWEEP_BYTES }
    }

    pub(crate) fn learn(&mut self, record: &RobotsRecord) {
        let (at, authority) = (record.fetched_at, id_of(&record.authority));
        self.sweep(at);
        let is_failure = matches!(record.answer, RobotsAnswer::Unreachable { .. });
        let known =
            self.by_authority.get_mut(&authority).filter(|known| is_failure && known.may_be_stale(at));
        if let Some(known) = known {
            known.failed_at = Some(at);
            return;
        }
        let answer = self.answers.pack(&record.answer);
        let known = Known { fetched_at: at, answer, is_failure, failed_at: None };
        self.by_authority.insert(authority, known);
    }

    /// What was read under another name says nothing.
    pub(crate) fn forget(&mut self) {
        self.by_authority.clear();
        self.answers.sweep();
    }

    /// What is wrong with asking for this; `RobotsMissing` also where the ledger may have had the rules once.
    pub(crate) fn offence(&mut self, contact: &Contact) -> Option<Offence> {
        let authority = contact.url.authority();
        let Some(known) = self.by_authority.get(&id_of(authority)) else {
            let detail = format!("nothing is known of the robots.txt of {authority}");
            return Some(Offence { breach: Breach::RobotsMissing, detail });
        };
        if !known.counts(contact.started()) {
            let age_ms = contact.started().since_ms(known.fetched_at);
            let detail = format!("the rules were {} minutes old", age_ms / 60_000);
            return Some(Offence { breach: Breach::RobotsStale, detail });
        }
        let answer = self.answers.compiled(&known.answer);
        forbidden(answer, contact).map(|detail| Offence { breach: Breach::Robots, detail })
    }

    /// Without what is compiled, which has a bound of its own.
    pub(crate) fn bytes(&self) -> u64 {
        (self.by_authority.len() * size_of::<(u64, Known)>() * 2) as u64 + self.answers.bytes()
    }

    fn sweep(&mut self, now: Timestamp) {
        if self.bytes() < self.sweep_at {
            return;
        }
        // Rules that are just too old are told from rules that never were.
        self.by_authority.retain(|_, known| {
            let last = known.failed_at.unwrap_or(known.fetched_at);
            now.since_ms(last) < 2 * RULES_MAX_AGE_MS
        });
        self.answers.sweep();
        self.sweep_at = SWEEP_BYTES.max(2 * self.bytes());
    }
}

fn forbidden(answer: &RobotsAnswer, contact: &Contact) -> Option<String> {
    match answer {
        RobotsAnswer::Absent { .. } => None,
        RobotsAnswer::Unreachable { detail, .. } => Some(format!("robots.txt was unreachable: {detail}")),
        RobotsAnswer::Rules(rules) | RobotsAnswer::RulesOfUse { rules, .. } => {
            let verdict = rules.verdict(contact.url.request_target());
            let rule = verdict.rule.filter(|_| !verdict.allowed)?;
            Some(format!("line {} of robots.txt: Disallow: {}", rule.line, rule.text))
        }
    }
}
