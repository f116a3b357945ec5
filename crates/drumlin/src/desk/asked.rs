use control::{Command, Receipt, Refusal};
use crawler::Crawler;
use crossbeam_channel::{RecvTimeoutError, SendTimeoutError, Sender, bounded};
use node::Control;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stdx::Timestamp;
use ui::Unanswered;

#[cfg(test)]
mod tests;

/// The machine, for whoever asks it.
pub(crate) enum Asked {
    /// It runs, and is asked on its own thread, between two of its steps.
    Running {
        /// Where it is spoken to.
        sender: Sender<Control>,
        /// Processor time that answering has taken, in microseconds.
        answering_us: Arc<AtomicU64>,
    },
    /// It does not run.
    Still(Mutex<Box<Crawler>>),
}

/// A loop that has not answered after this is busy with something long, such as a checkpoint.
const PATIENCE: Duration = Duration::from_secs(4);

/// A command that the loop has is done whenever it comes to it: whoever gave it waits almost as long as the server lets him.
const COMMAND_PATIENCE: Duration = Duration::from_secs(20);
const _: () = assert!(COMMAND_PATIENCE.as_secs() + PATIENCE.as_secs() < ui::limits::ANSWER_TIME.as_secs());

impl Asked {
    /// One that runs.
    pub(crate) fn running(sender: Sender<Control>) -> Self {
        Self::Running { sender, answering_us: Arc::default() }
    }

    /// Processor time that answering has taken, in microseconds.
    pub(crate) fn answering_us(&self) -> u64 {
        match self {
            Self::Running { answering_us, .. } => answering_us.load(Ordering::Relaxed),
            Self::Still(_) => 0,
        }
    }

    pub(crate) fn is_still(&self) -> bool {
        matches!(self, Self::Still(_))
    }

    /// Asks. What is asked is to take a millisecond or two: the crawl does nothing else meanwhile.
    pub(crate) fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Crawler, Timestamp) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        match self {
            Self::Still(crawler) => {
                let crawler = super::locked(crawler);
                Ok(look(&crawler, crawler.latest()))
            }
            Self::Running { sender, answering_us } => {
                let (answer, answered) = bounded(1);
                let answering_us = answering_us.clone();
                let look = Box::new(move |crawler: &Crawler, now| {
                    let began = spent_us();
                    let found = look(crawler, now);
                    answering_us.fetch_add(spent_us().saturating_sub(began), Ordering::Relaxed);
                    let _ = answer.try_send(found);
                });
                send(sender, Control::Look(look))?;
                answered.recv_timeout(PATIENCE).map_err(unheard)
            }
        }
    }

    /// Has the crawl do something.
    pub(crate) fn tell(&self, command: Command) -> Result<Receipt, Refusal> {
        let Self::Running { sender, .. } = self else {
            return Err(Refusal::NotRunning);
        };
        let (answer, answered) = bounded(1);
        let reply = Box::new(move |done| drop(answer.try_send(done)));
        let told = send(sender, Control::Command { command, reply });
        told.map_err(|error| Refusal::Malformed { reason: error.to_string() })?;
        answered.recv_timeout(COMMAND_PATIENCE).unwrap_or_else(|silence| Err(open(silence)))
    }
}

fn send(sender: &Sender<Control>, control: Control) -> Result<(), Unanswered> {
    sender.send_timeout(control, PATIENCE).map_err(|error| match error {
        SendTimeoutError::Timeout(_) => Unanswered::Busy,
        SendTimeoutError::Disconnected(_) => Unanswered::Gone,
    })
}

fn unheard(error: RecvTimeoutError) -> Unanswered {
    match error {
        RecvTimeoutError::Timeout => Unanswered::Busy,
        RecvTimeoutError::Disconnected => Unanswered::Gone,
    }
}

/// Of a command that the loop has.
fn open(silence: RecvTimeoutError) -> Refusal {
    match silence {
        RecvTimeoutError::Timeout => Refusal::Busy,
        RecvTimeoutError::Disconnected => Refusal::Unanswered,
    }
}

/// Processor time of this thread, in microseconds: a loop that waits for a core is not answering.
pub(super) fn spent_us() -> u64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    spent.tv_sec as u64 * 1_000_000 + spent.tv_nsec as u64 / 1_000
}
