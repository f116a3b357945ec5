//! A server at its worst: every [`Malice`] is a host of its own, at an address of its own, under a name of its own.
//!
//! What it says is a [`script()`] that depends on the malice and the target alone; a player beside it says it to whoever
//! connects, for as long as they stay.

mod bomb;
mod malice;
mod markup;
mod play;
mod script;

pub use malice::Malice;
pub use script::{CHUNK_KINDS, RESET_POINTS, Step, script};

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread::JoinHandle;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A hostile server at work. Dropping it stops it.
pub struct Hostile {
    port: u16,
    stop: watch::Sender<()>,
    thread: Option<JoinHandle<()>>,
}

/// Starts it on a free port of every loopback address.
pub fn start() -> io::Result<Hostile> {
    let listener = std::net::TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let (stop, mut stopped) = watch::channel(());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let serve = async move {
        let Ok(listener) = TcpListener::from_std(listener) else { return };
        tokio::select! {
            () = play::serve(&listener) => {}
            _ = stopped.changed() => {}
        }
    };
    let thread =
        std::thread::Builder::new().name("hostile".to_owned()).spawn(move || runtime.block_on(serve))?;
    Ok(Hostile { port, stop, thread: Some(thread) })
}

impl Hostile {
    /// Where a malice listens.
    pub fn address(&self, malice: Malice) -> SocketAddr {
        SocketAddr::from((malice.address(), self.port))
    }

    /// A URL of a malice under a scheme, `target` beginning with a slash.
    pub fn url(&self, scheme: &str, malice: Malice, target: &str) -> String {
        format!("{scheme}://{}:{}{target}", malice.host(), self.port)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
