use serde_json::Value;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// Who asks a crawl, one request a connection.
pub(crate) struct Client {
    place: Place,
    token: Option<String>,
}

enum Place {
    Socket(PathBuf),
    Address(String),
}

/// What came back; status 0 if nothing did.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Client {
    /// By the socket in a crawl's directory.
    pub(crate) fn of_socket(path: &Path) -> Self {
        Self { place: Place::Socket(path.to_owned()), token: None }
    }

    /// By an address, perhaps with a token.
    pub(crate) fn of_address(address: &str, token: Option<&str>) -> Self {
        Self { place: Place::Address(address.to_owned()), token: token.map(str::to_owned) }
    }

    /// What is at a path.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.exchange(&format!("GET {path} HTTP/1.1"), "")
    }

    /// … as JSON, if it is there.
    pub(crate) fn look(&self, path: &str) -> Option<Value> {
        let answer = self.get(path);
        serde_json::from_str(&answer.body).ok().filter(|_| answer.status == 200)
    }

    /// Says a command.
    pub(crate) fn command(&self, command: &str) -> Answer {
        self.exchange("POST /api/v1/commands HTTP/1.1\r\nContent-Type: application/json", command)
    }

    fn exchange(&self, head: &str, body: &str) -> Answer {
        let host = match &self.place {
            Place::Socket(_) => "drumlin",
            Place::Address(address) => address,
        };
        let token = self.token.as_ref().map(|token| format!("\r\nAuthorization: Bearer {token}"));
        let request = format!(
            "{head}\r\nHost: {host}{}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            token.unwrap_or_default(),
            body.len()
        );
        let said = match &self.place {
            Place::Socket(path) => UnixStream::connect(path).and_then(|stream| said(stream, &request)),
            Place::Address(address) => TcpStream::connect(address).and_then(|stream| said(stream, &request)),
        };
        said.map(|said| Answer::parse(&said)).unwrap_or_default()
    }
}

impl Answer {
    fn parse(said: &str) -> Self {
        let (head, body) = said.split_once("\r\n\r\n").unwrap_or((said, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, body: body.to_owned() }
    }
}

fn said(mut stream: impl Read + Write, request: &str) -> io::Result<String> {
    stream.write_all(request.as_bytes())?;
    let mut said = Vec::new();
    stream.read_to_end(&mut said)?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}
