//! Visits to a crawl at rest, as `drumlin ctl` and `drumlin purge` make them.

use crate::log::Before;
use crate::{Failed, Life, Sim, Trial};
use disk::SharedDisk;
use std::sync::Arc;

impl Trial<'_> {
    /// Somebody says something to the crawl, which is at rest. It dies at a call to the disk if that is how this life ends.
    pub fn order(&mut self, life: &Life) {
        let disk = self.failing(life);
        let shared = self.whole(Arc::new(disk.clone()));
        let done = self.visit(&shared, Self::speak);
        self.note(&disk);
        if done.is_err() {
            self.die(&disk, life);
        }
    }

    /// Opens the crawl as for a run, tells it something, and has it save and leave.
    pub(super) fn visit(
        &mut self,
        disk: &SharedDisk,
        tell: impl FnOnce(&mut Self, &mut Sim),
    ) -> Result<(), Failed> {
        let contacts = self.network.log.contacts.len();
        let mut sim = Sim::open(self.site, &self.setup, disk, self.now)?;
        self.begin(&sim);
        tell(self, &mut sim);
        sim.drain();
        let mut ran = Ok(());
        while ran.is_ok() && sim.exit.is_none() {
            ran = sim.step(&mut self.network);
        }
        self.listen(&mut sim);
        self.trace.follow(sim.trace);
        self.now = sim.now;
        self.network.end(self.now);
        self.after = Before::Calm;
        if self.network.log.contacts.len() > contacts {
            self.broken.push("a visit contacts nobody".to_owned());
        }
        if sim.gave_up { Err(Failed { what: "the disk is full".to_owned(), disk_full: true }) } else { ran }
    }

    /// The operator says something.
    pub(super) fn speak(&mut self, sim: &mut Sim) {
        let Some(operator) = &mut self.operator else { return };
        let contacts = &self.network.log.contacts;
        let hosts: Vec<&str> = contacts.iter().map(|contact| contact.host.as_str()).collect();
        let seeds: Vec<String> = self.site.seeds.iter().map(ToString::to_string).collect();
        operator.speak(sim, &hosts, &seeds);
    }

    /// The operator hears what has been answered.
    pub(super) fn listen(&mut self, sim: &mut Sim) {
        if let Some(operator) = &mut self.operator {
            operator.listen(sim);
        }
    }
}
