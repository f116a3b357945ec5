use super::{Backlog, Running};
use crate::job::{Finished, Job, NewDirectory};
use crate::limits::JOB_GENERATIONS;
use crate::queue::Queues;

impl Backlog {
    /// Begins a job. It must come back through [`Self::finish_job`] or [`Self::abandon_job`] before the next begins.
    /// It sees what is written: [`Self::flush`] first if it is to read all that was appended to a queue.
    pub fn start_job(&mut self) -> Job {
        assert!(self.running.is_none(), "a job is running already");
        let generations = self.now.next_generation..self.now.next_generation + JOB_GENERATIONS;
        self.now.next_generation = generations.end;
        let pinned = self.now.files().into_keys().collect();
        self.running = Some(Running { generations: generations.clone(), pinned });
        let to_move = self.now.runs.to_move();
        Job { store: self.store.clone(), before: self.now.clone(), generations, to_move }
    }

    /// Makes the outcome of the job the state: directory, run, queues and released bytes at once.
    pub fn finish_job(&mut self, finished: Finished) {
        let running = self.running.take().expect("there is a job to finish");
        assert_eq!(running.generations, finished.generations, "not the job that was started");
        if let NewDirectory::Written(directory) = finished.directory {
            self.now.directory = directory;
        }
        if let Some(run) = finished.run {
            self.now.runs.add(run);
        }
        self.now.runs.release_all(&finished.released);
        self.finish_queues(finished.queues, running.generations.end);
        self.sweep_quietly();
    }

    /// Forgets a job that failed or was lost, and removes what it wrote.
    pub fn abandon_job(&mut self) {
        self.running.take().expect("there is a job to abandon");
        self.sweep_quietly();
    }

    /// Whether a job runs.
    pub fn has_job(&self) -> bool {
        self.running.is_some()
    }

    /// The queues as the job leaves them, and behind them what the owner has written meanwhile, to files that are all
    /// newer than the job's.
    fn finish_queues(&mut self, of_job: Queues, first_newer: u64) {
        let mut of_owner = std::mem::replace(&mut self.now.queues, of_job);
        for (id, queue) in &mut of_owner {
            self.now.queues.entry(*id).or_default().extend(queue.split_off_files_from(first_newer));
        }
        self.now.queues.retain(|_, queue| !queue.is_empty());
    }
}
