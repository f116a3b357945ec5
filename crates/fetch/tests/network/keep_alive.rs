//! Connections are used again where both ends allow it, and only there.

use crate::support::{Peer, Server, captured, check_failure, config, fetcher, job, serve};
use crawler::{FailureKind, FetchJob, Outcome};
use fetch::{FetchConfig, Fetcher, Limits};
use std::io::{Read, Write};
use std::time::Duration;
use stdx::Timestamp;
use tokio::time::sleep;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n";

/// A server that answers any number of requests on a connection with `PAGE` and these headers.
async fn persistent(headers: &'static str) -> Server {
    serve(move |mut peer: Peer| async move {
        while peer.hear().await {
            peer.say(format!("{PAGE}{headers}\r\nhi")).await;
        }
    })
    .await
}

fn kept(server: &Server, host: &str) -> FetchJob {
    FetchJob { keep_alive: true, ..job(&server.url("http", host, "/"), server.address) }
}

async fn fetch_twice(fetcher: &Fetcher, job: FetchJob) {
    for _ in 0..2 {
        let capture = captured(fetcher.fetch(job.clone()).await.unwrap().outcome);
        assert_eq!(&capture.body.held().unwrap()[..], b"hi");
        assert!(capture.request_head.starts_with(b"GET / HTTP/1.1\r\n"));
        assert!(capture.response_head.ends_with(b"\r\n\r\n"));
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server = persistent("").await;
    let fetcher = fetcher();
    fetch_twice(&fetcher, kept(&server, "site.test")).await;
    assert_eq!((server.connections(), server.requests().len()), (1, 2));
    assert!(server.requests()[1].contains("Connection: keep-alive\r\n"));
    assert_eq!(fetcher.idle_connections(), 1);
    fetcher.close_idle();
    assert_eq!(fetcher.idle_connections(), 0);
}

#[tokio::test]
async fn a_job_that_is_too_late_contacts_nobody() {
    let server = persistent("").await;
    let fetcher = fetcher();
    let in_time = kept(&server, "site.test");
    let late = FetchJob { begin_by: Timestamp::from_ms(999), ..in_time.clone() };
    assert!(matches!(fetcher.fetch(late.clone()).await.unwrap().outcome, Outcome::TooLate));
    fetch_twice(&fetcher, in_time.clone()).await;
    assert_eq!((server.connections(), server.requests().len()), (1, 2), "it did not connect");
    assert!(matches!(fetcher.fetch(late).await.unwrap().outcome, Outcome::TooLate));
    fetch_twice(&fetcher, in_time).await;
    assert_eq!(
        (server.connections(), server.requests().len()),
        (1, 4),
        "it did not send, and kept the connection"
    );
}

#[tokio::test]
async fn not_for_another_host_at_the_same_address() {
    let server = persistent("").await;
    let fetcher = fetcher();
    fetch_twice(&fetcher, kept(&server, "a.test")).await;
    fetch_twice(&fetcher, kept(&server, "b.test")).await;
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_host_has_one_whatever_its_ports() {
    let (one, other) = (persistent("").await, persistent("").await);
    let fetcher = fetcher();
    for (server, host, connections) in
        [(&one, "site.test", 1), (&other, "site.test.", 1), (&one, "site.test", 2)]
    {
        fetch_twice(&fetcher, kept(server, host)).await;
        assert_eq!((server.connections(), fetcher.idle_connections()), (connections, 1), "{host}");
    }
}

#[tokio::test]
async fn not_when_the_job_does_not_ask() {
    let server = persistent("").await;
    let fetcher = fetcher();
    fetch_twice(&fetcher, FetchJob { keep_alive: false, ..kept(&server, "site.test") }).await;
    assert_eq!((server.connections(), fetcher.idle_connections()), (2, 0));
}

#[tokio::test]
async fn not_when_the_server_says_no() {
    for headers in ["Connection: close\r\n", "Keep-Alive: timeout=5, max=0\r\n", "Keep-Alive: timeout=1\r\n"]
    {
        let server = persistent(headers).await;
        let fetcher = fetcher();
        fetch_twice(&fetcher, kept(&server, "site.test")).await;
        assert_eq!(server.connections(), 2, "{headers}");
    }
}

#[tokio::test]
async fn after_http_1_0_only_where_the_server_says_so_and_frames_it_well() {
    let length = "Content-Length: 2\r\n\r\nhi";
    let chunks = "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
    let cases = [
        ("", length, 2),
        ("Connection: x, Keep-Alive\r\n", length, 1),
        ("Connection: keep-alive\r\n", chunks, 2),
    ];
    for (connection, framed, connections) in cases {
        let server = serve(move |mut peer: Peer| async move {
            while peer.hear().await {
                peer.say(format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n{connection}{framed}")).await;
            }
        })
        .await;
        fetch_twice(&fetcher(), kept(&server, "site.test")).await;
        assert_eq!(server.connections(), connections, "{connection}{framed}");
    }
}

#[tokio::test]
async fn not_after_a_cut_body() {
    let server = persistent("").await;
    let mut job = kept(&server, "site.test");
    job.limits.body_bytes = 1;
    let fetcher = fetcher();
    captured(fetcher.fetch(job).await.unwrap().outcome);
    assert_eq!(fetcher.idle_connections(), 0);
}

#[tokio::test]
async fn a_connection_the_server_closed_while_idle_is_replaced() {
    let server = serve(|mut peer: Peer| async move {
        peer.hear().await;
        peer.say(format!("{PAGE}\r\nhi")).await;
    })
    .await;
    let fetcher = fetcher();
    captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
    sleep(Duration::from_millis(50)).await;
    captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
    assert_eq!((server.connections(), server.requests().len()), (2, 2));
}

#[tokio::test]
async fn a_connection_closed_on_the_second_request_is_a_failure() {
    let server = serve(|mut peer: Peer| async move {
        peer.hear().await;
        peer.say(format!("{PAGE}\r\nhi")).await;
        peer.hear().await;
    })
    .await;
    let fetcher = fetcher();
    captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
    let closed = fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome;
    check_failure(closed, FailureKind::Disconnected, "");
    assert_eq!((server.connections(), server.requests().len()), (1, 2), "it has read both, a delay apart");
    for _ in 0..2 {
        let capture = captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
        let request = String::from_utf8_lossy(&capture.request_head).to_lowercase();
        assert!(request.contains("connection: close\r\n"), "{request}");
    }
    assert_eq!(
        (server.connections(), server.requests().len()),
        (3, 4),
        "no connection to it is kept any more"
    );
}

/// It closes while this thread does something else, and nothing has told the runtime yet.
#[tokio::test]
async fn a_connection_closed_a_moment_ago_is_replaced() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        for _ in 0..2 {
            let mut stream = listener.accept().unwrap().0;
            assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
            stream.write_all(format!("{PAGE}\r\nhi").as_bytes()).unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
            assert!(stream.read(&mut [0; 1024]).is_err(), "no second request");
        }
    });
    let fetcher = fetcher();
    let job = FetchJob { keep_alive: true, ..job("http://site.test/", address) };
    captured(fetcher.fetch(job.clone()).await.unwrap().outcome);
    assert_eq!(fetcher.idle_connections(), 1);
    busy(Duration::from_millis(150));
    captured(fetcher.fetch(job).await.unwrap().outcome);
    server.join().unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a runtime that cannot look at its sockets is what is tested")]
fn busy(time: Duration) {
    std::thread::sleep(time);
}

#[tokio::test]
async fn a_half_answered_second_request_is_a_failure() {
    let server = serve(|mut peer: Peer| async move {
        peer.hear().await;
        peer.say(format!("{PAGE}\r\nhi")).await;
        peer.hear().await;
        peer.say("HTTP/1.1 2").await;
    })
    .await;
    let fetcher = fetcher();
    captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
    crate::support::failed(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn bytes_nobody_asked_for_close_a_connection() {
    let server = serve(|mut peer: Peer| async move {
        peer.hear().await;
        peer.say(format!("{PAGE}\r\nhi")).await;
        sleep(Duration::from_millis(30)).await;
        peer.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil").await;
        peer.linger().await;
    })
    .await;
    let fetcher = fetcher();
    for _ in 0..2 {
        let capture = captured(fetcher.fetch(kept(&server, "site.test")).await.unwrap().outcome);
        assert_eq!(&capture.body.held().unwrap()[..], b"hi");
        sleep(Duration::from_millis(80)).await;
    }
    assert_eq!(server.connections(), 2);
}

/// They come with the end of the answer before.
#[tokio::test]
async fn an_answer_ahead_of_its_question_is_none() {
    let server = serve(|mut peer: Peer| async move {
        peer.hear().await;
        peer.say(format!("{PAGE}\r\nhiHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")).await;
        peer.linger().await;
    })
    .await;
    let fetcher = fetcher();
    fetch_twice(&fetcher, kept(&server, "site.test")).await;
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn idle_connections_are_few_and_short_lived() {
    let server = persistent("").await;
    let limits = Limits { idle_ms: 150, ..config().limits };
    let fetcher = Fetcher::new(FetchConfig { limits, ..config() }).unwrap();
    for host in ["a.test", "b.test", "c.test"] {
        captured(fetcher.fetch(kept(&server, host)).await.unwrap().outcome);
    }
    assert_eq!(fetcher.idle_connections(), 2, "the limit");
    sleep(Duration::from_millis(400)).await;
    assert_eq!(fetcher.idle_connections(), 0, "none is asked for, and yet they close");
}
