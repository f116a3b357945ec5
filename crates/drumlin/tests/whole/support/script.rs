use super::edge;
use super::gaps::Seen;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A server of HTTP/1.1 that answers as a function says, one request a connection, on every loopback address. It lives
/// as long as the test's process.
pub(crate) struct Script {
    /// Its port.
    pub(crate) port: u16,
    log: Log,
}

/// A request.
pub(crate) struct Ask<'a> {
    /// Without port.
    pub(crate) host: &'a str,
    /// Path and query.
    pub(crate) target: &'a str,
    /// How often this was asked for before.
    pub(crate) times: usize,
    /// `If-None-Match`; empty without.
    pub(crate) known: &'a str,
    /// `If-Modified-Since`, in lower case; empty without.
    pub(crate) since: &'a str,
    /// `Cookie`, in lower case; empty without.
    pub(crate) cookies: &'a str,
    /// The server's port, for absolute URLs.
    pub(crate) port: u16,
}

/// A response.
pub(crate) struct Reply {
    status: u16,
    headers: String,
    body: String,
    late: Duration,
}

type Log = Arc<Mutex<Vec<Seen>>>;

impl Script {
    /// Starts it.
    pub(crate) fn start(answer: impl Fn(&Ask<'_>) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").expect("a free port");
        let port = listener.local_addr().expect("a bound socket").port();
        let log = Log::default();
        let (shared, answer, began) = (Arc::clone(&log), Arc::new(answer), edge::now());
        thread::spawn(move || {
            for stream in listener.incoming().flatten().filter(is_local) {
                let (log, answer) = (Arc::clone(&shared), Arc::clone(&answer));
                thread::spawn(move || serve(&stream, port, began, &log, answer.as_ref()));
            }
        });
        Self { port, log }
    }

    /// What it has answered so far.
    pub(crate) fn log(&self) -> Vec<Seen> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How often `host` was asked for `target`.
    pub(crate) fn times(&self, host: &str, target: &str) -> usize {
        self.log().iter().filter(|seen| seen.host == host && seen.target == target).count()
    }

    /// The URL of something on a host of this server.
    pub(crate) fn url(&self, host: &str, target: &str) -> String {
        format!("http://{host}:{}{target}", self.port)
    }
}

impl Reply {
    /// A status, with a body that names it.
    pub(crate) fn status(status: u16) -> Self {
        let body = format!("{status}\n");
        Self { status, headers: String::new(), body, late: Duration::ZERO }
            .header("Content-Type", "text/plain")
    }

    /// A page with these links.
    pub(crate) fn page(links: &[&str]) -> Self {
        let mut body = "<!doctype html><title>A page</title>\n".to_owned();
        for link in links {
            let _ = writeln!(body, "<p><a href=\"{link}\">{link}</a>");
        }
        Self::html(body)
    }

    /// A page as it is.
    pub(crate) fn html(body: String) -> Self {
        Self { status: 200, headers: String::new(), body, late: Duration::ZERO }
            .header("Content-Type", "text/html; charset=utf-8")
    }

    /// Nothing, since it is as it was.
    pub(crate) fn not_modified() -> Self {
        Self { body: String::new(), ..Self::status(304) }
    }

    /// A text.
    pub(crate) fn text(body: &str) -> Self {
        Self { body: body.to_owned(), ..Self::status(200) }
    }

    /// A redirect.
    pub(crate) fn redirect(status: u16, target: &str) -> Self {
        Self::status(status).header("Location", target)
    }

    /// The same under another status.
    #[must_use]
    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// The same with one more header.
    #[must_use]
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.headers, "{name}: {value}\r\n");
        self
    }

    /// The same with its last byte so much later than the others.
    #[must_use]
    pub(crate) fn late(self, late: Duration) -> Self {
        Self { late, ..self }
    }

    fn bytes(&self) -> String {
        let Self { status, headers, body, .. } = self;
        format!(
            "HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
    }
}

fn is_local(stream: &TcpStream) -> bool {
    stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback())
}

/// Answers one request. It is in the log before its last byte leaves.
fn serve(stream: &TcpStream, port: u16, began: Instant, log: &Log, answer: &dyn Fn(&Ask<'_>) -> Reply) {
    let Some(request) = read_request(stream) else { return };
    let Request { host, target, known, since, cookies } = request;
    let start_us = began.elapsed().as_micros() as u64;
    let address = stream.local_addr().expect("a connected socket").ip().to_string();
    let mut entries = log.lock().unwrap_or_else(PoisonError::into_inner);
    let times = entries.iter().filter(|seen| seen.host == host && seen.target == target).count();
    let (known, since, cookies) = (&*known, &*since, &*cookies);
    let reply = answer(&Ask { host: &host, target: &target, times, known, since, cookies, port });
    let end_us = began.elapsed().as_micros() as u64;
    entries.push(Seen { start_us, end_us, host, address, target, status: reply.status });
    drop(entries);
    let _ = send(stream, &reply);
}

fn send(mut stream: &TcpStream, reply: &Reply) -> io::Result<()> {
    let bytes = reply.bytes().into_bytes();
    let (last, before) = bytes.split_last().expect("a response has bytes");
    if !reply.late.is_zero() {
        stream.write_all(before)?;
        edge::pause(reply.late);
        return stream.write_all(&[*last]);
    }
    stream.write_all(&bytes)
}

struct Request {
    /// Without its port.
    host: String,
    /// Path with query.
    target: String,
    known: String,
    since: String,
    cookies: String,
}

fn read_request(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines();
    let target = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
    let (mut host, mut known, mut since, mut cookies) = Default::default();
    for line in lines {
        let line = line.ok()?.to_ascii_lowercase();
        if line.is_empty() {
            return Some(Request { host, target, known, since, cookies });
        }
        if let Some(value) = line.strip_prefix("if-none-match:") {
            value.trim().clone_into(&mut known);
        }
        if let Some(value) = line.strip_prefix("if-modified-since:") {
            value.trim().clone_into(&mut since);
        }
        if let Some(value) = line.strip_prefix("cookie:") {
            value.trim().clone_into(&mut cookies);
        }
        if let Some(value) = line.strip_prefix("host:") {
            value.trim().split(':').next()?.clone_into(&mut host);
        }
    }
    None
}
