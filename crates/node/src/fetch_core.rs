use crate::NodeError;
use crate::executor::Report;
use crate::limits::SPOOL_THREADS;
use crate::vigil::Vigil;
use crawler::limits::NAMES_AHEAD;
use crawler::{Event, FetchJob, ResolveJob};
use fetch::{FetchConfig, Fetcher};
use std::rc::Rc;
use std::thread::JoinHandle;
use tokio::sync::mpsc;
use tokio::task::LocalSet;

#[cfg(test)]
mod tests;

/// What the thread of a fetch core is called.
const THREAD: &str = "fetch";

/// What a fetch core is asked to do.
pub(crate) enum FetchCommand {
    Resolve(ResolveJob),
    Fetch(FetchJob),
}

/// A fetch core: one thread, one event loop, its own connections and names.
pub(crate) struct FetchCore {
    pub(crate) commands: mpsc::Sender<FetchCommand>,
    /// Names that will be needed.
    pub(crate) ahead: mpsc::Sender<String>,
    _thread: JoinHandle<()>,
}

impl FetchCore {
    /// Starts a core that takes `room` commands at once.
    pub(crate) fn start(config: FetchConfig, room: usize, report: Report) -> Result<Self, NodeError> {
        let fetcher = Fetcher::new(config)?;
        let (commands, inbox) = mpsc::channel(room);
        let (ahead, names) = mpsc::channel(NAMES_AHEAD);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(SPOOL_THREADS)
            .build()
            .map_err(NodeError::system("starting a fetch core"))?;
        let inbox = Inbox { commands: inbox, names };
        let vigil = Vigil::over(THREAD, &report);
        let body = move || LocalSet::new().block_on(&runtime, serve(Rc::new(fetcher), inbox, report));
        Ok(Self { commands, ahead, _thread: vigil.spawn(body)? })
    }
}

/// What a core is told.
struct Inbox {
    commands: mpsc::Receiver<FetchCommand>,
    names: mpsc::Receiver<String>,
}

async fn serve(fetcher: Rc<Fetcher>, inbox: Inbox, report: Report) {
    let Inbox { mut commands, names } = inbox;
    tokio::task::spawn_local(ask_ahead(fetcher.clone(), names, Vigil::over(THREAD, &report)));
    while let Some(command) = commands.recv().await {
        let (fetcher, report) = (fetcher.clone(), report.clone());
        tokio::task::spawn_local(async move { answer(report, perform(&fetcher, command)).await });
    }
}

/// Tells what came of a command. The runtime keeps the panic of a task to itself, and the machine would wait for its answer.
async fn answer(report: Report, performed: impl Future<Output = Result<Event, NodeError>>) {
    let _vigil = Vigil::over(THREAD, &report);
    match performed.await {
        Ok(event) => report.event(event),
        Err(error) => drop(report.failed(Err(error))),
    }
}

async fn ask_ahead(fetcher: Rc<Fetcher>, mut names: mpsc::Receiver<String>, vigil: Vigil) {
    let _vigil = vigil;
    while let Some(name) = names.recv().await {
        fetcher.ask_ahead(name).await;
    }
}

async fn perform(fetcher: &Fetcher, command: FetchCommand) -> Result<Event, NodeError> {
    match command {
        FetchCommand::Resolve(job) => {
            Ok(Event::Resolved(fetcher.resolve(job.ticket, &job.name, job.look_up).await))
        }
        FetchCommand::Fetch(job) => {
            let fetched = fetcher.fetch(job).await;
            fetched.map(Event::Fetched).map_err(NodeError::system("putting a body to disk"))
        }
    }
}
