//! pywb as a reader of archives.

use super::edge::await_until;
use flate2::read::GzDecoder;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
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

/// Where it listens: nobody else does who takes any free port.
const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 87, 65, 43);

/// pywb over a collection that is our files and our index; dropping it stops it.
pub(crate) struct Wayback {
    address: SocketAddrV4,
    child: Child,
    log: PathBuf,
    /// Keeps others from the port while pywb starts, which takes seconds: it has the same one at another address.
    _port: TcpListener,
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
        let reserved = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = reserved.local_addr().expect("a bound socket").port();
        let address = SocketAddrV4::new(ADDRESS, port);
        let log = room.join("log");
        let output = fs::File::create(&log).expect("a temporary directory");
        program.args(["--bind", &ADDRESS.to_string(), "--port", &port.to_string(), "--directory"]).arg(room);
        let child =
            program.stdout(output.try_clone().expect("a file")).stderr(output).spawn().expect("pywb starts");
        let mut wayback = Self { address, child, log, _port: reserved };
        let settled =
            || wayback.child.try_wait().expect("a child").is_some() || TcpStream::connect(address).is_ok();
        assert!(await_until(Duration::from_mins(1), settled), "pywb does not listen: {}", wayback.said());
        wayback
    }

    /// The body that it shows of the newest capture of a URL.
    pub(crate) fn replay(&self, url: &str) -> Vec<u8> {
        let answer = self.ask(url);
        assert!(answer.status() == "200", "{url}: {}\n{}", answer.head, self.said());
        plain(&answer.body)
    }

    /// The body that it shows of the capture nearest to a moment, given as 14 digits.
    pub(crate) fn replay_of(&self, moment: &str, url: &str) -> Vec<u8> {
        let answer = self.ask_of(moment, url);
        assert!(answer.status() == "200", "{url} at {moment}: {}\n{}", answer.head, self.said());
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
        let answer = self
            .exchange(&format!("GET /crawl/{moment}id_/{url} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address));
        let answer = answer.unwrap_or_else(|error| panic!("{url}: {error}\n{}", self.said()));
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("{url}: no head\n{}", self.said())) + 4;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        Answer { head, body: answer[end..].to_owned() }
    }

    fn exchange(&self, request: &str) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    }

    /// What it has said of itself so far.
    fn said(&self) -> String {
        fs::read_to_string(&self.log).expect("its log")
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
