use super::{Asked, CrawlDesk, Seen};
use crate::listening::{Gate, Socket};
use crate::terminal::tell;
use control::Changes;
use crawler::Promise;
use crossbeam_channel::Sender;
use disk::SharedDisk;
use node::{Control, Witness};
use snapshot::Snapshot;
use std::path::Path;
use std::sync::Arc;
use ui::Server;

/// Whoever wants to see a crawl that runs, or to speak to it, is received as long as this lives.
pub(crate) struct Reception {
    desk: Arc<CrawlDesk>,
    seen: Arc<Seen>,
    _server: Server,
    /// It goes after the server.
    _socket: Option<Socket>,
}

impl Reception {
    /// Opens it at the crawl's socket, and for browsers if they are to come.
    pub(crate) fn open(
        dir: &Path,
        disk: SharedDisk,
        sender: Sender<Control>,
        promise: Promise,
        told: Changes,
        gate: Option<&Gate>,
    ) -> anyhow::Result<Self> {
        let seen = Arc::new(Seen::default());
        let asked = Asked::running(sender);
        let desk = Arc::new(CrawlDesk::new(dir.to_owned(), disk, asked, seen.clone(), promise, told));
        let mut entrances = Vec::new();
        if let Some(gate) = gate {
            gate.announce();
            entrances.push(gate.entrance()?);
        }
        let socket = match Socket::open(dir) {
            Ok((socket, entrance)) => {
                entrances.push(entrance);
                Some(socket)
            }
            // A path may be too long for a socket, and some file systems have none. The crawl is no worse for it.
            Err(error) => {
                tell(format_args!("this crawl cannot be spoken to: no socket in {}: {error}", dir.display()));
                None
            }
        };
        let server = ui::serve(desk.clone(), entrances)?;
        Ok(Self { desk, seen, _server: server, _socket: socket })
    }

    /// Sees what goes by, for whoever asks.
    pub(crate) fn witness(&self) -> Arc<dyn Witness> {
        self.seen.clone()
    }

    /// Takes in what the crawl says of itself.
    pub(crate) fn show(&self, snapshot: &Snapshot) {
        self.desk.show(snapshot.clone());
    }
}
