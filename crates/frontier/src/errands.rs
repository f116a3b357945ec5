//! robots.txt that is fetched elsewhere: errands, carried out by the host that their URL names.

use crate::host::{Host, HostId};
use crate::identity::host_key;
use crate::limits::{ERRAND_URL_BYTES, ERRANDS_PER_HOST, HOSTS_WOKEN};
use crate::{Frontier, RobotsErrand};
use backlog::Key;
use weburl::{Url, without_root_dot};

impl Frontier {
    /// An errand for a host of this shard; `false` if that host is known to be barred, or has more to do for others than
    /// it can, or if the URL is longer than any honest one for a robots.txt. A host that is not in memory gets it with the next
    /// job, which is then wanted; if it turns out to be barred, the errand comes back as unanswered.
    pub fn run_errand(&mut self, errand: RobotsErrand) -> bool {
        let Ok(url) = Url::parse(&errand.url) else { return false };
        if errand.url.len() > ERRAND_URL_BYTES {
            return false;
        }
        let name = without_root_dot(url.host());
        if let Some(host) = self.resident(name) {
            return self.give(host, errand);
        }
        self.wake_for(host_key(name, self.config.seed), errand)
    }

    fn wake_for(&mut self, key: Key, errand: RobotsErrand) -> bool {
        if self.errands.len() >= HOSTS_WOKEN && !self.errands.contains_key(&key) {
            return false;
        }
        let errands = self.errands.entry(key).or_default();
        let has_room = errands.len() < ERRANDS_PER_HOST;
        if has_room {
            self.resident_bytes += errand.bytes();
            errands.push_back(errand);
        }
        has_room
    }

    /// The host waits for an answer that another host fetches; until then it does errands only.
    pub fn await_robots(&mut self, authority: &str) {
        let host = Url::parse(authority).ok().and_then(|url| self.resident(url.host()));
        if let Some(host) = host {
            self.host(host).awaiting_robots = Some(authority.to_owned());
            self.settle(host);
        }
    }

    /// Errands whose host has been barred since they were given.
    pub fn take_unanswered(&mut self) -> Vec<RobotsErrand> {
        std::mem::take(&mut self.unanswered)
    }

    fn give(&mut self, host: HostId, errand: RobotsErrand) -> bool {
        let Host { record, errands, .. } = self.host_ref(host);
        if record.barred.is_some() || errands.len() >= ERRANDS_PER_HOST || self.is_shunned(&record.name) {
            return false;
        }
        self.host(host).errands.push_back(errand);
        self.settle(host);
        true
    }

    /// Errands that waited for their host to come into memory.
    pub(crate) fn hand_out_errands(&mut self) {
        for (key, errands) in std::mem::take(&mut self.errands) {
            let Some(&host) = self.host_ids.get(&key) else {
                self.errands.insert(key, errands);
                continue;
            };
            self.resident_bytes -= errands.iter().map(RobotsErrand::bytes).sum::<u64>();
            for errand in errands {
                if !self.give(host, errand.clone()) {
                    self.unanswered.push(errand);
                }
            }
        }
    }
}
