use crate::NodeError;
use crate::archivist::ArchiveCommand;
use crate::fetch_core::{FetchCommand, FetchCore};
use crate::rows::Rows;
use crate::syncer::SyncTask;
use crawler::{Action, Event, Exit, Storage, Work};
use crossbeam_channel::Sender;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::ops::ControlFlow;
use stdx::Step;

/// What the threads tell the loop.
pub(crate) enum Message {
    Event(Event),
    /// How far something is that holds up the end.
    Working(Step),
    Failed(NodeError),
}

/// The threads' side of the event channel. Sending fails only when the loop is gone, and then nothing matters any more.
#[derive(Clone)]
pub(crate) struct Report {
    messages: Sender<Message>,
}

impl Report {
    pub(crate) fn new(messages: Sender<Message>) -> Self {
        Self { messages }
    }

    pub(crate) fn event(&self, event: Event) {
        let _ = self.messages.send(Message::Event(event));
    }

    /// Nobody waits to be shown something: where there is no room, it is left out.
    pub(crate) fn working(&self, step: Step) {
        let _ = self.messages.try_send(Message::Working(step));
    }

    /// Passes a failure on; a full disk is an event of the crawl, anything else is the end of the node.
    pub(crate) fn failed(&self, done: Result<ControlFlow<()>, NodeError>) -> ControlFlow<()> {
        match done {
            Ok(flow) => flow,
            Err(error) if error.is_disk_full() => {
                self.event(Event::Storage(Storage::Full { because: error.to_string() }));
                ControlFlow::Continue(())
            }
            Err(error) => {
                let _ = self.messages.send(Message::Failed(error));
                ControlFlow::Break(())
            }
        }
    }
}

/// Hands actions to the threads that carry them out.
pub(crate) struct Executor {
    pub(crate) cores: Vec<FetchCore>,
    pub(crate) archive: Sender<ArchiveCommand>,
    pub(crate) rows: Rows,
    pub(crate) workers: Sender<Box<Work>>,
    pub(crate) syncs: Sender<SyncTask>,
}

impl Executor {
    /// Begins an action; breaks when it is the last.
    pub(crate) fn perform(&self, action: Action) -> Result<ControlFlow<Exit>, NodeError> {
        match action {
            Action::Resolve(job) => {
                let host = job.name.clone();
                self.fetch(&host, FetchCommand::Resolve(job))?;
            }
            Action::AskAhead { names } => self.ask_ahead(names),
            Action::Fetch(job) => {
                let host = job.url.host().to_owned();
                self.fetch(&host, FetchCommand::Fetch(job))?;
            }
            Action::Commit(entries) => self.archive(ArchiveCommand::Commit(entries))?,
            Action::MakeDurable { files, last } => {
                self.syncs.send(SyncTask { files, last }).map_err(|_| NodeError::ThreadLost("sync"))?;
            }
            Action::Checkpoint(checkpoint) => self.archive(ArchiveCommand::Checkpoint(checkpoint))?,
            Action::Parse(job) => self.archive(ArchiveCommand::Parse(job))?,
            Action::Expire { before } => self.archive(ArchiveCommand::Expire { before })?,
            Action::Finish => self.archive(ArchiveCommand::Finish)?,
            Action::CloseRows => self.rows.close().map_err(|_| NodeError::ThreadLost("corpus"))?,
            Action::Work(work) => self.workers.send(work).map_err(|_| NodeError::ThreadLost("work"))?,
            Action::MoreSeeds | Action::Answer { .. } => unreachable!("the loop does it itself"),
            Action::Send(_) | Action::ReadJournal { .. } => {
                unreachable!("a node alone has nobody to tell anything")
            }
            Action::Fail(error) => return Err(error.into()),
            Action::Exit(exit) => return Ok(ControlFlow::Break(exit)),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn archive(&self, command: ArchiveCommand) -> Result<(), NodeError> {
        self.archive.send(command).map_err(|_| NodeError::ThreadLost("archive"))
    }

    fn fetch(&self, host: &str, command: FetchCommand) -> Result<(), NodeError> {
        self.core_of(host).commands.try_send(command).map_err(|_| NodeError::ThreadLost("fetch"))
    }

    /// A core that is busy has names enough; nobody waits for these.
    fn ask_ahead(&self, names: Vec<String>) {
        for name in names {
            let _ = self.core_of(&name).ahead.try_send(name);
        }
    }

    /// A host, with its root dot or without, is always the same core's, which so has its names and its connections.
    fn core_of(&self, host: &str) -> &FetchCore {
        let hash = BuildHasherDefault::<stdx::FoldHasher>::default().hash_one(host.trim_end_matches('.'));
        &self.cores[(hash % self.cores.len() as u64) as usize]
    }
}
