use crate::checks::{Delays, Findings, Once, Politeness, RobotsKnown, Sample, is_forbidden};
use crate::log::{Before, Contact, Run, Witness};
use simweb::Web;
use std::sync::Arc;
use stdx::Timestamp;

/// The judges that need no log: they see every contact as it begins, and remember what a share of the hosts has been asked
/// for. For crawls too long to be written down.
#[derive(Debug)]
pub struct Judges {
    web: Arc<Web>,
    sample: Sample,
    politeness: Politeness,
    robots: RobotsKnown,
    forbidden: Findings,
    once: Once,
    /// Contacts so far.
    pub contacts: u64,
    /// Contacts with hosts of farms.
    pub spam: u64,
}

impl Judges {
    /// Judges who have seen nothing. Politeness is judged of all hosts, what takes memory of those in `sample`.
    pub fn new(web: Arc<Web>, delays: Delays, sample: Sample) -> Self {
        Self {
            web,
            sample,
            politeness: Politeness::new(delays),
            robots: RobotsKnown::default(),
            forbidden: Findings::default(),
            once: Once::default(),
            contacts: 0,
            spam: 0,
        }
    }

    /// What they found wrong.
    pub fn findings(&self) -> impl Iterator<Item = &Findings> {
        [&self.politeness.findings, &self.robots.findings, &self.forbidden, &self.once.findings].into_iter()
    }
}

impl Witness for Judges {
    fn begin(&mut self, now: Timestamp, after: Before) {
        let run = Run { node: 0, started: now, ended: Timestamp::NEVER, after };
        self.politeness.begin(run);
        self.once.begin(run);
    }

    fn end(&mut self, now: Timestamp) {
        self.politeness.end(now);
        self.once.end(now);
    }

    fn contact(&mut self, contact: Contact) {
        let host = self.web.host(&contact.host);
        self.contacts += 1;
        self.spam += u64::from(host.is_some_and(|host| self.web.is_farm(host)));
        let crawl_delay_ms = host.map_or(0, |host| self.web.crawl_delay_ms(host));
        self.politeness.contact(&contact, crawl_delay_ms);
        if self.sample.takes(&contact.host) {
            self.robots.contact(&contact);
            self.once.contact(&contact, &self.web);
            if is_forbidden(&contact, &self.web) {
                self.forbidden.add(|| format!("forbidden: {}", contact.url));
            }
        }
    }
}
