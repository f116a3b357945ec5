//! Servers that say exactly what they are told to, and fetchers to meet them.

use archive::Capture;
use crawler::{AnyContentType, Asks, Failure, FailureKind, FetchJob, FetchLimits, Outcome, Ticket};
use fetch::{AddressPolicy, Clock, FetchConfig, Fetcher, Limits};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use stdx::{Timestamp, WallTime};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use weburl::Url;

/// Who a test crawler says it is.
pub(crate) const USER_AGENT: &str = "drumlin-test/0 (+https://example.com/bot)";

/// A configuration that may contact loopback and keeps two idle connections.
pub(crate) fn config() -> FetchConfig {
    FetchConfig {
        dns: vec!["127.0.0.1:9".parse().unwrap()],
        policy: AddressPolicy::new(vec!["127.0.0.0/8".parse().unwrap()]).unwrap(),
        limits: Limits { idle_connections: 2, ..Limits::default() },
        clock: Clock::starting_at(Timestamp::from_ms(1_000), WallTime::from_unix_ms(1_700_000_000_000)),
        ..FetchConfig::new(USER_AGENT)
    }
}

/// Says that a test is left out for want of `what`; the nightly run has to have it.
#[expect(clippy::disallowed_methods, reason = "the suites are told by their runner what there is")]
pub(crate) fn skip(what: &str) {
    assert!(std::env::var("DRUMLIN_NIGHTLY").is_err(), "there is no {what}");
    println!("skipped: no {what}");
}

/// A fetcher with [`config`].
pub(crate) fn fetcher() -> Fetcher {
    Fetcher::new(config()).unwrap()
}

/// A fetcher whose patience is a fraction of a second, for servers that would use up any.
pub(crate) fn hasty_fetcher() -> Fetcher {
    let limits = Limits { tls_ms: 300, head_ms: 300, rate_window_ms: 300, ..config().limits };
    Fetcher::new(FetchConfig { limits, ..config() }).unwrap()
}

/// A job for `url`, dialling `address`, with a body limit of 1,000 bytes.
pub(crate) fn job(url: &str, address: SocketAddr) -> FetchJob {
    FetchJob {
        ticket: Ticket(7),
        url: Url::parse(url).unwrap(),
        address,
        limits: FetchLimits { body_bytes: 1_000, total_ms: 60_000, any_content_type: AnyContentType::No },
        begin_by: Timestamp::NEVER,
        keep_alive: false,
        asks: Asks::Whatever,
    }
}

/// A server and what it saw.
pub(crate) struct Server {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Requests,
}

/// Request heads, in order of arrival.
pub(crate) type Requests = Arc<Mutex<Vec<String>>>;

impl Server {
    /// How many connections it accepted.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The request heads it read.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The port it listens on as part of a URL with the given host.
    pub(crate) fn url(&self, scheme: &str, host: &str, path: &str) -> String {
        format!("{scheme}://{host}:{}{path}", self.address.port())
    }
}

/// Serves every connection with `handler`.
pub(crate) async fn serve<F, Fut>(handler: F) -> Server
where
    F: Fn(Peer) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let requests = Requests::default();
    let server = Server { address, connections: connections.clone(), requests: requests.clone() };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            connections.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(handler(Peer { stream, requests: requests.clone() }));
        }
    });
    server
}

/// The server's end of a connection.
pub(crate) struct Peer {
    /// The socket.
    pub(crate) stream: TcpStream,
    requests: Requests,
}

impl Peer {
    /// Reads one request head; false at the end of the connection.
    pub(crate) async fn hear(&mut self) -> bool {
        match read_head(&mut self.stream).await {
            Some(head) => {
                self.requests.lock().unwrap().push(head);
                true
            }
            None => false,
        }
    }

    /// Sends bytes; the client may be gone.
    pub(crate) async fn say(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Keeps the connection open until the client closes it.
    pub(crate) async fn linger(&mut self) {
        let mut sink = [0; 1024];
        while matches!(self.stream.read(&mut sink).await, Ok(read) if read > 0) {}
    }
}

/// Reads to the first empty line.
pub(crate) async fn read_head<S: AsyncRead + Unpin>(stream: &mut S) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    Some(String::from_utf8(head).unwrap())
}

/// A server that answers every connection's first request with `response` and closes.
pub(crate) async fn answering(response: impl Into<Vec<u8>>) -> Server {
    let response = response.into();
    serve(move |mut peer| {
        let response = response.clone();
        async move {
            peer.hear().await;
            peer.say(&response).await;
            let _ = peer.stream.shutdown().await;
            peer.linger().await;
        }
    })
    .await
}

/// Fetches `/` from a server that answers with `response` and closes.
pub(crate) async fn fetch_raw(response: impl Into<Vec<u8>>) -> Outcome {
    let server = answering(response).await;
    let url = server.url("http", "site.test", "/");
    fetcher().fetch(job(&url, server.address)).await.unwrap().outcome
}

/// The capture, which must be there.
pub(crate) fn captured(outcome: Outcome) -> Arc<Capture> {
    match outcome {
        Outcome::Captured(capture) => capture,
        Outcome::Failed(failure) => panic!("no capture: {failure:?}"),
        Outcome::TooLate => panic!("no contact"),
    }
}

/// The failure, which must be there.
pub(crate) fn failed(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Captured(capture) => panic!("no failure: {capture:?}"),
        Outcome::TooLate => panic!("no contact"),
        Outcome::Failed(failure) => failure,
    }
}

/// Checks that the outcome is a failure of this kind whose detail holds `needle`.
pub(crate) fn check_failure(outcome: Outcome, kind: FailureKind, needle: &str) {
    let failure = failed(outcome);
    assert_eq!(failure.kind, kind, "{failure:?}");
    assert!(failure.detail.contains(needle), "`{needle}` is not in {failure:?}");
}
