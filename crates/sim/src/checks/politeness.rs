use crate::log::{Before, Contact, Purpose, ServerLog};
use std::collections::BTreeMap;
use stdx::Timestamp;

/// The delays that were promised.
#[derive(Debug, Clone, Copy)]
pub struct Delays {
    /// End of a contact with a host to the start of the next.
    pub host_ms: u64,
    /// A host is left alone this many times as long as its last answer took …
    pub slowdown: u64,
    /// … but for that reason no longer than this.
    pub slowdown_max_ms: u64,
    /// End of a contact with an address to the start of the next.
    pub server_ms: u64,
    /// Start to start within a registrable domain.
    pub domain_ms: u64,
}

impl Delays {
    /// The program's defaults, on public addresses.
    pub const DEFAULT: Self =
        Self { host_ms: 1000, slowdown: 10, slowdown_max_ms: 30_000, server_ms: 250, domain_ms: 250 };
}

/// Judges the server's log, over all runs: no two contacts of a host, an address or a domain closer than promised; after
/// a crash none before the start and its full delay; no host before the end of its Retry-After. `crawl_delay_ms` gives
/// what a host's robots.txt asks for, which holds from its answer on. What a crash came too soon after to be
/// saved, nobody can obey. Returns what was found wrong.
pub fn politeness(log: &ServerLog, delays: Delays, crawl_delay_ms: impl Fn(&str) -> u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut judge = |what: &str, contacts: &[&Contact], says: &dyn Fn(&Known<'_>) -> Held, least_ms: u64| {
        Clock { log, says, least_ms, held: Held::default(), before: None }.judge(what, contacts, &mut wrong);
    };
    for (host, contacts) in &grouped(log, |contact| contact.host.clone()) {
        let crawl_delay_ms = crawl_delay_ms(host);
        judge(
            &format!("host {host}"),
            contacts,
            &|known| delays.of_host(known, crawl_delay_ms),
            delays.host_ms,
        );
    }
    for (address, contacts) in &grouped(log, |contact| contact.address.to_string()) {
        judge(&format!("server {address}"), contacts, &|known| delays.of_server(known), delays.server_ms);
    }
    for (domain, contacts) in &grouped(log, |contact| domain_of(&contact.host).to_owned()) {
        judge(&format!("domain {domain}"), contacts, &|known| delays.of_domain(known), delays.domain_ms);
    }
    wrong
}

/// What is known before a contact: what held before the last one, and that one.
struct Known<'a> {
    held: Held,
    contact: &'a Contact,
}

/// What a clock says.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// No contact starts before this.
    until: Timestamp,
    /// The delay that robots.txt asks for.
    asked_ms: u64,
}

impl Delays {
    fn of_host(&self, known: &Known<'_>, crawl_delay_ms: u64) -> Held {
        let Known { held, contact } = known;
        let learned = contact.purpose == Purpose::Robots && contact.status == Some(200);
        let asked_ms = if learned { crawl_delay_ms } else { held.asked_ms };
        let slow_ms = (contact.ended.since_ms(contact.started) * self.slowdown).min(self.slowdown_max_ms);
        let delay_ms = self.host_ms.max(slow_ms).max(asked_ms).max(contact.retry_after_ms.unwrap_or(0));
        Held { until: held.until.max(contact.ended + delay_ms), asked_ms }
    }

    fn of_server(&self, known: &Known<'_>) -> Held {
        Held { until: known.contact.ended + self.server_ms, asked_ms: 0 }
    }

    fn of_domain(&self, known: &Known<'_>) -> Held {
        Held { until: known.contact.started + self.domain_ms, asked_ms: 0 }
    }
}

/// One host's, address's or domain's clock, as the judge keeps it.
struct Clock<'a> {
    log: &'a ServerLog,
    says: &'a dyn Fn(&Known<'_>) -> Held,
    least_ms: u64,
    held: Held,
    before: Option<&'a Contact>,
}

impl<'a> Clock<'a> {
    fn judge(mut self, what: &str, contacts: &[&'a Contact], wrong: &mut Vec<String>) {
        for contact in contacts {
            self.advance(contact.run);
            let due = self.held.until.max(self.after_crash(contact.run));
            if contact.started < due {
                wrong.push(self.breach(what, contact, due));
            }
            self.before = Some(contact);
        }
    }

    /// Takes in the last contact, unless a crash made the crawler forget it.
    fn advance(&mut self, run: usize) {
        let Some(contact) = self.before else { return };
        if self.log.is_remembered(contact, run) {
            self.held = (self.says)(&Known { held: self.held, contact });
        }
    }

    /// The full delay from the start of a run that follows a crash.
    fn after_crash(&self, run: usize) -> Timestamp {
        match self.log.runs[run] {
            run if run.after == Before::Crash => run.started + self.least_ms.max(self.held.asked_ms),
            _ => Timestamp::ZERO,
        }
    }

    fn breach(&self, what: &str, contact: &Contact, due: Timestamp) -> String {
        let before = self.before.map_or_else(String::new, |b| {
            format!("{} at {}..{} in run {}, then ", b.url, b.started.as_ms(), b.ended.as_ms(), b.run)
        });
        let (url, at, run) = (&contact.url, contact.started.as_ms(), contact.run);
        let begun = self.log.runs[run].started.as_ms();
        format!("{what}: {before}{url} at {at} in run {run} (begun {begun}), due {}", due.as_ms())
    }
}

fn grouped(log: &ServerLog, key: impl Fn(&Contact) -> String) -> BTreeMap<String, Vec<&Contact>> {
    let mut groups: BTreeMap<String, Vec<&Contact>> = BTreeMap::new();
    for contact in &log.contacts {
        groups.entry(key(contact)).or_default().push(contact);
    }
    for contacts in groups.values_mut() {
        contacts.sort_by_key(|contact| contact.started);
    }
    groups
}

/// The last two labels: simweb's names have no longer public suffixes.
fn domain_of(host: &str) -> &str {
    let dots = host.rmatch_indices('.').nth(1);
    dots.map_or(host, |(at, _)| &host[at + 1..])
}
