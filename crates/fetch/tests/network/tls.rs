//! Certificates: verified for the name in the URL though an address is dialled, or accepted on record.

use crate::support::{captured, check_failure, config, failed, fetcher, hasty_fetcher, job, read_head};
use archive::{Capture, Session, Truncation};
use aws_lc_rs::digest::{SHA256, digest};
use crawler::{FailureKind, Outcome};
use data_encoding::HEXLOWER;
use fetch::{Certificates, FetchConfig, FetchError, Fetcher, Limits};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::ProducesTickets;
use rustls::{ServerConfig, SupportedProtocolVersion};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

pub(crate) struct Identity {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    pub(crate) key: PrivateKeyDer<'static>,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    pub(crate) fn issue(&self, names: &[&str], edit: impl FnOnce(&mut CertificateParams)) -> Identity {
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        let mut params = CertificateParams::new(names).unwrap();
        edit(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Identity {
            chain: vec![certificate.der().clone()],
            key: PrivateKeyDer::Pkcs8(key.serialize_der().into()),
        }
    }
}

fn server_config(identity: Identity, versions: &[&'static SupportedProtocolVersion]) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)
        .unwrap()
}

async fn serve_tls(identity: Identity, versions: &[&'static SupportedProtocolVersion]) -> SocketAddr {
    serve_by(server_config(identity, versions)).await
}

async fn serve_by(config: ServerConfig) -> SocketAddr {
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let Ok(mut stream) = acceptor.accept(tcp).await else { continue };
            let Some(_) = read_head(&mut stream).await else { continue };
            let sni = stream.get_ref().1.server_name().unwrap_or("none").to_owned();
            let length = sni.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{sni}"
            );
            let _ = stream.write_all(head.as_bytes()).await;
            let _ = stream.shutdown().await;
        }
    });
    address
}

async fn fetch(config: FetchConfig, url: &str, address: SocketAddr) -> Outcome {
    Fetcher::new(config).unwrap().fetch(job(url, address)).await.unwrap().outcome
}

pub(crate) fn trusting(authority: &Authority) -> FetchConfig {
    FetchConfig { ca_pem: Some(authority.pem()), ..config() }
}

fn objection(capture: &Capture) -> Option<&str> {
    capture.handshake.as_deref()?.objection.as_deref()
}

fn lenient() -> FetchConfig {
    FetchConfig { certificates: Certificates::AcceptAndRecord, ..config() }
}

#[tokio::test]
async fn the_name_in_the_url_is_sent_and_verified() {
    let authority = Authority::new();
    let versions = [
        (&rustls::version::TLS13, "tls/1.3", "TLS_AES_"),
        (&rustls::version::TLS12, "tls/1.2", "TLS_ECDHE_"),
    ];
    for (version, protocol, suite) in versions {
        let address = serve_tls(authority.issue(&["site.test"], |_| {}), &[version]).await;
        let capture = captured(fetch(trusting(&authority), "https://site.test/", address).await);
        assert_eq!(&capture.body.held().unwrap()[..], b"site.test", "SNI");
        assert_eq!(capture.protocols, ["http/1.1", protocol]);
        assert!(capture.cipher_suite.as_ref().unwrap().starts_with(suite), "{:?}", capture.cipher_suite);
        assert_eq!(objection(&capture), None);
        assert!(capture.response_head.starts_with(b"HTTP/1.1 200 OK\r\n"), "in the clear");
    }
}

#[tokio::test]
async fn handshakes_are_counted_and_so_are_those_that_went_on_with_a_session() {
    let authority = Authority::new();
    let address = serve_tls(authority.issue(&["site.test"], |_| {}), rustls::ALL_VERSIONS).await;
    let config = trusting(&authority);
    let handshakes = config.handshakes.clone();
    let fetcher = Fetcher::new(config).unwrap();
    for counted in [(1, 0), (2, 1), (3, 2)] {
        captured(fetcher.fetch(job("https://site.test/", address)).await.unwrap().outcome);
        assert_eq!((handshakes.made(), handshakes.resumed()), counted);
    }
}

#[tokio::test]
async fn sessions_are_kept_of_so_many_hosts_and_of_some_where_there_are_more() {
    let authority = Authority::new();
    let names = ["a.test", "b.test", "c.test"];
    for versions in [&[&rustls::version::TLS12], &[&rustls::version::TLS13]] {
        let address = serve_tls(authority.issue(&names, |_| {}), versions).await;
        // Of certificate, ticket and table a host takes 1.6 to 2.05 KB here.
        let limits = Limits { tls_session_bytes: 4_500, ..config().limits };
        let config = FetchConfig { limits, ..trusting(&authority) };
        let handshakes = config.handshakes.clone();
        let fetcher = Fetcher::new(config).unwrap();
        let visit = async |name: &str| {
            let job = job(&format!("https://{name}/"), address);
            captured(fetcher.fetch(job).await.unwrap().outcome);
            handshakes.resumed()
        };
        for (name, resumed) in [("a.test", 0), ("b.test", 0), ("a.test", 1), ("b.test", 2), ("a.test", 3)] {
            assert_eq!(visit(name).await, resumed, "{name}");
        }
        let mut resumed = 0;
        for name in names.iter().cycle().take(60) {
            resumed = visit(name).await;
        }
        assert!(
            (10..50).contains(&resumed),
            "{resumed} of 60: going round, not one of the two that are kept may be lost each time"
        );
    }
}

/// Tickets of so many bytes.
#[derive(Debug)]
struct LongTickets(usize);

impl ProducesTickets for LongTickets {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        3_600
    }

    fn encrypt(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut ticket = (plain.len() as u32).to_be_bytes().to_vec();
        ticket.extend_from_slice(plain);
        ticket.resize(self.0, 0);
        Some(ticket)
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        let (len, rest) = ticket.split_first_chunk()?;
        Some(rest[..u32::from_be_bytes(*len) as usize].to_vec())
    }
}

#[tokio::test]
async fn a_session_that_is_too_long_is_not_kept() {
    let authority = Authority::new();
    let resumed_of = async |version, ticket_bytes, certificates| {
        let mut identity = authority.issue(&["site.test"], |_| {});
        identity.chain.extend((1..certificates).map(|_| CertificateDer::from(vec![0x30, 0])));
        let mut server = server_config(identity, &[version]);
        server.ticketer = Arc::new(LongTickets(ticket_bytes));
        let address = serve_by(server).await;
        let config = trusting(&authority);
        let handshakes = config.handshakes.clone();
        let fetcher = Fetcher::new(config).unwrap();
        for _ in 0..3 {
            captured(fetcher.fetch(job("https://site.test/", address)).await.unwrap().outcome);
        }
        handshakes.resumed()
    };
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        assert_eq!(resumed_of(version, 2_000, 1).await, 2);
        assert_eq!(resumed_of(version, 20_000, 1).await, 0);
        assert_eq!(resumed_of(version, 2_000, 500).await, 0, "each certificate takes room, short as it is");
    }
}

#[tokio::test]
async fn a_capture_says_what_the_handshake_showed() {
    let authority = Authority::new();
    let identity = authority.issue(&["site.test", "www.site.test"], |_| {});
    let sha256 = HEXLOWER.encode(digest(&SHA256, &identity.chain[0]).as_ref());
    let address = serve_tls(identity, rustls::ALL_VERSIONS).await;
    let fetcher = Fetcher::new(trusting(&authority)).unwrap();
    for session in [Session::New, Session::Resumed] {
        let capture = captured(fetcher.fetch(job("https://site.test/", address)).await.unwrap().outcome);
        let handshake = capture.handshake.as_deref().unwrap();
        assert_eq!(
            (handshake.session, handshake.alpn.as_deref(), handshake.certificates),
            (session, None, 1)
        );
        let leaf = handshake.leaf.as_ref().unwrap();
        assert_eq!(leaf.sha256, sha256);
        assert_eq!(leaf.says.as_ref().unwrap().names, ["site.test", "www.site.test"]);
    }
}

#[tokio::test]
async fn an_address_in_the_url_is_verified_as_an_address() {
    let authority = Authority::new();
    let address = serve_tls(authority.issue(&["127.0.0.1"], |_| {}), rustls::ALL_VERSIONS).await;
    let capture = captured(fetch(trusting(&authority), "https://127.0.0.1/", address).await);
    assert_eq!(&capture.body.held().unwrap()[..], b"none", "no SNI for addresses, RFC 6066 section 3");
}

#[tokio::test]
async fn bad_certificates_are_failures_or_on_record() {
    let authority = Authority::new();
    let expired = |params: &mut CertificateParams| {
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
    };
    let cases = [
        (
            authority.issue(&["other.test"], |_| {}),
            "not valid for this name (but for other.test)",
            trusting(&authority),
        ),
        (
            authority.issue(&["site.test"], expired),
            "certificate expired (on 2002-01-01)",
            trusting(&authority),
        ),
        (authority.issue(&["site.test"], |_| {}), "of an unknown issuer", config()),
        (
            authority
                .issue(&["site.test"], |params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained)),
            "of an authority, not of a server",
            trusting(&authority),
        ),
    ];
    for (identity, needle, strict) in cases {
        let address = serve_tls(identity, rustls::ALL_VERSIONS).await;
        let lenient = FetchConfig { certificates: Certificates::AcceptAndRecord, ..strict.clone() };
        check_failure(fetch(strict, "https://site.test/", address).await, FailureKind::Certificate, needle);
        let capture = captured(fetch(lenient, "https://site.test/", address).await);
        let recorded = objection(&capture).unwrap_or("nothing");
        assert!(recorded.contains(needle), "`{needle}` is not in `{recorded}`");
    }
}

#[tokio::test]
async fn a_lenient_crawl_keeps_no_record_of_good_certificates() {
    let authority = Authority::new();
    let address = serve_tls(authority.issue(&["site.test"], |_| {}), rustls::ALL_VERSIONS).await;
    let config = FetchConfig { ca_pem: Some(authority.pem()), ..lenient() };
    let fetcher = Fetcher::new(config).unwrap();
    for _ in 0..2 {
        let capture = captured(fetcher.fetch(job("https://site.test/", address)).await.unwrap().outcome);
        assert_eq!(objection(&capture), None);
    }
    let wrong_name = job("https://wrong.test/", address);
    assert!(objection(&captured(fetcher.fetch(wrong_name).await.unwrap().outcome)).is_some());
}

#[tokio::test]
async fn a_body_that_only_a_tcp_close_ends_may_be_cut() {
    // RFC 9112, section 9.8: without a length and without close_notify the body counts as incomplete. With one it is.
    for (head, truncated) in [
        ("", Truncation::Unclosed),
        ("Content-Length: 7\r\n", Truncation::Disconnect),
        ("Transfer-Encoding: chunked\r\n", Truncation::Disconnect),
    ] {
        let authority = Authority::new();
        let identity = authority.issue(&["site.test"], |_| {});
        let acceptor = TlsAcceptor::from(Arc::new(server_config(identity, rustls::ALL_VERSIONS)));
        let body = if head.contains("chunked") { "6\r\nhalf a\r\n" } else { "half a" };
        let server = crate::support::serve(move |peer| {
            let acceptor = acceptor.clone();
            async move {
                let mut stream = acceptor.accept(peer.stream).await.unwrap();
                read_head(&mut stream).await;
                stream.write_all(format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}").as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
            }
        })
        .await;
        let capture = captured(fetch(trusting(&authority), "https://site.test/", server.address).await);
        assert_eq!(
            (&capture.body.held().unwrap()[..], capture.truncated),
            (&b"half a"[..], Some(truncated)),
            "{head}"
        );
    }
}

#[tokio::test]
async fn a_name_that_tls_cannot_ask_for_contacts_nobody() {
    let nobody = crate::support::serve(|_| async {}).await;
    for url in ["https://foo-.site.test/", "https://-foo.site.test/"] {
        check_failure(fetch(config(), url, nobody.address).await, FailureKind::Tls, "invalid dns name");
    }
    assert_eq!(nobody.connections(), 0);
}

#[tokio::test]
async fn what_is_not_tls() {
    let server = crate::support::serve(|mut peer| async move {
        peer.say("HTTP/1.1 400 Bad Request\r\n\r\n").await;
        peer.linger().await;
    })
    .await;
    check_failure(fetch(config(), "https://site.test/", server.address).await, FailureKind::Tls, "handshake");
}

#[tokio::test]
async fn a_handshake_that_is_dropped_or_never_answered() {
    let dropped = crate::support::serve(|_| async {}).await;
    let outcome = fetch(config(), "https://site.test/", dropped.address).await;
    check_failure(outcome, FailureKind::Disconnected, "handshake");
    let silent = crate::support::serve(|mut peer| async move { peer.linger().await }).await;
    let outcome = hasty_fetcher().fetch(job("https://site.test/", silent.address)).await.unwrap().outcome;
    check_failure(outcome, FailureKind::Tls, "not done in 300 ms");
    let mut short = job("https://site.test/", silent.address);
    short.limits.total_ms = 90;
    let failure = failed(fetcher().fetch(short).await.unwrap().outcome);
    let words = failure.detail.strip_prefix("TLS handshake: not done in ");
    let told_ms = words.and_then(|words| words.strip_suffix(" ms")).expect(&failure.detail);
    assert!(told_ms.parse::<u64>().unwrap() <= 90, "{failure:?}");
}

#[test]
fn a_ca_file_must_hold_certificates() {
    for pem in ["", "no pem at all", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let config = FetchConfig { ca_pem: Some(pem.as_bytes().to_vec()), ..config() };
        assert!(matches!(Fetcher::new(config), Err(FetchError::CaFile { .. })), "{pem:?}");
    }
}
