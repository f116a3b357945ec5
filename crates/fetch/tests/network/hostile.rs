//! Servers at their worst, in particular: what `tests/hostile` shows of each kind, here to the byte.

use crate::support::{
    Peer, Server, answering, captured, check_failure, config, fetch_raw, fetcher, hasty_fetcher, job, serve,
};
use archive::Truncation;
use crawler::{FailureKind, FetchJob, Outcome};
use fetch::{FetchConfig, Fetcher, Limits};
use std::time::Duration;
use tokio::time::{Instant, sleep};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

async fn fetch_from(server: &Server) -> Outcome {
    fetcher().fetch(plain_job(server)).await.unwrap().outcome
}

async fn fetch_hastily(server: &Server) -> Outcome {
    hasty_fetcher().fetch(plain_job(server)).await.unwrap().outcome
}

fn plain_job(server: &Server) -> FetchJob {
    job(&server.url("http", "site.test", "/"), server.address)
}

/// A server that says `start`, then `piece` again and again with a pause after each.
async fn dripping(start: String, piece: &'static str, pause_ms: u64) -> Server {
    serve(move |mut peer: Peer| {
        let start = start.clone();
        async move {
            peer.hear().await;
            peer.say(start).await;
            while peer.say(piece).await {
                match pause_ms {
                    0 => tokio::task::yield_now().await,
                    _ => sleep(Duration::from_millis(pause_ms)).await,
                }
            }
        }
    })
    .await
}

/// A body in pieces of one byte, as fast as it may come: whoever else is served by the same loop has turns all the while.
#[tokio::test]
async fn others_have_their_turn_beside_a_body_in_tiny_pieces() {
    const PIECES: usize = 100_000;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut tcp, _) = listener.accept().unwrap();
        let _ = std::io::Read::read(&mut tcp, &mut [0; 4096]);
        let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let answer = [&head[..], &b"1\r\nx\r\n".repeat(PIECES), b"0\r\n\r\n"].concat();
        std::io::Write::write_all(&mut tcp, &answer).unwrap();
    });
    let mut job = job(&format!("http://{address}/"), address);
    job.limits.body_bytes = 1 << 20;
    let fetcher = fetcher();
    let mut fetch = std::pin::pin!(fetcher.fetch(job));
    let mut turns = 0;
    let capture = loop {
        tokio::select! {
            biased;
            fetched = &mut fetch => break captured(fetched.unwrap().outcome),
            () = tokio::task::yield_now() => turns += 1,
        }
    };
    assert_eq!((capture.body.len(), capture.truncated), (PIECES as u64, None));
    assert!(turns > PIECES / 400, "{turns} turns");
}

#[tokio::test]
async fn a_length_that_lies_is_a_disconnect() {
    let capture = captured(fetch_raw(format!("{HEAD}Content-Length: 10\r\n\r\nshort")).await);
    assert_eq!(
        (&capture.body.held().unwrap()[..], capture.truncated),
        (&b"short"[..], Some(Truncation::Disconnect))
    );
}

/// What is no chunk is told apart from what broke off, and how.
#[tokio::test]
async fn chunks_that_are_none_are_told_in_words() {
    for (body, truncated, words) in [
        ("hi\r\n", Truncation::Fault, "Invalid chunk size line"),
        ("2\r\nhigh\r\n", Truncation::Fault, "Invalid chunk body CR"),
        ("9\r\nhi", Truncation::Disconnect, "end of file before message length reached"),
    ] {
        let capture = captured(fetch_raw(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n{body}")).await);
        assert_eq!(capture.truncated, Some(truncated), "{body:?}");
        assert!(capture.cut_because.as_ref().is_some_and(|because| because.contains(words)), "{capture:?}");
    }
}

#[tokio::test]
async fn what_exceeds_the_length_is_not_body() {
    let capture = captured(fetch_raw(format!("{HEAD}Content-Length: 2\r\n\r\nhi and more")).await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"hi"[..], None));
}

#[tokio::test]
async fn a_connection_that_ends_before_the_head_does() {
    for part in
        ["", "HTT", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n"]
    {
        let failure = crate::support::failed(fetch_raw(part).await);
        assert_eq!(failure.kind, FailureKind::Disconnected, "after {part:?}: {failure:?}");
    }
}

#[tokio::test]
async fn what_is_not_http() {
    for part in [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "<html>HTTP/0.9</html>\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ] {
        let failure = crate::support::failed(fetch_raw(part).await);
        assert_eq!(failure.kind, FailureKind::Protocol, "for {part:?}: {failure:?}");
    }
}

#[tokio::test]
async fn every_cut_of_a_response_is_a_capture_or_a_typed_failure() {
    let whole = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    for cut in 0..whole.len() {
        match fetch_raw(&whole.as_bytes()[..cut]).await {
            Outcome::Captured(capture) => {
                assert_eq!(capture.truncated, Some(Truncation::Disconnect), "at {cut}");
            }
            Outcome::Failed(failure) => assert_eq!(failure.kind, FailureKind::Disconnected, "at {cut}"),
            Outcome::TooLate => panic!("no contact at {cut}"),
        }
    }
}

#[tokio::test]
async fn a_transfer_coding_that_nobody_asked_for() {
    for coding in ["gzip, chunked", "Deflate , chunked", "x-gzip"] {
        let outcome = fetch_raw(format!("{HEAD}Transfer-Encoding: {coding}\r\n\r\n0\r\n\r\n")).await;
        check_failure(outcome, FailureKind::Protocol, "a transfer coding that nobody asked for");
    }
    let capture = captured(fetch_raw(format!("{HEAD}Transfer-Encoding: identity\r\n\r\nhi")).await);
    assert_eq!(&capture.body.held().unwrap()[..], b"hi");
}

#[tokio::test]
async fn too_many_headers() {
    let many = "A: b\r\n".repeat(600);
    let failure = crate::support::failed(fetch_raw(format!("{HEAD}{many}\r\n")).await);
    assert_eq!(failure.kind, FailureKind::Protocol, "{failure:?}");
    let fewer = "A: b\r\n".repeat(400);
    assert_eq!(captured(fetch_raw(format!("{HEAD}{fewer}\r\nx")).await).status, 200);
}

#[tokio::test]
async fn an_endless_line_before_the_head() {
    let server = dripping(String::new(), "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n", 0).await;
    let failure = crate::support::failed(fetch_from(&server).await);
    assert_eq!(failure.kind, FailureKind::Protocol, "{failure:?}");
}

#[tokio::test]
async fn a_body_that_drips_is_cut_by_its_rate() {
    let server = dripping(format!("{HEAD}\r\n"), "x", 20).await;
    let began = Instant::now();
    let capture = captured(fetch_hastily(&server).await);
    assert_eq!(capture.truncated, Some(Truncation::Time));
    assert_eq!(capture.cut_because.as_deref(), Some("fewer than 307 bytes came in 300 ms"));
    assert!(!capture.body.is_empty() && capture.body.len() < 100, "{}", capture.body.len());
    assert!(began.elapsed() < Duration::from_secs(30), "the window is 0.3 s, the total 60 s");
}

#[tokio::test]
async fn a_body_that_stops_is_cut_by_its_rate() {
    let server = serve(|mut peer| async move {
        peer.hear().await;
        peer.say(format!("{HEAD}Content-Length: 500\r\n\r\nfirst")).await;
        peer.linger().await;
    })
    .await;
    let capture = captured(fetch_hastily(&server).await);
    assert_eq!(
        (&capture.body.held().unwrap()[..], capture.truncated),
        (&b"first"[..], Some(Truncation::Time))
    );
}

#[tokio::test]
async fn an_endless_body_is_cut_by_its_length() {
    let server = dripping(format!("{HEAD}\r\n"), "all work and no play ", 0).await;
    let capture = captured(fetch_from(&server).await);
    assert_eq!((capture.body.len(), capture.truncated), (1_000, Some(Truncation::Length)));
}

#[tokio::test]
async fn the_total_bounds_a_body_that_is_fast_enough() {
    let server = dripping(format!("{HEAD}\r\n"), "0123456789012345678901234567890123456789", 10).await;
    let mut job = plain_job(&server);
    job.limits.total_ms = 700;
    job.limits.body_bytes = 1 << 30;
    let limits = Limits { min_rate_bytes_per_s: 1, ..config().limits };
    let fetched = Fetcher::new(FetchConfig { limits, ..config() }).unwrap().fetch(job).await.unwrap();
    let took = fetched.ended.since_ms(fetched.started);
    let capture = captured(fetched.outcome);
    assert_eq!(capture.truncated, Some(Truncation::Time));
    assert_eq!(capture.cut_because.as_deref(), Some("the time for all of it was over"));
    assert!((690..15_000).contains(&took), "{took}");
}

#[tokio::test]
async fn the_total_bounds_the_head_too() {
    let server = serve(|mut peer| async move { peer.linger().await }).await;
    let mut job = plain_job(&server);
    job.limits.total_ms = 100;
    let fetched = fetcher().fetch(job).await.unwrap();
    assert!(fetched.ended.since_ms(fetched.started) < 15_000, "the head may take 30 s");
    check_failure(fetched.outcome, FailureKind::ResponseTimeout, "");
}

#[tokio::test]
async fn a_promised_terabyte_costs_nothing() {
    let raw = format!("{HEAD}Content-Length: 1099511627776\r\n\r\n{}", "y".repeat(2_000));
    let capture = captured(fetch_raw(raw).await);
    assert_eq!((capture.body.len(), capture.truncated), (1_000, Some(Truncation::Length)));
}

#[tokio::test]
async fn the_longest_url_is_sent_whole() {
    let server = answering("HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n\r\n").await;
    let path = format!("/{}", "a".repeat(7_900));
    let url = server.url("http", "site.test", &path);
    let capture = captured(fetcher().fetch(job(&url, server.address)).await.unwrap().outcome);
    assert_eq!(capture.status, 414);
    assert!(server.requests()[0].starts_with(&format!("GET {path} HTTP/1.1\r\n")));
}

#[tokio::test]
async fn many_slow_hosts_do_not_stop_a_fast_one() {
    let slow = serve(|mut peer| async move { peer.linger().await }).await;
    let fast = answering(format!("{HEAD}Content-Length: 2\r\n\r\nok")).await;
    let fetcher = std::sync::Arc::new(Fetcher::new(config()).unwrap());
    for _ in 0..100 {
        let (fetcher, job) = (fetcher.clone(), plain_job(&slow));
        tokio::spawn(async move { fetcher.fetch(job).await.unwrap() });
    }
    let capture = captured(fetcher.fetch(plain_job(&fast)).await.unwrap().outcome);
    assert_eq!(&capture.body.held().unwrap()[..], b"ok");
}
