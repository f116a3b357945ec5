//! A web served on loopback over HTTP, HTTPS and DNS, for programs that want real sockets.
//!
//! One thread, one runtime. The web's URLs carry the ports that were found free, so the server binds first and
//! makes the web then. All addresses of the web are served: the sockets listen on every loopback address and
//! turn away whoever is not on loopback.

mod access_log;
mod bodies;
mod certificates;
mod dns;
mod exchange;
mod listen;
mod presence;
mod sent;
mod wire;

pub use access_log::AccessLog;
pub use certificates::CertificateError;

use crate::config::WebConfig;
use crate::web::Web;
use bodies::Bodies;
use certificates::Authority;
use presence::Presence;
use std::cell::RefCell;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::JoinHandle;
use thiserror::Error;
use tokio::sync::watch;

/// What a server needs besides the web's own configuration, whose ports it binds: 0 there means any free port.
#[derive(Default)]
pub struct ServerOptions {
    /// The UDP port of the DNS server on 127.0.0.1; 0 for any free one.
    pub dns_port: u16,
    /// Gets one JSON line a contact ([`crate::Contact::line`]), flushed at once.
    pub log: Option<Box<dyn Write + Send>>,
    /// Answers a connection has, the last of which says that it is closed; `None` for any number.
    pub answers_a_connection: Option<u32>,
    /// How hard bodies are compressed, 1 to 12 (libdeflate's levels); `None` for 6, which zlib takes unless told otherwise.
    pub level: Option<u8>,
}

/// A server at work. Dropping it stops it.
pub struct Running {
    /// The web as it is served, with the ports in use.
    pub web: Arc<Web>,
    /// Where its names are resolved.
    pub dns: SocketAddr,
    /// The certificate authority that a client has to trust, PEM.
    pub ca_pem: String,
    /// Every contact so far.
    pub log: AccessLog,
    presence: Presence,
    stop: watch::Sender<()>,
    thread: Option<JoinHandle<()>>,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum StartError {
    /// A port is taken, or may not be bound.
    #[error("cannot listen on port {port} for {service}: {source}")]
    Bind {
        /// `HTTP`, `HTTPS` or `DNS`.
        service: &'static str,
        /// The port asked for; 0 is any.
        port: u16,
        /// What the system says.
        source: io::Error,
    },
    /// The certificates could not be made.
    #[error("cannot make certificates: {0}")]
    Certificate(#[from] CertificateError),
    /// No thread or no event loop.
    #[error("cannot start the server's thread: {0}")]
    Thread(io::Error),
}

/// Everything that connections share; on one thread, so no locks.
pub(crate) struct Shared {
    pub(crate) web: Arc<Web>,
    pub(crate) log: AccessLog,
    pub(crate) presence: Presence,
    pub(crate) bodies: RefCell<Bodies>,
    pub(crate) answers_a_connection: Option<u32>,
}

/// Starts a server on a thread of its own and returns once it answers.
pub fn start(config: WebConfig, options: ServerOptions) -> Result<Running, StartError> {
    let (ready, started) = std::sync::mpsc::sync_channel(1);
    let (stop, stopped) = watch::channel(());
    let thread = std::thread::Builder::new()
        .name("simweb".to_owned())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            match runtime {
                Ok(runtime) => {
                    tokio::task::LocalSet::new().block_on(&runtime, serve(config, options, ready, stopped));
                }
                Err(error) => drop(ready.send(Err(StartError::Thread(error)))),
            }
        })
        .map_err(StartError::Thread)?;
    let lost = || StartError::Thread(io::Error::other("it ended before it began"));
    let ready = started.recv().map_err(|_| lost())??;
    Ok(Running {
        web: ready.web,
        dns: ready.dns,
        ca_pem: ready.ca_pem,
        log: ready.log,
        presence: ready.presence,
        stop,
        thread: Some(thread),
    })
}

impl Running {
    /// The port of plain HTTP, on every address of the web.
    pub fn http_port(&self) -> u16 {
        self.web.config().http_port
    }

    /// The port of HTTPS.
    pub fn https_port(&self) -> u16 {
        self.web.config().https_port
    }

    /// Waits until the server has done with every client that is gone: what those have sent is answered or given up, and
    /// in the log. Whoever is still connected is waited for.
    pub fn settle(&self) -> io::Result<()> {
        presence::call(self.http_port())?;
        presence::call(self.https_port())?;
        self.presence.await_nobody();
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Ready {
    web: Arc<Web>,
    dns: SocketAddr,
    ca_pem: String,
    log: AccessLog,
    presence: Presence,
}

type Report = std::sync::mpsc::SyncSender<Result<Ready, StartError>>;

async fn serve(config: WebConfig, options: ServerOptions, report: Report, mut stopped: watch::Receiver<()>) {
    match open(config, options).await {
        Ok(open) => {
            let (log, presence) = (open.shared.log.clone(), open.shared.presence.clone());
            let _ = report.send(Ok(Ready {
                web: open.shared.web.clone(),
                dns: open.dns_address,
                ca_pem: open.ca_pem,
                log,
                presence,
            }));
            tokio::task::spawn_local(dns::serve(open.dns, Rc::clone(&open.shared)));
            tokio::task::spawn_local(listen::serve(open.http, None, Rc::clone(&open.shared)));
            tokio::task::spawn_local(listen::serve(open.https, Some(open.acceptor), open.shared));
            let _ = stopped.changed().await;
        }
        Err(error) => drop(report.send(Err(error))),
    }
}

/// Bound, and ready to serve.
struct Open {
    http: tokio::net::TcpListener,
    https: tokio::net::TcpListener,
    dns: tokio::net::UdpSocket,
    dns_address: SocketAddr,
    acceptor: tokio_rustls::TlsAcceptor,
    ca_pem: String,
    shared: Rc<Shared>,
}

async fn open(mut config: WebConfig, options: ServerOptions) -> Result<Open, StartError> {
    let failed = |service, port| move |source| StartError::Bind { service, port, source };
    let (http, http_port) = listen::bind(config.http_port).map_err(failed("HTTP", config.http_port))?;
    let (https, https_port) = listen::bind(config.https_port).map_err(failed("HTTPS", config.https_port))?;
    let (dns, dns_address) = dns::bind(options.dns_port).await.map_err(failed("DNS", options.dns_port))?;
    (config.http_port, config.https_port) = (http_port, https_port);
    let web = Arc::new(Web::new(config));
    let authority = Authority::new(Arc::clone(&web))?;
    let ca_pem = authority.pem();
    let acceptor = authority.acceptor()?;
    let log = AccessLog::new(options.log);
    let shared = Rc::new(Shared {
        web,
        log,
        presence: Presence::default(),
        bodies: RefCell::new(Bodies::new(options.level)),
        answers_a_connection: options.answers_a_connection,
    });
    Ok(Open { http, https, dns, dns_address, acceptor, ca_pem, shared })
}
