use crate::clocks::{HostClocks, ServerClocks};
use crate::contact::{domain_of, id_of};
use crate::exclusions::Exclusions;
use crate::finding::Place;
use crate::limits::{DRAW_TO_START_MS, RULES_MAX_AGE_MS, START_JITTER_MS};
use crate::promises::Promises;
use crate::rules::{KnownRules, Offence};
use crate::starts::{Between, Owner, StartClocks};
use crate::terms::{Applied, Clause, Terms};
use crate::{Breach, Contact, Finding, Findings, Line};
use crawler::{NamedGroups, Promise, RobotsRecord, Subject};
use serde::Serialize;
use stdx::{Set, Timestamp, WallTime, set};
use weburl::Url;

/// What a judge looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// Everything, of one share of the domains among so many: what is remembered of rules and of URLs grows with the crawl.
    Share {
        /// Which, from 0.
        index: u64,
        /// Of how many.
        of: u64,
    },
    /// The delays alone: what is remembered is what has not run out.
    Delays,
}

/// What was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Contacts.
    pub contacts: u64,
    /// … of these, for pages, sitemaps and robots.txt.
    pub pages: u64,
    /// See there.
    pub sitemaps: u64,
    /// See there.
    pub robots: u64,
    /// How often delays were promised: when a run began, and whenever they changed in it.
    pub promises: u64,
    /// Contacts whose rules the journal has not any more: its oldest part is gone.
    pub unproven_rules: u64,
    /// Contacts that no promise precedes.
    pub unproven_delays: u64,
}

/// Looks at line after line of the ledger, and finds what was broken.
#[derive(Debug)]
pub struct Judge {
    attention: Attention,
    promises: Promises,
    hosts: HostClocks,
    servers: ServerClocks,
    domains: StartClocks,
    named: NamedGroups,
    groups: StartClocks,
    rules: KnownRules,
    final_answers: Set<u64>,
    exclusions: Exclusions,
    /// Before this, what is missing may have been in a part of the journal that is gone.
    whole_from: Timestamp,
    /// What was seen.
    pub counts: Counts,
    /// What was found.
    pub findings: Findings,
}

impl Judge {
    /// One who has seen nothing. `assumed` is what holds until the ledger says what was promised.
    pub fn new(attention: Attention, assumed: Option<Promise>) -> Self {
        Self {
            attention,
            promises: Promises::of(assumed),
            hosts: HostClocks::new(),
            servers: ServerClocks::new(),
            domains: StartClocks::new(Clause::DomainRate),
            named: NamedGroups::default(),
            groups: StartClocks::new(Clause::GroupInterval),
            rules: KnownRules::new(),
            final_answers: set(),
            exclusions: Exclusions::default(),
            whole_from: Timestamp::ZERO,
            counts: Counts::default(),
            findings: Findings::default(),
        }
    }

    /// The ledger begins here, and not with the crawl.
    pub fn begins_late(&mut self, at: Timestamp) {
        self.whole_from = at + (RULES_MAX_AGE_MS + DRAW_TO_START_MS);
    }

    /// What holds now.
    pub fn terms(&self) -> Option<&Terms> {
        self.promises.newest()
    }

    /// What a host is owed now.
    pub fn owed_to(&self, host: &str) -> Applied {
        self.hosts.held(host)
    }

    /// Takes in a line; of a contact in its share it says which delay applied.
    pub fn take(&mut self, line: Line) -> Option<Applied> {
        match line {
            Line::Promise(promise) => {
                self.counts.promises += 1;
                if self.terms().is_some_and(|terms| terms.agent() != promise.agent) {
                    self.rules.forget();
                }
                self.promises.add(promise);
                self.named = NamedGroups::default();
                None
            }
            Line::Groups(groups) => {
                self.named = *groups;
                None
            }
            Line::Rules(record) => {
                self.learn(&record);
                None
            }
            Line::Contact(contact) => self.contact(&contact),
            Line::Excluded(exclusion) => {
                self.exclusions.add(*exclusion);
                None
            }
            Line::Readmitted(target) => {
                self.exclusions.take_back(&target);
                None
            }
            Line::Unreached(_) | Line::Lost(_) => None,
        }
    }

    /// What it remembers for long, about.
    pub fn bytes(&self) -> u64 {
        let urls = 16 * self.final_answers.len() as u64;
        self.hosts.bytes() + self.rules.bytes() + urls
    }

    fn learn(&mut self, record: &RobotsRecord) {
        let Ok(url) = Url::parse(&record.authority) else { return };
        if self.is_mine(url.host()) {
            self.hosts.rules(url.host(), record);
            if self.attention != Attention::Delays {
                self.rules.learn(record);
            }
        }
    }

    fn contact(&mut self, contact: &Contact) -> Option<Applied> {
        let shared = self.shared_say(contact);
        if !self.is_mine(contact.url.host()) {
            return None;
        }
        self.count(contact);
        let delays = self.delays(contact).unwrap_or(Applied::NONE);
        if self.attention != Attention::Delays {
            self.robots(contact);
            self.once(contact);
            if let Some(detail) = self.exclusions.offence(contact) {
                self.find(Breach::Excluded, contact, detail);
            }
        }
        Some(delays.or_later(shared))
    }

    /// Addresses and named groups belong to no share: their clocks run out so soon that everybody keeps them, and the first reports.
    fn shared_say(&mut self, contact: &Contact) -> Applied {
        let Some(promised) = self.promises.of_contact(contact.started()) else { return Applied::NONE };
        let server = self.servers.contact(contact, promised);
        let group = self.named.of(contact.url.host()).map(|id| self.named.get(id));
        let between = group.map(|group| {
            let owner = Owner { name: &group.name, interval_ms: |_: &Terms| group.interval_ms };
            self.groups.contact(contact, owner, promised)
        });
        if self.is_first() {
            self.judge(Breach::ServerDelay, contact, server);
            if let Some(between) = &between {
                self.judge_starts(Breach::GroupInterval, contact, between);
            }
        }
        between.map_or(server, |between| server.or_later(between.before))
    }

    fn delays(&mut self, contact: &Contact) -> Option<Applied> {
        let Some(promised) = self.promises.of_contact(contact.started()) else {
            self.counts.unproven_delays += 1;
            return None;
        };
        let host = self.hosts.contact(contact, promised);
        let interval_ms = |terms: &Terms| terms.domain_ms(contact.reach());
        let owner = Owner { name: domain_of(contact.url.host()), interval_ms };
        let domain = self.domains.contact(contact, owner, promised);
        self.judge(Breach::HostDelay, contact, host);
        self.judge_starts(Breach::DomainRate, contact, &domain);
        Some(host.or_later(domain.before))
    }

    /// From start to start, of one clock: what came before it, and what is in the ledger already and began after it.
    fn judge_starts(&mut self, breach: Breach, contact: &Contact, between: &Between) {
        let lenient = Applied { due: between.before.due - START_JITTER_MS, ..between.before };
        self.judge(breach, contact, lenient);
        if let Some(at) = between.too_early {
            let later_ms = at.since_ms(contact.started());
            self.find(breach, contact, format!("another contact under its clock began {later_ms} ms later"));
        }
    }

    fn robots(&mut self, contact: &Contact) {
        if matches!(contact.attempt.subject, Subject::Robots { .. }) || contact.url.path() == "/robots.txt" {
            return;
        }
        match self.rules.offence(contact) {
            Some(Offence { breach: Breach::RobotsMissing, .. }) if contact.started() < self.whole_from => {
                self.counts.unproven_rules += 1;
            }
            Some(Offence { breach, detail }) => self.find(breach, contact, detail),
            None => {}
        }
    }

    fn once(&mut self, contact: &Contact) {
        let Subject::Page(page) = &contact.attempt.subject else { return };
        if self.final_answers.contains(&page.key.0) {
            self.find(Breach::FetchedTwice, contact, "it had its final answer before".to_owned());
        }
        if contact.attempt.is_answer() {
            self.final_answers.insert(page.key.0);
        }
    }

    fn judge(&mut self, breach: Breach, contact: &Contact, applied: Applied) {
        let early_ms = applied.due.since_ms(contact.started());
        if early_ms > 0 {
            let due = WallTime::from_unix_ms(applied.due.as_ms()).iso_millis();
            self.find(breach, contact, format!("{early_ms} ms too early: due {due} by {}", applied.clause));
        }
    }

    fn find(&mut self, breach: Breach, contact: &Contact, detail: String) {
        self.findings.add(Finding {
            breach,
            place: Place::Entry(contact.entry),
            at_ms: contact.started().as_ms(),
            url: contact.url.as_str().to_owned(),
            detail,
        });
    }

    fn count(&mut self, contact: &Contact) {
        self.counts.contacts += 1;
        let kind = match contact.what() {
            "robots" => &mut self.counts.robots,
            "sitemap" => &mut self.counts.sitemaps,
            _ => &mut self.counts.pages,
        };
        *kind += 1;
    }

    fn is_mine(&self, host: &str) -> bool {
        match self.attention {
            Attention::Delays | Attention::Share { of: 1, .. } => true,
            Attention::Share { index, of } => id_of(domain_of(host)) % of == index,
        }
    }

    fn is_first(&self) -> bool {
        matches!(self.attention, Attention::Delays | Attention::Share { index: 0, .. })
    }
}
