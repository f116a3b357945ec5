use super::{Cluster, State};
use crate::Sim;
use crate::checks::{
    Captured, Delays, NodeDisk, Progress, archived_once, attempts_logged, audited, captures, complete, fates,
    handed_over, index_complete, never_again, politeness, requested_once, robots_known, robots_obeyed, rows,
    rows_exact, warcs_sound,
};
use crawler::UrlState;
use disk::CrashMode;
use simweb::{Plan, Scope, Truth, Verdict, Web};
use std::collections::BTreeMap;
use weburl::{KeyHash, Url};

/// What all nodes did together, judged as if one had done it, and what they handed to each other.
impl Cluster<'_> {
    /// What a perfect crawl of this site would hold.
    pub fn truth(&self) -> Truth {
        let seeds: Vec<String> = self.site.seeds.iter().map(ToString::to_string).collect();
        let depth = self.nodes[0].setup.crawl.depth;
        self.site.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth })
    }

    /// All judges that judge any crawl, done or not; over all nodes.
    pub fn judge(&self) -> Vec<String> {
        let (web, log) = (self.site.web.as_ref(), &self.network.log);
        let crawl_delay = |host: &str| web.host(host).map_or(0, |host| web.crawl_delay_ms(host));
        let mut wrong = self.broken.clone();
        wrong.extend(politeness(log, Delays::DEFAULT, crawl_delay));
        wrong.extend(robots_obeyed(log, web));
        wrong.extend(robots_known(log));
        wrong.extend(requested_once(log, web));
        wrong.extend(never_again(&self.held, log, web));
        wrong.extend(handed_over(&self.disks(), Progress::Begun));
        wrong.extend(self.judge_obedience());
        for node in &self.nodes {
            wrong.extend(attempts_logged(&node.disk(), &log.of_node(node.id.0)));
            wrong.extend(audited(|| archive::ledger(node.disk())));
        }
        match self.captures() {
            Ok(captures) => wrong.extend(archived_once(&captures, web)),
            Err(error) => wrong.push(error),
        }
        wrong
    }

    /// Nobody says that the crawl is done while another has something to fetch.
    pub(super) fn judge_leave(&mut self, index: usize) {
        for other in &self.nodes {
            let State::Up(up) = &other.state else { continue };
            let to_fetch = to_fetch(&up.sim, &self.site.web);
            if to_fetch > 0 {
                let id = self.nodes[index].id;
                self.broken
                    .push(format!("{id} left as done while {} had {to_fetch} URLs to fetch", other.id));
            }
        }
    }

    /// All judges of a crawl that is done, on what a power loss after its exit leaves; over all nodes.
    pub fn judge_done(&mut self) -> Vec<String> {
        for node in &mut self.nodes {
            node.disk = node.disk.crash(CrashMode::LoseUnsynced, &mut self.rng);
        }
        let truth = self.truth();
        let mut wrong = self.judge();
        wrong.extend(handed_over(&self.disks(), Progress::Done));
        wrong.extend(self.judge_states(&truth));
        wrong.extend(self.judge_files(&truth));
        wrong
    }

    /// Every URL has the state that it should have, at one node and no other.
    fn judge_states(&self, truth: &Truth) -> Vec<String> {
        let (mut all, mut wrong) = (BTreeMap::new(), Vec::new());
        for sim in self.sims() {
            let states = sim.states().unwrap_or_else(|error| {
                wrong.push(error.to_string());
                BTreeMap::new()
            });
            let here = states.len();
            let before = all.len();
            all.extend(states);
            if all.len() < before + here {
                wrong.push(format!("{} URLs are at two nodes", before + here - all.len()));
            }
        }
        wrong.extend(fates(truth, |url| all.get(&self.key(url)?)));
        wrong
    }

    fn judge_files(&self, truth: &Truth) -> Vec<String> {
        let web = &self.site.web;
        let captures = self.captures().unwrap_or_default();
        let mut wrong = complete(&captures, web, truth);
        let mut all_rows = Vec::new();
        for (node, sim) in self.nodes.iter().zip(self.sims()) {
            let disk = node.disk();
            wrong.extend(warcs_sound(&disk));
            wrong.extend(index_complete(&disk, &self::captures(&disk).unwrap_or_default()));
            match rows(&disk) {
                Ok(rows) if rows.len() as u64 == sim.snapshot().rows => all_rows.extend(rows),
                Ok(rows) => wrong.push(format!("{} has {} rows and tells of others", node.id, rows.len())),
                Err(error) => wrong.push(error),
            }
        }
        wrong.extend(rows_exact(&all_rows, &captures, web, truth));
        wrong
    }

    /// A URL's identity in this crawl.
    fn key(&self, url: &str) -> Option<KeyHash> {
        Some(self.nodes[0].setup.crawl.rules.key(&Url::parse(url).ok()?))
    }

    fn disks(&self) -> Vec<NodeDisk> {
        self.nodes.iter().map(|node| NodeDisk { node: node.id, disk: node.disk() }).collect()
    }

    fn captures(&self) -> Result<Vec<Captured>, String> {
        let mut all = Vec::new();
        for node in &self.nodes {
            all.extend(captures(&node.disk())?);
        }
        Ok(all)
    }
}

/// URLs that wait for a contact. What robots.txt forbids is found out when it is drawn, and after a death once more.
fn to_fetch(sim: &Sim, web: &Web) -> usize {
    if sim.snapshot().queued == 0 {
        return 0;
    }
    let waits = |state: &UrlState| match state {
        UrlState::Pending { pending, .. } => web.verdict(&pending.url) != Verdict::Forbidden,
        _ => false,
    };
    sim.states().map_or(0, |states| states.values().filter(|state| waits(state)).count())
}
