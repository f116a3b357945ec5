use crate::clock::whole_ms;
use crate::failure::{failure, of_exchange, of_handshake};
use crate::http2;
use crate::limits::{HEAD_BYTES, HEADERS, Limits, READ_BUFFER_BYTES, SETTLE_MS};
use crate::route::Route;
use crate::tape::Tape;
use crate::tls::{Speaks, Tls, TlsFacts, server_name};
use crate::wire::{SharedTape, Stream, Wire};
use bytes::Bytes;
use crawler::{Failure, FailureKind, FetchJob};
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2::SendRequest};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

/// What goes on under a connection.
pub(crate) type Driver = Pin<Box<dyn Future<Output = ()> + Send>>;
pub(crate) type Request = http::Request<Empty<Bytes>>;
pub(crate) type Response = http::Response<Incoming>;

/// Sends requests by one version of HTTP.
pub(crate) enum Sender {
    One(http1::SendRequest<Empty<Bytes>>),
    Two(SendRequest<Empty<Bytes>>),
}

/// An open HTTP connection to one address. Its protocol machine runs inside the task that uses it:
/// no task of its own, nothing to hand over, and dropping it closes the socket.
pub(crate) struct Connection {
    pub(crate) sender: Sender,
    pub(crate) tape: SharedTape,
    pub(crate) facts: TlsFacts,
    driver: Option<Driver>,
}

/// Whether a connection can take another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readiness {
    Ready,
    Closed,
}

impl Connection {
    /// Connects to the job's address, by TLS where its URL says `https`; nothing is resolved here.
    pub(crate) async fn open(
        job: &FetchJob,
        tls: &Tls,
        route: &Route,
        limits: &Limits,
        deadline: Instant,
    ) -> Result<Self, Failure> {
        if job.url.scheme() == "http" {
            let tcp = connect(job, route, limits, deadline).await?;
            return Self::speak_http(Stream::Plain(tcp), TlsFacts::default(), Speaks::One).await;
        }
        // Nobody is contacted for nothing.
        let name = server_name(job.url.host()).map_err(|error| of_handshake(&error))?;
        let tcp = connect(job, route, limits, deadline).await?;
        let given_ms = given_ms(limits.tls_ms, deadline);
        let secured = timeout(Duration::from_millis(given_ms), tls.handshake(&job.url, name, tcp))
            .await
            .map_err(|_| failure(FailureKind::Tls, format!("TLS handshake: not done in {given_ms} ms")))?
            .map_err(|error| of_handshake(&error))?;
        Self::speak_http(Stream::Tls(Box::new(secured.stream)), secured.facts, secured.speaks).await
    }

    async fn speak_http(stream: Stream, facts: TlsFacts, speaks: Speaks) -> Result<Self, Failure> {
        let tape = SharedTape::default();
        let wire = TokioIo::new(Wire::new(stream, tape.clone()));
        let (sender, driver) = match speaks {
            Speaks::One => speak_one(wire).await,
            Speaks::Two => {
                tape.with(Tape::expect_frames);
                http2::open(wire).await.map(|(sender, driver)| (Sender::Two(sender), driver))
            }
        }
        .map_err(|error| of_exchange(&error))?;
        Ok(Self { sender, tape, facts, driver: Some(driver) })
    }

    /// The version of HTTP on it.
    pub(crate) fn speaks(&self) -> Speaks {
        if matches!(self.sender, Sender::Two(_)) { Speaks::Two } else { Speaks::One }
    }

    /// Bytes that have come for the request under way.
    pub(crate) fn wire_bytes(&self) -> u64 {
        self.tape.with(|tape| tape.received())
    }

    /// Sends a request and waits for the head of its response.
    pub(crate) async fn send(&mut self, request: Request) -> hyper::Result<Response> {
        match &mut self.sender {
            Sender::One(sender) => {
                let pending = sender.send_request(request);
                self.drive(pending).await
            }
            Sender::Two(sender) => {
                let head = http2::request_head(&request);
                let pending = sender.send_request(request);
                let response = self.drive(pending).await?;
                self.tape.with(|tape| tape.write(head, http2::response_head(&response)));
                Ok(response)
            }
        }
    }

    /// Runs `work`, which waits for this connection, and the connection under it.
    pub(crate) async fn drive<F: Future>(&mut self, work: F) -> F::Output {
        Driven { driver: &mut self.driver, work: pin!(work) }.await
    }

    /// Whether another request can be sent, once the last response is read to its end.
    pub(crate) async fn settle(&mut self) -> Readiness {
        let settled = timeout(Duration::from_millis(SETTLE_MS), self.ready()).await;
        settled.unwrap_or(Readiness::Closed)
    }

    /// Whether an idle connection is still open, as far as can be known without sending.
    pub(crate) async fn is_open(&mut self) -> bool {
        let mut ready = pin!(self.ready());
        let now = std::future::poll_fn(|cx| Poll::Ready(ready.as_mut().poll(cx))).await;
        now == Poll::Ready(Readiness::Ready)
    }

    async fn ready(&mut self) -> Readiness {
        let Self { sender, driver, .. } = self;
        let ready = async {
            match sender {
                Sender::One(sender) => sender.ready().await,
                Sender::Two(sender) => sender.ready().await,
            }
        };
        let ready = Driven { driver, work: pin!(ready) }.await;
        if ready.is_ok() && driver.is_some() { Readiness::Ready } else { Readiness::Closed }
    }
}

async fn connect(
    job: &FetchJob,
    route: &Route,
    limits: &Limits,
    deadline: Instant,
) -> Result<TcpStream, Failure> {
    let given_ms = given_ms(limits.connect_ms, deadline);
    let tcp = timeout(Duration::from_millis(given_ms), route.dial(job.address)).await.map_err(|_| {
        let detail = format!("connect: no answer from {} in {given_ms} ms", job.address);
        failure(FailureKind::ConnectTimeout, detail)
    })??;
    // The request is one write; waiting to fill a packet (RFC 896) only costs time. Failing to say so is no reason to stop.
    let _ = tcp.set_nodelay(true);
    Ok(tcp)
}

/// What a step gets that has a limit of its own, within the deadline of all.
pub(crate) fn given_ms(limit_ms: u64, deadline: Instant) -> u64 {
    limit_ms.min(whole_ms(deadline.saturating_duration_since(Instant::now())))
}

async fn speak_one(wire: TokioIo<Wire>) -> hyper::Result<(Sender, Driver)> {
    let (sender, connection) = lenient_http1().handshake(wire).await?;
    Ok((Sender::One(sender), Box::pin(async move { drop(connection.await) })))
}

/// HTTP/1.1 as the wild web speaks it (RFC 9112, section 5.1, 5.2: folded lines, spaces before colons).
fn lenient_http1() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .title_case_headers(true)
        .max_headers(HEADERS)
        .max_buf_size(READ_BUFFER_BYTES)
        .max_header_size(HEAD_BYTES);
    builder
}

struct Driven<'a, F> {
    driver: &'a mut Option<Driver>,
    work: Pin<&'a mut F>,
}

impl<F: Future> Future for Driven<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // What ends the driver (a close, a fault) also reaches `work`, with more to say about it.
        if let Some(driver) = self.driver.as_mut()
            && driver.as_mut().poll(cx).is_ready()
        {
            *self.driver = None;
        }
        self.work.as_mut().poll(cx)
    }
}
