//! As much of an HTTP client as it takes to test a server.

use crate::Scheme;
use crate::server::Running;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

pub(super) struct Client<'a> {
    pub(super) server: &'a Running,
    pub(super) accept: &'a str,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
    /// How the connection ended.
    pub(super) ending: io::Result<()>,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let field =
            |line: &'_ str| line.split_once(": ").is_some_and(|(field, _)| field.eq_ignore_ascii_case(name));
        self.head.lines().find(|line| field(line))?.split_once(": ").map(|(_, value)| value)
    }
}

impl Client<'_> {
    /// One request on one connection.
    pub(super) fn get(&self, url: &str) -> io::Result<Answer> {
        let url = url::Url::parse(url).unwrap();
        let (host, target) = (url.host_str().unwrap(), &url[url::Position::BeforePath..]);
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: {host}:1\r\n{}Connection: close\r\n\r\n", self.accept);
        let scheme = if url.scheme() == "https" { Scheme::Https } else { Scheme::Http };
        match scheme {
            Scheme::Http => talk(self.connect(host, scheme)?, &request),
            Scheme::Https => talk(self.secure(host)?, &request),
        }
    }

    pub(super) fn connect(&self, host: &str, scheme: Scheme) -> io::Result<TcpStream> {
        let web = &self.server.web;
        let port = if scheme == Scheme::Https { self.server.https_port() } else { self.server.http_port() };
        TcpStream::connect((web.server_of(web.host(host).unwrap()), port))
    }

    fn secure(&self, host: &str) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.server.ca_pem.as_bytes()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_root_certificates(roots).with_no_client_auth();
        let name = ServerName::try_from(host.to_owned()).unwrap();
        let connection = ClientConnection::new(Arc::new(config), name).map_err(io::Error::other)?;
        Ok(StreamOwned::new(connection, self.connect(host, Scheme::Https)?))
    }
}

fn talk(mut stream: impl Read + Write, request: &str) -> io::Result<Answer> {
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    let ending = stream.read_to_end(&mut bytes).map(drop);
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else { return Err(ending.err().unwrap_or(io::ErrorKind::UnexpectedEof.into())) };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Ok(Answer { status, head, body: bytes[end + 4..].to_vec(), ending })
}
