//! HTTP/2 beside a server that others wrote: nginx, which counts its connections and their requests.

use crate::support::{captured, job, skip};
use crate::tls::{Authority, trusting};
use archive::Capture;
use crawler::FetchJob;
use disk::{OsDisk, replace_file};
use fetch::{FetchConfig, Fetcher};
use rustls::pki_types::PrivateKeyDer;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

/// Where Debian has it.
const PROGRAM: &str = "/usr/sbin/nginx";
/// Many times what a stream's window holds.
const LARGE_BYTES: usize = 3_000_000;

/// nginx at work; dropping it stops it.
struct Nginx {
    address: SocketAddr,
    config: FetchConfig,
    room: TempDir,
    child: Child,
}

impl Nginx {
    /// With one page and one large body; nothing where there is no nginx.
    async fn start() -> Option<Self> {
        if !Path::new(PROGRAM).is_file() {
            skip("nginx");
            return None;
        }
        let room = TempDir::with_prefix("drumlin-h2-").unwrap();
        let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let authority = Authority::new();
        furnish(room.path(), &authority, address);
        let child = Command::new(PROGRAM)
            .args(["-p", room.path().to_str().unwrap(), "-c", "nginx.conf", "-e", "error.log"])
            .spawn()
            .unwrap();
        let listens = async {
            while TcpStream::connect(address).await.is_err() {
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), listens).await.expect("nginx listens");
        Some(Self { address, config: trusting(&authority), room, child })
    }

    fn fetcher(&self) -> Fetcher {
        Fetcher::new(self.config.clone()).unwrap()
    }

    fn job(&self, path: &str) -> FetchJob {
        let mut job = job(&format!("https://site.test{path}"), self.address);
        (job.keep_alive, job.limits.body_bytes) = (true, 2 * LARGE_BYTES as u64);
        job
    }

    /// `<which of its connection's requests> <version> <status>` of so many requests, in the order they ended. nginx writes a line
    /// after the answer has gone out.
    async fn log(&self, requests: usize) -> Vec<String> {
        let written = async {
            loop {
                let lines = self.lines();
                if lines.len() >= requests {
                    return lines;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(20), written).await.expect("nginx writes its log")
    }

    fn lines(&self) -> Vec<String> {
        let disk = OsDisk::new(self.room.path().to_owned()).unwrap();
        let bytes = disk::read_all(&disk, Path::new("access.log")).unwrap();
        String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn furnish(room: &Path, authority: &Authority, address: SocketAddr) {
    let identity = authority.issue(&["site.test"], |_| {});
    let PrivateKeyDer::Pkcs8(key) = &identity.key else { panic!("a key of rcgen") };
    let disk = OsDisk::new(room.to_owned()).unwrap();
    let write = |name: &str, bytes: &[u8]| replace_file(&disk, Path::new(name), bytes).unwrap();
    write("certificate.pem", pem("CERTIFICATE", &identity.chain[0]).as_bytes());
    write("key.pem", pem("PRIVATE KEY", key.secret_pkcs8_der()).as_bytes());
    write("page.html", b"<p>A page.");
    write("large.html", &large());
    write("nginx.conf", configuration(address).as_bytes());
}

fn configuration(address: SocketAddr) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|what| format!("{what}_temp_path {what};")).join(" ");
    format!(
        "daemon off; master_process off; pid pid;
events {{ worker_connections 64; }}
http {{
  log_format counted '$connection_requests $server_protocol $status';
  access_log access.log counted;
  {temporary}
  types {{ text/html html; }}
  server {{
    listen {address} ssl http2; server_name site.test; root .;
    ssl_certificate certificate.pem; ssl_certificate_key key.pem; ssl_protocols TLSv1.3;
    keepalive_requests 3; http2_max_concurrent_streams 1;
  }}
}}
"
    )
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = data_encoding::BASE64.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// Not a page over and over, so that what is mixed up shows.
fn large() -> Vec<u8> {
    (0..LARGE_BYTES / 8).flat_map(|n| format!("{n:08}").into_bytes()).collect()
}

async fn fetch(fetcher: &Fetcher, job: FetchJob) -> std::sync::Arc<Capture> {
    captured(fetcher.fetch(job).await.unwrap().outcome)
}

/// It says so by GOAWAY, after three.
#[tokio::test]
async fn a_connection_that_takes_no_more_requests_is_replaced_without_a_failure() {
    let Some(nginx) = Nginx::start().await else { return };
    let fetcher = nginx.fetcher();
    let places = ["1", "2", "3", "1", "2", "3", "1"];
    for _ in places {
        let capture = fetch(&fetcher, nginx.job("/page.html")).await;
        assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"<p>A page."[..], None));
        assert_eq!(capture.protocols, ["h2", "tls/1.3"]);
        assert_eq!(capture.handshake.as_ref().unwrap().alpn.as_deref(), Some("h2"));
        assert!(capture.response_head.starts_with(b"HTTP/1.1 200 \r\nserver: nginx"));
    }
    assert_eq!(nginx.log(places.len()).await, places.map(|place| format!("{place} HTTP/2.0 200")));
}

#[tokio::test]
async fn a_body_of_many_windows_comes_whole_and_leaves_the_connection_usable() {
    let Some(nginx) = Nginx::start().await else { return };
    let fetcher = nginx.fetcher();
    let capture = fetch(&fetcher, nginx.job("/large.html")).await;
    assert_eq!(capture.truncated, None);
    assert!(capture.body.start(usize::MAX).unwrap()[..] == large()[..], "as it was sent");
    fetch(&fetcher, nginx.job("/page.html")).await;
    assert_eq!(nginx.log(2).await, ["1 HTTP/2.0 200", "2 HTTP/2.0 200"]);
}

/// It would refuse a second stream, and is asked for none: two requests at once are two connections.
#[tokio::test]
async fn one_stream_at_a_time_is_enough() {
    let Some(nginx) = Nginx::start().await else { return };
    let fetcher = nginx.fetcher();
    let (one, other) =
        tokio::join!(fetch(&fetcher, nginx.job("/large.html")), fetch(&fetcher, nginx.job("/page.html")));
    assert_eq!((one.body.len(), other.body.len()), (LARGE_BYTES as u64, 10));
    assert_eq!(nginx.log(2).await, ["1 HTTP/2.0 200"; 2]);
}
