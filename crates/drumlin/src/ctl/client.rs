use crate::directory::SOCKET;
use crate::exit::bad_usage;
use crate::listening::SocketPath;
use anyhow::{Context, anyhow};
use control::{Command, Receipt, Refusal};
use serde_json::Value;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A crawl that runs, at its socket: one question, one answer. HTTP/1.1 by hand, since one that is spoken to here is always
/// our own.
pub(crate) struct Client {
    stream: UnixStream,
    path: PathBuf,
    patience: Duration,
}

/// A crawl answers sooner, if only that it is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest answer that is read: far more than the server gives.
const ANSWER_BYTES: u64 = 64 << 20;

/// What the server said.
struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Client {
    /// The crawl in `dir`, if one runs there and listens.
    pub(crate) fn connect(dir: &Path) -> anyhow::Result<Option<Self>> {
        Self::connect_for(dir, PATIENCE)
    }

    /// The same, for whoever waits this long for each answer.
    pub(super) fn connect_for(dir: &Path, patience: Duration) -> anyhow::Result<Option<Self>> {
        let path = dir.join(SOCKET);
        let stream = match SocketPath::of(dir).and_then(|socket| socket.connect()) {
            Ok(stream) => stream,
            Err(error) if is_nobody_there(error.kind()) => return Ok(None),
            Err(error) => return Err(bad_usage(format!("cannot speak to {}: {error}", path.display()))),
        };
        stream.set_read_timeout(Some(patience)).context("the socket of a crawl")?;
        stream.set_write_timeout(Some(patience)).context("the socket of a crawl")?;
        Ok(Some(Self { stream, path, patience }))
    }

    /// Has it do something.
    pub(crate) fn command(self, command: &Command) -> anyhow::Result<Result<Receipt, Refusal>> {
        let body = serde_json::to_vec(command).context("a command is plain data")?;
        let path = self.path.clone();
        let Some(Answer { status, body }) = self.ask("POST /api/v1/commands", &body)? else {
            return Ok(Err(Refusal::Unanswered));
        };
        let read = match status {
            200 => serde_json::from_slice(&body).map(Ok),
            400 | 409 => serde_json::from_slice(&body).map(Err),
            504 => Ok(Err(Refusal::Busy)),
            _ => return Err(failed(&body)),
        };
        read.map_err(|error| anyhow!("{} gave no answer to a command: {error}", path.display()))
    }

    /// What it says at a path of its API.
    pub(crate) fn get(self, path: &str) -> anyhow::Result<Value> {
        let answer = self.ask(&format!("GET {path}"), b"")?;
        let Answer { status, body } = answer.context("the crawl has just ended; ask again")?;
        match status {
            200 => serde_json::from_slice(&body).context("the crawl's answer is not JSON"),
            _ => Err(failed(&body)),
        }
    }

    /// The answer, or none where the crawl ended before all of it was said.
    fn ask(mut self, what: &str, body: &[u8]) -> anyhow::Result<Option<Answer>> {
        let length = body.len();
        let head = format!(
            "{what} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let mut answer = Vec::new();
        let mut exchange = || -> io::Result<()> {
            self.stream.write_all(head.as_bytes())?;
            self.stream.write_all(body)?;
            (&self.stream).take(ANSWER_BYTES).read_to_end(&mut answer).map(drop)
        };
        match exchange() {
            Err(error) if has_hung_up(error.kind()) => Ok(None),
            Err(error) if is_late(error.kind()) => Err(self.late()),
            Err(error) => Err(error).context(format!("{}: the crawl did not answer", self.path.display())),
            Ok(()) => Ok(parse(&answer)),
        }
    }

    /// What was said may be heard yet.
    fn late(&self) -> anyhow::Error {
        let (path, seconds) = (self.path.display(), self.patience.as_secs());
        anyhow!(
            "{path}: the crawl has not answered within {seconds} s, and may still do what it was asked to"
        )
    }
}

/// Why there is neither what was asked for nor a refusal.
fn failed(body: &[u8]) -> anyhow::Error {
    let said: Value = serde_json::from_slice(body).unwrap_or_default();
    anyhow!("{}", said["error"].as_str().unwrap_or("the crawl does not answer that"))
}

/// Nobody is there, or somebody was and has been killed; or no socket can be, since its path is too long.
fn is_nobody_there(error: ErrorKind) -> bool {
    matches!(error, ErrorKind::NotFound | ErrorKind::ConnectionRefused | ErrorKind::InvalidInput)
}

/// The time ran out for which a socket waits; systems have two names for that.
fn is_late(error: ErrorKind) -> bool {
    matches!(error, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn has_hung_up(error: ErrorKind) -> bool {
    matches!(error, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
}

/// Status and body of a response, if it is whole.
fn parse(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.split_whitespace().nth(1)?.parse().ok()?;
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let length = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|(_, length)| length.trim().parse::<usize>().ok());
    let body = &answer[end + 4..];
    length.is_none_or(|length| body.len() == length).then(|| Answer { status, body: body.to_vec() })
}
