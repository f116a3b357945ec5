use crate::answer::{self, Answerer};
use crate::guard::Door;
use crate::history::History;
use crate::limits::{
    ASKING, CONNECTION_TIME, CONNECTIONS, GOODBYE_TIME, HEAD_BYTES, HEAD_TIME, SAMPLE_EVERY,
};
use crate::reply::Reply;
use crate::{Desk, Token, proxy};
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{interval, sleep, timeout};

/// Where a server listens.
#[derive(Debug)]
pub enum Entrance {
    /// A socket in the crawl's directory. Only this user may come in, without a token.
    Socket {
        /// Listens already.
        listener: UnixListener,
        /// The number of the user.
        owner: u32,
    },
    /// A loopback address: who is on this machine may look, and the token changes.
    Loopback {
        /// Listens already.
        listener: TcpListener,
        /// The token.
        token: Token,
    },
    /// Any other address: the token is needed to look, too.
    Remote {
        /// Listens already.
        listener: TcpListener,
        /// The token.
        token: Token,
    },
}

/// A server that runs until this is dropped.
#[derive(Debug)]
pub struct Server {
    stop: Option<watch::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Who answers.
#[derive(Clone)]
enum Backend {
    Desk(Arc<Answerer>),
    Through(Arc<PathBuf>),
}

/// Serves a crawl at these entrances.
pub fn serve(desk: Arc<dyn Desk>, entrances: Vec<Entrance>) -> io::Result<Server> {
    let answerer = Answerer { desk, history: Mutex::new(History::new()) };
    start(Backend::Desk(Arc::new(answerer)), entrances)
}

/// Serves what the server at this socket says.
pub fn serve_through(socket: PathBuf, entrances: Vec<Entrance>) -> io::Result<Server> {
    start(Backend::Through(Arc::new(socket)), entrances)
}

fn start(backend: Backend, entrances: Vec<Entrance>) -> io::Result<Server> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(ASKING + 1)
        .thread_name("ui-ask")
        .build()?;
    let listeners = {
        let _inside = runtime.enter();
        entrances.into_iter().map(Listener::of).collect::<io::Result<Vec<_>>>()?
    };
    let (stop, stopped) = watch::channel(());
    let body = move || {
        runtime.block_on(run(backend, listeners, stopped));
        runtime.shutdown_timeout(Duration::ZERO);
    };
    let thread = std::thread::Builder::new().name("ui".to_owned()).spawn(body)?;
    Ok(Server { stop: Some(stop), thread: Some(thread) })
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn run(backend: Backend, listeners: Vec<Listener>, mut stopped: watch::Receiver<()>) {
    let mut tasks = JoinSet::new();
    for listener in listeners {
        // To each its own: who fills the dashboard's keeps no operator from the socket.
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        tasks.spawn(listener.listen(backend.clone(), room));
    }
    if let Backend::Desk(answerer) = backend {
        tasks.spawn(tick(answerer));
    }
    // The sender says nothing; it goes when the server is to stop.
    let _ = stopped.changed().await;
    tasks.shutdown().await;
}

/// Takes a sample a second.
async fn tick(answerer: Arc<Answerer>) {
    let mut ticks = interval(SAMPLE_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let answerer = answerer.clone();
        let ticked = spawn_blocking(move || {
            if let Ok(standing) = answerer.desk.standing() {
                answerer.history.lock().unwrap_or_else(PoisonError::into_inner).note(&standing.snapshot);
            }
            answerer.desk.tick();
        });
        if ticked.await.is_err() {
            return;
        }
    }
}

enum Listener {
    Socket { listener: tokio::net::UnixListener, owner: u32 },
    Tcp { listener: tokio::net::TcpListener, door: Door },
}

/// After a failure to accept (no more file descriptors, say).
const ACCEPT_AGAIN: Duration = Duration::from_millis(200);

impl Listener {
    fn of(entrance: Entrance) -> io::Result<Self> {
        let tcp = |listener: TcpListener, door| {
            listener.set_nonblocking(true)?;
            Ok(Self::Tcp { listener: tokio::net::TcpListener::from_std(listener)?, door })
        };
        match entrance {
            Entrance::Socket { listener, owner } => {
                listener.set_nonblocking(true)?;
                Ok(Self::Socket { listener: tokio::net::UnixListener::from_std(listener)?, owner })
            }
            Entrance::Loopback { listener, token } => tcp(listener, Door::Loopback(token)),
            Entrance::Remote { listener, token } => tcp(listener, Door::Remote(token)),
        }
    }

    async fn listen(self, backend: Backend, room: Arc<Semaphore>) {
        let mut guests = JoinSet::new();
        loop {
            while guests.try_join_next().is_some() {}
            let (accepted, door) = self.accept().await;
            match accepted {
                Err(_) => sleep(ACCEPT_AGAIN).await,
                // Who finds the house full is not kept waiting: the connection closes.
                Ok(stream) => {
                    let Ok(seat) = room.clone().try_acquire_owned() else { continue };
                    let backend = backend.clone();
                    guests.spawn(async move {
                        converse(stream, backend, door).await;
                        drop(seat);
                    });
                }
            }
        }
    }

    async fn accept(&self) -> (io::Result<Box<dyn Stream>>, Door) {
        match self {
            Self::Tcp { listener, door } => {
                let accepted = listener.accept().await.map(|(stream, _)| Box::new(stream) as Box<dyn Stream>);
                (accepted, door.clone())
            }
            Self::Socket { listener, owner } => (accept_owner(listener, *owner).await, Door::Socket),
        }
    }
}

/// The mode of the socket's file keeps others out already, but not everywhere and not in its first moment.
async fn accept_owner(listener: &tokio::net::UnixListener, owner: u32) -> io::Result<Box<dyn Stream>> {
    const ROOT: u32 = 0;
    let (stream, _) = listener.accept().await?;
    let user = stream.peer_cred()?.uid();
    let may_enter = user == owner || user == ROOT;
    if may_enter { Ok(Box::new(stream)) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// Serves one connection, for a bounded time.
async fn converse(stream: Box<dyn Stream>, backend: Backend, door: Door) {
    let service = service_fn(|request| respond(&backend, &door, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    if timeout(CONNECTION_TIME, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(GOODBYE_TIME, connection).await;
    }
}

async fn respond(backend: &Backend, door: &Door, request: Request<Incoming>) -> Result<Reply, Infallible> {
    Ok(match backend {
        Backend::Desk(answerer) => answer::answer(answerer, door, request).await,
        Backend::Through(socket) => proxy::answer(socket, door, request).await,
    })
}
