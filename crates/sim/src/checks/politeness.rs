use crate::Contact;
use std::collections::BTreeMap;
use stdx::Timestamp;

/// The delays that were promised.
#[derive(Debug, Clone, Copy)]
pub struct Delays {
    /// End of a contact with a host to the start of the next.
    pub host_ms: u64,
    /// End of a contact with an address to the start of the next.
    pub server_ms: u64,
    /// Start to start within a registrable domain.
    pub domain_ms: u64,
}

/// Judges the server's log: no two contacts of a host, an address or a domain closer than promised. `crawl_delay_ms` gives
/// what a host's robots.txt asks for beyond that, which holds from its robots.txt on. Returns what was found wrong.
pub fn politeness(log: &[Contact], delays: Delays, crawl_delay_ms: impl Fn(&str) -> u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let by_host = grouped(log, |contact| contact.host.clone());
    for (host, contacts) in &by_host {
        let delay = delays.host_ms.max(crawl_delay_ms(host));
        gaps(contacts, |before| before.ended + delay, &format!("host {host}"), &mut wrong);
    }
    for (address, contacts) in &grouped(log, |contact| contact.address.to_string()) {
        gaps(contacts, |before| before.ended + delays.server_ms, &format!("server {address}"), &mut wrong);
    }
    for (domain, contacts) in &grouped(log, |contact| domain_of(&contact.host).to_owned()) {
        gaps(contacts, |before| before.started + delays.domain_ms, &format!("domain {domain}"), &mut wrong);
    }
    wrong
}

fn gaps(contacts: &[&Contact], free_at: impl Fn(&Contact) -> Timestamp, what: &str, wrong: &mut Vec<String>) {
    for pair in contacts.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        if after.started < free_at(before) {
            wrong.push(format!(
                "{what}: {} at {}..{}, then {} at {}",
                before.url,
                before.started.as_ms(),
                before.ended.as_ms(),
                after.url,
                after.started.as_ms()
            ));
        }
    }
}

fn grouped(log: &[Contact], key: impl Fn(&Contact) -> String) -> BTreeMap<String, Vec<&Contact>> {
    let mut groups: BTreeMap<String, Vec<&Contact>> = BTreeMap::new();
    for contact in log {
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
