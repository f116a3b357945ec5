//! pywb as a reader of archives.

use super::edge::await_until;
use flate2::read::GzDecoder;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A payload without its content coding.
pub(crate) fn plain(payload: &[u8]) -> Vec<u8> {
    if !payload.starts_with(&[0x1F, 0x8B]) {
        return payload.to_owned();
    }
    let mut body = Vec::new();
    GzDecoder::new(payload).read_to_end(&mut body).expect("whole gzip");
    body
}

/// pywb over a collection that is our files and our index; dropping it stops it.
pub(crate) struct Wayback {
    port: u16,
    child: std::process::Child,
}

impl Wayback {
    /// Its own files go into `room`.
    pub(crate) fn start(mut program: Command, room: &Path, files: &[PathBuf], index: &Path) -> Self {
        let collection = room.join("collections/crawl");
        for dir in ["archive", "indexes"] {
            fs::create_dir_all(collection.join(dir)).expect("a temporary directory");
        }
        for file in files {
            fs::copy(file, collection.join("archive").join(file.file_name().expect("a name")))
                .expect("a copy");
        }
        fs::copy(index, collection.join("indexes/index.cdxj")).expect("a copy");
        let probe = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = probe.local_addr().expect("a bound socket").port();
        drop(probe);
        let log = fs::File::create(room.join("log")).expect("a temporary directory");
        program.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--directory"]).arg(room);
        let child =
            program.stdout(log.try_clone().expect("a file")).stderr(log).spawn().expect("pywb starts");
        let wayback = Self { port, child };
        let listens = || TcpStream::connect(("127.0.0.1", port)).is_ok();
        assert!(await_until(Duration::from_mins(1), listens), "pywb does not listen");
        wayback
    }

    /// The body that it shows of the newest capture of a URL.
    pub(crate) fn replay(&self, url: &str) -> Vec<u8> {
        let answer = self.ask(url);
        assert!(answer.status() == "200", "{url}: {}", answer.head);
        plain(&answer.body)
    }

    /// The body that it shows of the capture nearest to a moment, given as 14 digits.
    pub(crate) fn replay_of(&self, moment: &str, url: &str) -> Vec<u8> {
        let answer = self.ask_of(moment, url);
        assert!(answer.status() == "200", "{url} at {moment}: {}", answer.head);
        plain(&answer.body)
    }

    /// The status that it answers with.
    pub(crate) fn status(&self, url: &str) -> String {
        self.ask(url).status().to_owned()
    }

    fn ask(&self, url: &str) -> Answer {
        self.ask_of("", url)
    }

    fn ask_of(&self, moment: &str, url: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        write!(stream, "GET /crawl/{moment}id_/{url} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port)
            .expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        Answer { head, body: answer[end..].to_owned() }
    }
}

/// What pywb says.
struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn status(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }
}

impl Drop for Wayback {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
