//! Connections that leave by an address of choice, or through a proxy: microsocks and tinyproxy, where they are installed.

use crate::support::{answering, captured, check_failure, config, job, serve, skip};
use crawler::{FailureKind, Outcome};
use fetch::{FetchConfig, Fetcher, Route, Sources};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi";

async fn fetch(route: Route, url: &str, address: SocketAddr) -> Outcome {
    let fetcher = Fetcher::new(FetchConfig { route, ..config() }).unwrap();
    fetcher.fetch(job(url, address)).await.unwrap().outcome
}

fn by(proxy: &str) -> Route {
    Route { proxy: Some(proxy.parse().unwrap()), ..Route::default() }
}

#[tokio::test]
async fn a_connection_leaves_from_the_address_it_is_given() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let sources = Sources::Only { v4: Some(Ipv4Addr::new(127, 0, 0, 77)), v6: None };
    let fetching = fetch(Route { sources, proxy: None }, "http://site.test/", address);
    let accepting = async {
        let (stream, peer) = listener.accept().await.unwrap();
        drop(stream);
        peer
    };
    let (_, peer) = tokio::join!(fetching, accepting);
    assert_eq!(peer.ip(), Ipv4Addr::new(127, 0, 0, 77));
}

#[tokio::test]
async fn what_has_no_address_to_leave_from_is_not_contacted() {
    let server = answering(OK).await;
    let sources = Sources::Only { v4: None, v6: Some("::1".parse().unwrap()) };
    let outcome = fetch(Route { sources, proxy: None }, "http://site.test/", server.address).await;
    check_failure(outcome, FailureKind::Local, "no address to reach 127.0.0.1 from");
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_proxy_is_asked_for_the_checked_address_and_never_for_a_name() {
    let proxy = serve(|mut peer| async move {
        peer.hear().await;
        peer.say("HTTP/1.0 201 Connection established\r\n\r\n").await;
        peer.hear().await;
        peer.say(OK).await;
        peer.linger().await;
    })
    .await;
    let route = by(&format!("http://m%40x:s%3Aecret@{}", proxy.address));
    let capture = captured(fetch(route, "http://site.test/a", "127.0.0.9:80".parse().unwrap()).await);
    assert_eq!(capture.address, Ipv4Addr::new(127, 0, 0, 9));
    let [connect, get] = &proxy.requests()[..] else { panic!("{:?}", proxy.requests()) };
    assert!(connect.starts_with("CONNECT 127.0.0.9:80 HTTP/1.1\r\n"), "{connect}");
    assert!(connect.contains("Proxy-Authorization: Basic bUB4OnM6ZWNyZXQ=\r\n"), "{connect}");
    assert!(get.starts_with("GET /a HTTP/1.1\r\n") && get.contains("Host: site.test\r\n"), "{get}");
    assert!(!get.contains("Proxy-Authorization"), "the password is the proxy's alone");
}

#[tokio::test]
async fn a_proxy_may_end_its_lines_with_lf_alone() {
    let proxy = serve(|mut peer| async move {
        peer.hear().await;
        peer.say("HTTP/1.0 200 OK\nVia: a\n\n").await;
        peer.hear().await;
        peer.say(OK).await;
        peer.linger().await;
    })
    .await;
    let route = by(&format!("http://{}", proxy.address));
    captured(fetch(route, "http://site.test/a", "127.0.0.9:80".parse().unwrap()).await);
}

#[tokio::test]
async fn a_proxy_that_does_not_connect_says_why() {
    let target = "127.0.0.9:80".parse().unwrap();
    let to = |answer: &'static str| async move {
        let proxy = answering(answer).await;
        fetch(by(&format!("http://{}", proxy.address)), "http://site.test/", target).await
    };
    check_failure(
        to("HTTP/1.1 502 Bad Gateway\r\n\r\n").await,
        FailureKind::ConnectTimeout,
        "does not connect to 127.0.0.9:80",
    );
    check_failure(
        to("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n").await,
        FailureKind::Local,
        "turns us away: HTTP/1.1 407 Proxy Authentication Required",
    );
    check_failure(to("SSH-2.0-OpenSSH_9.2\r\n\r\n").await, FailureKind::Local, "turns us away: SSH-2.0");
    let endless = "HTTP/1.1 200 OK\r\n".to_owned() + &"A: b\r\n".repeat(9_000);
    check_failure(to(endless.leak()).await, FailureKind::ConnectTimeout, "no end");
    check_failure(
        fetch(by("socks5://127.0.0.1:1"), "http://site.test/", target).await,
        FailureKind::Local,
        "proxy socks5://127.0.0.1:1: ",
    );
}

/// A SOCKS proxy that gives these answers, one after the other, and keeps what it is asked.
async fn socks(answers: &'static [&'static [u8]]) -> (SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let proxy = serve(move |mut peer| {
        let log = log.clone();
        async move {
            for answer in answers {
                let mut asked = [0; 1024];
                let length = peer.stream.read(&mut asked).await.unwrap();
                log.lock().unwrap().extend_from_slice(&asked[..length]);
                peer.say(answer).await;
            }
            peer.linger().await;
        }
    })
    .await;
    (proxy.address, asked)
}

#[tokio::test]
async fn a_socks_proxy_is_asked_for_an_address_of_either_family() {
    // It is bound to a name, which nobody asked for.
    const ANSWERS: &[&[u8]] = &[b"\x05\0", b"\x05\0\0\x03\x02ab\0\x50", OK.as_bytes()];
    for target in ["127.0.0.9:80", "[::ffff:127.0.0.9]:80"] {
        let target: SocketAddr = target.parse().unwrap();
        let (proxy, asked) = socks(ANSWERS).await;
        let capture = captured(fetch(by(&format!("socks5://{proxy}")), "http://site.test/", target).await);
        assert_eq!(capture.address, target.ip());
        let address = match target.ip() {
            IpAddr::V4(ip) => [&[1][..], &ip.octets()].concat(),
            IpAddr::V6(ip) => [&[4][..], &ip.octets()].concat(),
        };
        let wanted = [&b"\x05\x01\0\x05\x01\0"[..], &address[..], b"\0\x50GET / HTTP/1.1\r\n"].concat();
        assert!(asked.lock().unwrap().starts_with(&wanted), "{asked:?}");
    }
}

#[tokio::test]
async fn a_socks_proxy_that_turns_us_away_is_not_the_servers_fault() {
    const WELCOME: &[u8] = b"\x05\x02";
    const KNOWN: &[u8] = b"\x01\0";
    type Case = (&'static [&'static [u8]], FailureKind, &'static str);
    const CASES: [Case; 5] = [
        (&[b"\x05\xff"], FailureKind::Local, "no SOCKS 5 with user and password"),
        (&[b"HTTP/1.1 400 Bad Request\r\n\r\n"], FailureKind::Local, "no SOCKS 5"),
        (&[WELCOME, b"\x01\x01"], FailureKind::Local, "refuses user and password"),
        (&[WELCOME, KNOWN, b"\x05\x05\0\x01\0\0\0\0\0\0"], FailureKind::ConnectTimeout, "refused"),
        (&[WELCOME, KNOWN, b"\x05\0\0\x09"], FailureKind::ConnectTimeout, "kind 9"),
    ];
    let long = "x".repeat(255);
    for (answers, kind, needle) in CASES {
        let (proxy, _) = socks(answers).await;
        let route = by(&format!("socks5://{long}:{long}@{proxy}"));
        check_failure(fetch(route, "http://site.test/", "127.0.0.9:80".parse().unwrap()).await, kind, needle);
    }
}

#[tokio::test]
async fn a_private_address_is_refused_before_any_proxy_is_asked() {
    let proxy = answering(OK).await;
    let outcome =
        fetch(by(&format!("http://{}", proxy.address)), "http://a.test/", "10.0.0.1:80".parse().unwrap())
            .await;
    check_failure(outcome, FailureKind::AddressRefused, "10.0.0.1");
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn what_names_no_proxy_is_refused_with_the_reason() {
    for (text, needle) in [
        ("ftp://127.0.0.1:21", "http://"),
        ("127.0.0.1:3128", "http://"),
        ("http://proxy.example:3128", "IP:PORT"),
        ("http://127.0.0.1", "IP:PORT"),
        ("http://127.0.0.1:3128/path", "IP:PORT"),
        ("socks5://me@127.0.0.1:1080", "user:password"),
        ("socks5://%ff:x@127.0.0.1:1080", "user:password"),
    ] {
        let error = text.parse::<fetch::Proxy>().unwrap_err().to_string();
        assert!(error.contains(needle), "{text}: {error}");
    }
    let shown = format!("{:?}", "socks5://me:secret@[::1]:1080/".parse::<fetch::Proxy>().unwrap());
    assert_eq!(shown, "proxy socks5://[::1]:1080", "no password in any log");
}

#[tokio::test]
async fn microsocks_and_tinyproxy_connect_us() {
    let server = answering(OK).await;
    for proxy in [Daemon::microsocks().await, Daemon::tinyproxy().await].into_iter().flatten() {
        let outcome = fetch(by(&proxy.url), &server.url("http", "site.test", "/"), server.address).await;
        assert_eq!(captured(outcome).status, 200, "{}", proxy.url);
        let closed = fetch(by(&proxy.url), "http://site.test/", "127.0.0.9:1".parse().unwrap()).await;
        check_failure(closed, FailureKind::ConnectTimeout, "does not connect to 127.0.0.9:1");
    }
}

/// A proxy that somebody else wrote, until it is dropped.
struct Daemon {
    child: Child,
    url: String,
}

impl Daemon {
    async fn microsocks() -> Option<Self> {
        let port = free_port();
        let mut command = Command::new("microsocks");
        command.args(["-i", "127.0.0.1", "-p", &port.to_string(), "-u", "me", "-P", "secret"]);
        Self::start(command, "", port, format!("socks5://me:secret@127.0.0.1:{port}")).await
    }

    async fn tinyproxy() -> Option<Self> {
        let port = free_port();
        let mut command = Command::new("tinyproxy");
        command.args(["-d", "-c", "/dev/stdin"]);
        let settings = format!("Port {port}\nListen 127.0.0.1\nBasicAuth me secret\n");
        Self::start(command, &settings, port, format!("http://me:secret@127.0.0.1:{port}")).await
    }

    async fn start(mut command: Command, settings: &str, port: u16, url: String) -> Option<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            skip(&command.get_program().to_string_lossy());
            return None;
        };
        child.stdin.take().unwrap().write_all(settings.as_bytes()).unwrap();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
            assert_eq!(child.try_wait().unwrap(), None, "it ended: {url}");
            sleep(Duration::from_millis(20)).await;
        }
        Some(Self { child, url })
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
