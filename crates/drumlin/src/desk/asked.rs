use control::{Command, Receipt, Refusal};
use crawler::Crawler;
use crossbeam_channel::{RecvTimeoutError, SendTimeoutError, Sender, bounded};
use node::Control;
use std::sync::Mutex;
use std::time::Duration;
use stdx::Timestamp;
use ui::Unanswered;

/// The machine, for whoever asks it.
pub(crate) enum Asked {
    /// It runs, and is asked on its own thread, between two of its steps.
    Running(Sender<Control>),
    /// It does not run.
    Still(Mutex<Box<Crawler>>),
}

/// A loop that has not answered after this is busy with something long, such as a checkpoint.
const PATIENCE: Duration = Duration::from_secs(4);

impl Asked {
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
            Self::Running(sender) => {
                let (answer, answered) = bounded(1);
                let look = Box::new(move |crawler: &Crawler, now| drop(answer.try_send(look(crawler, now))));
                send(sender, Control::Look(look))?;
                answered.recv_timeout(PATIENCE).map_err(unheard)
            }
        }
    }

    /// Has the crawl do something.
    pub(crate) fn tell(&self, command: Command) -> Result<Receipt, Refusal> {
        let Self::Running(sender) = self else {
            return Err(Refusal::Malformed { reason: "the crawl is not running".to_owned() });
        };
        let (answer, answered) = bounded(1);
        let reply = Box::new(move |done| drop(answer.try_send(done)));
        let told = send(sender, Control::Command { command, reply });
        told.map_err(|error| Refusal::Malformed { reason: error.to_string() })?;
        answered.recv_timeout(PATIENCE).unwrap_or(Err(Refusal::Unanswered))
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
