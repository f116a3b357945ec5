//! HTTP/2: agreed on in the handshake, archived in the form of HTTP/1.1, and bounded whatever the server does.

use crate::support::{USER_AGENT, captured, check_failure, job, read_head};
use crate::tls::{Authority, trusting};
use archive::Truncation;
use bytes::Bytes;
use crawler::{FailureKind, FetchJob, Outcome};
use fetch::{FetchConfig, Fetcher, HttpVersions, Limits};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// A server that agrees to HTTP/2, or to HTTP/1.1 where that is all it is offered.
struct Server {
    address: SocketAddr,
    config: FetchConfig,
    connections: Arc<AtomicUsize>,
    /// Connections that came to their end here.
    ended: Arc<AtomicUsize>,
}

async fn serve<F, Fut>(handler: F) -> Server
where
    F: Fn(TlsStream<TcpStream>) -> Fut + Send + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let authority = Authority::new();
    let identity = authority.issue(&["site.test"], |_| {});
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)
        .unwrap();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (connections, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let server = Server {
        address,
        config: trusting(&authority),
        connections: connections.clone(),
        ended: ended.clone(),
    };
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            connections.fetch_add(1, Ordering::SeqCst);
            let Ok(stream) = acceptor.accept(tcp).await else { continue };
            let (serving, ended) = (handler(stream), ended.clone());
            tokio::spawn(async move {
                serving.await;
                ended.fetch_add(1, Ordering::SeqCst);
            });
        }
    });
    server
}

/// An honest one: says what it was asked, in a header and in the body.
async fn honest() -> Server {
    serve(|stream| async move {
        let answer = service_fn(|request: http::Request<hyper::body::Incoming>| async move {
            let asked = format!("{} {:?}", request.uri(), request.headers().get("connection"));
            let body = Full::new(Bytes::from(asked.clone() + &" ".repeat(2_000)));
            http::Response::builder().header("content-type", "text/html").header("x-asked", asked).body(body)
        });
        let is_two = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        let io = TokioIo::new(stream);
        let _ = if is_two {
            hyper::server::conn::http2::Builder::new(TokioExecutor::new()).serve_connection(io, answer).await
        } else {
            hyper::server::conn::http1::Builder::new().serve_connection(io, answer).await
        };
    })
    .await
}

fn ask(server: &Server) -> FetchJob {
    let mut job = job("https://site.test/a?b", server.address);
    (job.keep_alive, job.limits.body_bytes) = (true, 100_000);
    job
}

impl Server {
    fn fetcher(&self) -> Fetcher {
        Fetcher::new(self.config.clone()).unwrap()
    }

    fn hasty_fetcher(&self) -> Fetcher {
        let limits = Limits { head_ms: 500, rate_window_ms: 300, ..self.config.limits };
        Fetcher::new(FetchConfig { limits, ..self.config.clone() }).unwrap()
    }

    /// Waits until so many connections have ended.
    async fn sees_the_end_of(&self, connections: usize) {
        let seen = async {
            while self.ended.load(Ordering::SeqCst) < connections {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(5), seen).await.expect("the socket closes with its connection");
    }

    async fn fetch(&self) -> Outcome {
        self.hasty_fetcher().fetch(ask(self)).await.unwrap().outcome
    }
}

#[tokio::test]
async fn it_is_archived_as_http_1_1_and_named() {
    let server = honest().await;
    let capture = captured(server.fetcher().fetch(ask(&server)).await.unwrap().outcome);
    assert_eq!(capture.protocols, ["h2", "tls/1.3"]);
    let request = String::from_utf8(capture.request_head.to_vec()).unwrap();
    assert!(
        request.starts_with(&format!("GET /a?b HTTP/1.1\r\nhost: site.test\r\nuser-agent: {USER_AGENT}\r\n"))
    );
    assert!(request.ends_with("\r\n\r\n") && !request.contains("connection"), "{request}");
    let head = String::from_utf8(capture.response_head.to_vec()).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 \r\ncontent-type: text/html\r\n"), "{head}");
    assert!(head.contains("x-asked: https://site.test/a?b None\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert_eq!((capture.status, capture.truncated), (200, None));
    assert!(capture.body.held().unwrap().starts_with(b"https://site.test/a?b None"));
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server = honest().await;
    let fetcher = server.fetcher();
    for _ in 0..3 {
        captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
    }
    assert_eq!((server.connections.load(Ordering::SeqCst), fetcher.idle_connections()), (1, 1));
}

#[tokio::test]
async fn a_connection_that_is_not_to_be_kept_is_closed() {
    let server = honest().await;
    let fetcher = server.fetcher();
    for turn in 1..=2 {
        captured(fetcher.fetch(FetchJob { keep_alive: false, ..ask(&server) }).await.unwrap().outcome);
        assert_eq!((server.connections.load(Ordering::SeqCst), fetcher.idle_connections()), (turn, 0));
    }
}

#[tokio::test]
async fn it_can_be_switched_off() {
    let server = honest().await;
    let config = FetchConfig { versions: HttpVersions::One, ..server.config.clone() };
    let capture = captured(Fetcher::new(config).unwrap().fetch(ask(&server)).await.unwrap().outcome);
    assert_eq!(capture.protocols, ["http/1.1", "tls/1.3"]);
}

#[tokio::test]
async fn a_body_is_cut_by_its_length() {
    let server = honest().await;
    let mut job = ask(&server);
    job.limits.body_bytes = 1_000;
    let fetcher = server.fetcher();
    let capture = captured(fetcher.fetch(job).await.unwrap().outcome);
    assert_eq!((capture.body.len(), capture.truncated), (1_000, Some(Truncation::Length)));
    assert_eq!(fetcher.idle_connections(), 0);
}

#[tokio::test]
async fn a_connection_that_is_dropped_is_closed() {
    let server = honest().await;
    let fetcher = server.fetcher();
    captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
    fetcher.close_idle();
    server.sees_the_end_of(1).await;
    let mut cut = ask(&server);
    cut.limits.body_bytes = 1_000;
    captured(fetcher.fetch(cut).await.unwrap().outcome);
    server.sees_the_end_of(2).await;
}

/// A frame (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
/// `:status: 200` in the static table of HPACK.
const STATUS_200: [u8; 1] = [0x88];

/// A server that sends its settings, then `start` once and `piece` again and again, in answer to whatever comes.
async fn scripted(start: Vec<u8>, piece: Vec<u8>) -> Server {
    serve(move |mut stream| {
        let (start, piece) = (start.clone(), piece.clone());
        async move {
            let (mut sink, settings) = ([0; 4096], frame(SETTINGS, 0, 0, &[]));
            // The preface, settings, and the request, which may come in parts.
            let _ = stream.read(&mut sink).await;
            let _ = stream.write_all(&[settings, start].concat()).await;
            while !piece.is_empty() && stream.write_all(&piece).await.is_ok() {
                tokio::task::yield_now().await;
            }
            while matches!(stream.read(&mut sink).await, Ok(read) if read > 0) {}
        }
    })
    .await
}

#[tokio::test]
async fn resets_and_going_away_say_whose_fault_it_is() {
    let cases: [(Vec<u8>, FailureKind); 4] = [
        (frame(RST_STREAM, 0, 1, &2_u32.to_be_bytes()), FailureKind::Protocol),
        (frame(RST_STREAM, 0, 1, &7_u32.to_be_bytes()), FailureKind::Disconnected),
        (frame(GOAWAY, 0, 0, &[0; 8]), FailureKind::Disconnected),
        (frame(DATA, 0, 0, b"on no stream"), FailureKind::Protocol),
    ];
    for (frames, kind) in cases {
        let server = scripted(frames.clone(), Vec::new()).await;
        check_failure(server.fetch().await, kind, "");
    }
}

#[tokio::test]
async fn interim_heads_are_passed_over() {
    // `:status: 103`, its name from the static table.
    let hints = frame(HEADERS, 4, 1, &[8, 3, b'1', b'0', b'3']);
    let server = scripted([hints.repeat(3), PAGE_200.to_vec()].concat(), Vec::new()).await;
    let capture = captured(server.fetch().await);
    assert_eq!((capture.status, &capture.response_head[..]), (200, &b"HTTP/1.1 200 \r\n\r\n"[..]));
}

/// RFC 9113, section 8.7: what a server says that it has not looked at may be asked for again.
#[tokio::test]
async fn a_request_that_a_kept_connection_refuses_is_made_on_another() {
    let refusals =
        [frame(RST_STREAM, 0, 3, &7_u32.to_be_bytes()), frame(GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0])];
    for refusal in refusals {
        let server = answering_in_turn(vec![PAGE_200.to_vec(), refusal.clone()]).await;
        let fetcher = server.fetcher();
        for _ in 0..2 {
            assert_eq!(
                captured(fetcher.fetch(ask(&server)).await.unwrap().outcome).status,
                200,
                "{refusal:?}"
            );
        }
        assert_eq!(server.connections.load(Ordering::SeqCst), 2, "{refusal:?}");
    }
}

/// RFC 9113, section 5.1.2: after the first answer the server allows no stream any more.
#[tokio::test]
async fn a_kept_connection_that_takes_no_request_is_left_soon_for_another() {
    let no_more_streams = frame(SETTINGS, 0, 0, &[0, 3, 0, 0, 0, 0]);
    for (total_ms, connections) in [(8_000, 2), (500, 1)] {
        let server = answering_in_turn(vec![[&PAGE_200[..], &no_more_streams].concat()]).await;
        let fetcher = server.fetcher();
        captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
        let mut second = ask(&server);
        second.limits.total_ms = total_ms;
        let outcome = fetcher.fetch(second).await.unwrap().outcome;
        match connections {
            1 => check_failure(outcome, FailureKind::ResponseTimeout, "0 bytes"),
            _ => assert_eq!(captured(outcome).status, 200),
        }
        assert_eq!(server.connections.load(Ordering::SeqCst), connections, "in {total_ms} ms");
    }
}

/// RFC 9113, section 7: whether the server says so of the first request or of one on a kept connection.
#[tokio::test]
async fn a_server_that_requires_http_1_1_is_asked_by_it_from_then_on() {
    let requires = 13_u32.to_be_bytes();
    let goes_away = |last: u8| frame(GOAWAY, 0, 0, &[&[0, 0, 0, last][..], &requires].concat());
    let first = [frame(RST_STREAM, 0, 1, &requires), goes_away(0)];
    let second = [frame(RST_STREAM, 0, 3, &requires), goes_away(1)];
    let first = first.map(|refusal| (vec![refusal], ["http/1.1"; 3]));
    let second = second.map(|refusal| (vec![PAGE_200.to_vec(), refusal], ["h2", "http/1.1", "http/1.1"]));
    for (answers, versions) in first.into_iter().chain(second) {
        let server = answering_in_turn(answers.clone()).await;
        let fetcher = server.fetcher();
        for version in versions {
            let capture = captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
            assert_eq!((capture.status, capture.protocols[0].as_str()), (200, version), "{answers:?}");
        }
        assert_eq!(server.connections.load(Ordering::SeqCst), 2, "{answers:?}");
        fetcher.close_idle();
        captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
        assert_eq!(server.connections.load(Ordering::SeqCst), 3, "it is not asked about HTTP/2 again");
    }
}

/// nginx before Apache hands on what Apache says of connections of its own.
#[tokio::test]
async fn a_server_whose_http_2_is_faulty_is_asked_by_http_1_1_the_next_time() {
    let upgrade = [&STATUS_200[..], &[0, 7], b"upgrade", &[6], b"h2,h2c"].concat();
    for answer in [frame(HEADERS, 4 | 1, 1, &upgrade), frame(DATA, 0, 0, b"on no stream")] {
        let server = answering_in_turn(vec![answer]).await;
        let fetcher = server.fetcher();
        check_failure(fetcher.fetch(ask(&server)).await.unwrap().outcome, FailureKind::Protocol, "");
        assert_eq!(server.connections.load(Ordering::SeqCst), 1, "once a delay");
        let capture = captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
        assert_eq!((capture.status, capture.protocols[0].as_str()), (200, "http/1.1"));
    }
}

/// What is wrong about it is seen at its end: it is taken as it is, and the rest may come by the other version.
#[tokio::test]
async fn a_body_that_breaks_the_rules_is_asked_for_by_http_1_1_the_next_time() {
    let length = [&STATUS_200[..], &[0, 14], b"content-length", &[2], b"50"].concat();
    let answer = [frame(HEADERS, 4, 1, &length), frame(DATA, 1, 1, b"short")].concat();
    let server = answering_in_turn(vec![answer]).await;
    let fetcher = server.fetcher();
    let capture = captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
    assert_eq!((capture.protocols[0].as_str(), capture.truncated), ("h2", Some(Truncation::Fault)));
    assert!(
        capture.cut_because.as_ref().is_some_and(|because| because.contains("protocol error")),
        "{capture:?}"
    );
    let capture = captured(fetcher.fetch(ask(&server)).await.unwrap().outcome);
    assert_eq!((capture.protocols[0].as_str(), capture.truncated), ("http/1.1", None));
}

/// RFC 9113, section 8.1: a reset without an error comes after the whole of an answer.
#[tokio::test]
async fn a_stream_that_is_reset_before_its_end_broke_off_whatever_the_reason() {
    let head = frame(HEADERS, 4, 1, &STATUS_200);
    for reason in [0_u32, 2, 8] {
        for data in [Vec::new(), frame(DATA, 0, 1, b"the beginning")] {
            let reset = frame(RST_STREAM, 0, 1, &reason.to_be_bytes());
            let server = scripted([head.clone(), data.clone(), reset].concat(), Vec::new()).await;
            let capture = captured(server.fetch().await);
            assert_eq!(capture.truncated, Some(Truncation::Disconnect), "{reason} after {data:?}");
        }
    }
}

/// What a server passes on as it comes, or writes byte by byte.
#[tokio::test]
async fn a_body_in_small_frames_is_no_flood() {
    for (frames, bytes) in [(500, 100), (1_000, 1), (2_000, 30)] {
        let mut answer = frame(HEADERS, 4, 1, &STATUS_200);
        answer.extend(frame(DATA, 0, 1, &vec![b'x'; bytes]).repeat(frames));
        answer.extend(frame(DATA, 1, 1, b""));
        let server = scripted(answer, Vec::new()).await;
        let capture = captured(server.fetch().await);
        assert_eq!((capture.body.len(), capture.truncated), ((frames * bytes) as u64, None));
    }
}

/// The frame that is an empty page, on the first stream.
const PAGE_200: [u8; 10] = [0, 0, 1, HEADERS, 4 | 1, 0, 0, 0, 1, STATUS_200[0]];

/// A server that answers the requests of a connection with these bytes, one after the other; by HTTP/1.1 with an empty page each.
async fn answering_in_turn(answers: Vec<Vec<u8>>) -> Server {
    serve(move |mut stream| {
        let answers = answers.clone();
        async move {
            if stream.get_ref().1.alpn_protocol() != Some(b"h2") {
                while read_head(&mut stream).await.is_some() {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").await;
                }
                return;
            }
            let mut seen = Vec::new();
            let _ = stream.write_all(&frame(SETTINGS, 0, 0, &[])).await;
            for (stream_id, bytes) in (1_u32..).step_by(2).zip(answers) {
                // The type and the stream of the frame with the request's head, wherever it stands in what has come.
                let head = [&[HEADERS, 5][..], &stream_id.to_be_bytes()].concat();
                while !seen.windows(head.len()).any(|window| window == head) {
                    let mut piece = [0; 4096];
                    match stream.read(&mut piece).await {
                        Ok(read) if read > 0 => seen.extend_from_slice(&piece[..read]),
                        _ => return,
                    }
                }
                let _ = stream.write_all(&bytes).await;
            }
            while matches!(stream.read(&mut [0; 4096]).await, Ok(read) if read > 0) {}
        }
    })
    .await
}

#[tokio::test]
async fn floods_before_the_head_are_cut() {
    let endless_head = frame(HEADERS, 0, 1, &STATUS_200);
    let floods = [
        (Vec::new(), frame(PING, 0, 0, &[7; 8])),
        (Vec::new(), frame(SETTINGS, 0, 0, &[])),
        (Vec::new(), frame(0x77, 0, 0, &[0; 1000])),
        (endless_head.clone(), frame(CONTINUATION, 0, 1, &[])),
        (endless_head, frame(CONTINUATION, 0, 1, &[0x88; 1000])),
    ];
    for (start, piece) in floods {
        let what = format!("{:?}", &piece[..piece.len().min(12)]);
        let server = scripted(start, piece.repeat(50)).await;
        let failure = crate::support::failed(server.fetch().await);
        assert_eq!(failure.kind, FailureKind::Protocol, "{what}: {failure:?}");
    }
}

#[tokio::test]
async fn a_flood_in_place_of_a_body_is_cut_by_its_rate() {
    let server = scripted(frame(HEADERS, 4, 1, &STATUS_200), frame(PING, 0, 0, &[7; 8])).await;
    let capture = captured(server.fetch().await);
    assert!(capture.body.is_empty());
    assert!(
        matches!(capture.truncated, Some(Truncation::Time | Truncation::Fault)),
        "{:?}",
        capture.truncated
    );
}

/// The body comes fast enough, and between any two bytes of it what is none.
#[tokio::test]
async fn a_flood_beside_a_body_is_cut_by_what_it_takes_on_the_wire() {
    let flood = frame(PING, 0, 0, &[7; 8]).repeat(300);
    let server = scripted(frame(HEADERS, 4, 1, &STATUS_200), [flood, frame(DATA, 0, 1, b"x")].concat()).await;
    let capture = captured(server.fetch().await);
    assert_eq!(capture.truncated, Some(Truncation::Fault));
    assert_eq!(capture.cut_because.as_deref(), Some("a flood of what is no body"));
    assert!((80..200).contains(&capture.body.len()), "{} bytes", capture.body.len());
}

#[tokio::test]
async fn a_server_that_agrees_and_says_nothing() {
    let server = serve(|mut stream| async move {
        let mut sink = [0; 4096];
        while matches!(stream.read(&mut sink).await, Ok(read) if read > 0) {}
    })
    .await;
    check_failure(server.fetch().await, FailureKind::ResponseTimeout, "0 bytes");
}
