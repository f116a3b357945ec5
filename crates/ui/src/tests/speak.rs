//! HTTP by hand, so that what is tested is what goes over the wire.

use super::desk::MadeUp;
use crate::{Entrance, Server, Token, serve};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// The token of every test.
pub(super) const TOKEN: &str = "Bearer 00000000000000000000000000000001";

fn token() -> Token {
    Token::of(1_u128.to_le_bytes())
}

/// A server in front of a made-up desk, at a loopback address and a socket.
pub(super) struct Served {
    pub(super) desk: Arc<MadeUp>,
    pub(super) address: SocketAddr,
    pub(super) socket: PathBuf,
    _dir: TempDir,
    _server: Server,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Served {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let socket = dir.path().join("control.sock");
        let unix = UnixListener::bind(&socket).expect("a socket");
        let owner = socket.metadata().expect("a socket").uid();
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = tcp.local_addr().expect("a port");
        let desk = Arc::new(MadeUp::default());
        let entrances = vec![
            Entrance::Socket { listener: unix, owner },
            Entrance::Loopback { listener: tcp, token: token() },
        ];
        let server = serve(desk.clone(), entrances).expect("a server");
        Self { desk, address, socket, _dir: dir, _server: server }
    }

    /// Sends a request with this head, by TCP.
    pub(super) fn ask(&self, head: &str, body: &str) -> Answer {
        ask_at(self.address, head, body)
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1"), "")
    }

    /// Says a command, with the token.
    pub(super) fn command(&self, body: &str) -> Answer {
        let head = format!(
            "POST /api/v1/commands HTTP/1.1\r\nAuthorization: {TOKEN}\r\nContent-Type: application/json"
        );
        self.ask(&head, body)
    }

    /// Sends a request through the socket.
    pub(super) fn ask_socket(&self, head: &str, body: &str) -> Answer {
        exchange(UnixStream::connect(&self.socket).expect("a server"), &[head, "Host: drumlin"], body)
    }
}

/// Sends a request with this head to whoever serves there.
pub(super) fn ask_at(address: SocketAddr, head: &str, body: &str) -> Answer {
    let host = format!("Host: {address}");
    exchange(TcpStream::connect(address).expect("a server"), &[head, &host], body)
}

/// One request, one answer, one connection.
fn exchange(mut stream: impl Read + Write, head: &[&str], body: &str) -> Answer {
    let length = format!("Content-Length: {}", body.len());
    let request = [head, &[&length, "Connection: close", "", body]].concat().join("\r\n");
    // A server that has heard enough answers and closes while we are still talking.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// A server that does not close is no reason to wait for ever.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a server says to raw bytes before it closes. Who closes first may get no answer: HTTP/1.1 lets a server take that for an end.
pub(super) fn shout(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).expect("a server");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout that is not zero");
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// A second server that asks the first through its socket.
pub(super) fn serve_through(first: &Served) -> (SocketAddr, Server) {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = tcp.local_addr().expect("a port");
    let entrance = Entrance::Loopback { listener: tcp, token: token() };
    (address, crate::serve_through(first.socket.clone(), vec![entrance]).expect("a server"))
}
