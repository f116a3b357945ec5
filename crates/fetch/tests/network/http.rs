//! What is asked, what is recorded, what is kept.

use crate::support::{
    USER_AGENT, answering, captured, check_failure, config, fetch_raw, fetcher, hasty_fetcher, job, serve,
};
use archive::{Intake, Spool, Truncation};
use crawler::{AnyContentType, FailureKind, FetchJob, Ticket};
use disk::{Fault, FaultPlan, FaultyDisk, Lasts, MemDisk};
use fetch::{AddressPolicy, FetchConfig, Fetcher, Limits};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use stdx::Credit;
use tokio::net::TcpListener;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

#[tokio::test]
async fn a_page_is_captured_with_its_exact_heads() {
    let response = "HTTP/1.1 200 Fine\r\nserver: odd\r\nX-CASE:  kept \r\ncontent-length: 5\r\n\r\nhello";
    let server = answering(response).await;
    let url = server.url("http", "site.test", "/a/b?c=d|e");
    let fetched = fetcher().fetch(job(&url, server.address)).await.unwrap();
    let capture = captured(fetched.outcome);
    let host = format!("site.test:{}", server.address.port());
    let request = format!(
        "GET /a/b?c=d|e HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {USER_AGENT}\r\n\
         Accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5\r\n\
         Accept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(fetched.ticket, Ticket(7));
    assert_eq!(fetched.address, Ipv4Addr::LOCALHOST);
    assert!(fetched.started.as_ms() >= 1_000 && fetched.ended >= fetched.started);
    assert_eq!(capture.request_head, request);
    assert_eq!(server.requests(), [request]);
    assert_eq!(capture.response_head, response.strip_suffix("hello").unwrap());
    assert_eq!((capture.status, &capture.body.held().unwrap()[..]), (200, &b"hello"[..]));
    assert_eq!(capture.protocols, ["http/1.1"]);
    assert_eq!(capture.url, url);
    assert!(capture.started.unix_ms() >= 1_700_000_000_000);
    assert_eq!((capture.truncated, capture.cipher_suite.as_deref()), (None, None));
}

#[tokio::test]
async fn the_default_port_is_not_named_and_the_odd_path_is_sent_as_it_stands() {
    let server = answering("HTTP/1.1 204 No\r\n\r\n").await;
    let capture =
        captured(fetcher().fetch(job("http://site.test//x//?", server.address)).await.unwrap().outcome);
    let request = String::from_utf8(capture.request_head.to_vec()).unwrap();
    assert!(request.starts_with("GET //x//? HTTP/1.1\r\nHost: site.test\r\n"), "{request}");
}

#[tokio::test]
async fn a_redirect_is_captured_and_not_followed() {
    let server = answering("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n").await;
    let url = server.url("http", "site.test", "/");
    let capture = captured(fetcher().fetch(job(&url, server.address)).await.unwrap().outcome);
    assert_eq!(capture.status, 302);
    assert_eq!((server.connections(), server.requests().len()), (1, 1));
}

#[tokio::test]
async fn chunks_are_joined_and_the_head_stays_as_sent() {
    let head = format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n");
    let capture = captured(fetch_raw(format!("{head}3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n")).await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"abcde"[..], None));
    assert_eq!(capture.response_head, head);
}

/// A length beside them counts for nothing (RFC 9112, section 6.3).
#[tokio::test]
async fn chunks_count_and_not_a_length_beside_them() {
    for length in [3, 9] {
        let head = format!("{HEAD}Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n");
        let capture = captured(fetch_raw(format!("{head}5\r\nabcde\r\n0\r\n\r\n")).await);
        assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"abcde"[..], None));
        assert_eq!(capture.response_head, head);
    }
}

/// Its framing is faulty, but what it is (RFC 9112, section 6.1).
#[tokio::test]
async fn chunks_of_http_1_0_are_joined_too() {
    let head = "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let capture = captured(fetch_raw(format!("{head}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")).await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"abcde"[..], None));
    assert_eq!(
        (&capture.response_head[..], &capture.protocols[..]),
        (head.as_bytes(), &["http/1.0".to_owned()][..])
    );
}

/// As fast as it may come, a size line without an end is no body.
#[tokio::test]
async fn a_flood_in_place_of_a_chunk_is_cut_by_what_it_takes_on_the_wire() {
    for (start, flood) in [("", "0"), ("3\r\nabc\r\n", "0"), ("3\r\nabc\r\n3", " ")] {
        let server = serve(move |mut peer| async move {
            peer.hear().await;
            peer.say(format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n{start}")).await;
            while peer.say(flood.repeat(10_000)).await {}
        })
        .await;
        let job = job(&server.url("http", "site.test", "/"), server.address);
        let capture = captured(fetcher().fetch(job).await.unwrap().outcome);
        assert_eq!(capture.truncated, Some(Truncation::Fault));
        assert_eq!(capture.cut_because.as_deref(), Some("a flood of what is no body"));
        assert_eq!(capture.body.len(), if start.is_empty() { 0 } else { 3 });
    }
}

/// What older HTTP calls `identity` is no coding, and its length counts (RFC 2616, section 4.4).
#[tokio::test]
async fn a_body_in_no_transfer_coding_ends_at_its_length() {
    for codings in [
        "Transfer-Encoding: identity",
        "transfer-encoding: Identity , identity\r\nTransfer-Encoding:identity",
    ] {
        let head = format!("{HEAD}{codings}\r\nContent-Length: 5\r\n\r\n");
        let answer = format!("{head}abcde");
        let server = serve(move |mut peer| {
            let answer = answer.clone();
            async move { while peer.hear().await && peer.say(&answer).await {} }
        })
        .await;
        let fetcher = hasty_fetcher();
        for turn in 1..=2 {
            let job =
                FetchJob { keep_alive: true, ..job(&server.url("http", "site.test", "/"), server.address) };
            let capture = captured(fetcher.fetch(job).await.unwrap().outcome);
            assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"abcde"[..], None));
            assert_eq!((&capture.response_head[..], server.connections()), (head.as_bytes(), turn));
        }
    }
}

#[tokio::test]
async fn what_follows_the_length_of_a_body_in_no_transfer_coding_is_none_of_it() {
    let head = format!("{HEAD}Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\n");
    let capture = captured(fetch_raw(format!("{head}abcdefg")).await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"abcde"[..], None));
}

#[tokio::test]
async fn content_coding_is_left_on() {
    let gzip = [0x1f, 0x8b, 8, 0, 1, 2, 3, 0, 255];
    let head = format!("{HEAD}Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n");
    let capture = captured(fetch_raw([head.as_bytes(), &gzip].concat()).await);
    assert_eq!(&capture.body.held().unwrap()[..], gzip);
}

#[tokio::test]
async fn a_body_without_a_length_ends_with_the_connection() {
    let capture = captured(fetch_raw("HTTP/1.0 200 OK\nContent-Type: text/plain\n\nold").await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"old"[..], None));
    assert_eq!(capture.response_head, "HTTP/1.0 200 OK\nContent-Type: text/plain\n\n");
    assert_eq!(capture.protocols, ["http/1.0"]);
}

#[tokio::test]
async fn odd_heads_are_read_as_browsers_read_them() {
    let odd = "HTTP/1.1 200 OK\r\nContent-Length : 2\r\nX-Folded: a\r\n b\r\nno colon here\r\nX-Raw: \u{fc}\r\n\r\n";
    let capture = captured(fetch_raw(format!("\r\n\r\n{odd}hi")).await);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"hi"[..], None));
    assert_eq!(capture.response_head, odd);
}

#[tokio::test]
async fn interim_heads_are_passed_over() {
    let response = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    let last = "HTTP/1.1 404 Not Found\r\nContent-Length: 1\r\n\r\n";
    let capture = captured(fetch_raw(format!("{response}{last}x")).await);
    assert_eq!((capture.status, &capture.body.held().unwrap()[..]), (404, &b"x"[..]));
    assert_eq!(capture.response_head, last);
}

#[tokio::test]
async fn unwanted_types_are_recorded_without_their_body() {
    let response = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\npng";
    let server = answering(response).await;
    let mut job = job(&server.url("http", "site.test", "/"), server.address);
    let capture = captured(fetcher().fetch(job.clone()).await.unwrap().outcome);
    assert_eq!(
        (&capture.body.held().unwrap()[..], capture.truncated),
        (&b""[..], Some(Truncation::Unspecified))
    );
    job.limits.any_content_type = AnyContentType::Yes;
    let capture = captured(fetcher().fetch(job).await.unwrap().outcome);
    assert_eq!((&capture.body.held().unwrap()[..], capture.truncated), (&b"png"[..], None));
}

#[tokio::test]
async fn an_unwanted_type_without_a_body_is_not_cut() {
    let capture =
        captured(fetch_raw("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n").await);
    assert_eq!(capture.truncated, None);
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_is_whole() {
    for (length, truncated) in [(1_000, None), (1_001, Some(Truncation::Length))] {
        let body = "x".repeat(length);
        for framing in [format!("Content-Length: {length}\r\n\r\n"), "\r\n".to_owned()] {
            let capture = captured(fetch_raw(format!("{HEAD}{framing}{body}")).await);
            assert_eq!((capture.body.len(), capture.truncated), (1_000, truncated));
        }
    }
}

#[tokio::test]
async fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let outcome = fetcher().fetch(job("http://site.test/", address)).await.unwrap().outcome;
    check_failure(outcome, FailureKind::ConnectRefused, "refused");
}

#[tokio::test]
async fn an_address_outside_the_policy_is_never_dialled() {
    let server = serve(|_| async {}).await;
    let config = fetch::FetchConfig { policy: AddressPolicy::public(), ..config() };
    let fetcher = Fetcher::new(config).unwrap();
    let mapped = format!("[::ffff:127.0.0.1]:{}", server.address.port()).parse().unwrap();
    for address in [server.address, mapped, SocketAddr::from(([169, 254, 169, 254], 80))] {
        let outcome = fetcher.fetch(job("http://site.test/", address)).await.unwrap().outcome;
        check_failure(outcome, FailureKind::AddressRefused, "not on the public internet");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn fetch_dials_the_address_it_is_handed_whatever_the_url_says() {
    let server = answering("HTTP/1.1 204 No\r\n\r\n").await;
    for url in ["http://192.0.2.1/", "http://no-such-name.invalid/", "http://localhost:1/"] {
        assert_eq!(captured(fetcher().fetch(job(url, server.address)).await.unwrap().outcome).status, 204);
    }
}

/// A fetcher without credit for bodies, which spools to `disk`.
fn poor_fetcher(disk: impl disk::Disk + 'static, limits: Limits) -> Fetcher {
    let spool = Spool::open(Arc::new(disk)).unwrap();
    let intake = Intake::new(Credit::new(0), spool, 1 << 20);
    Fetcher::new(FetchConfig { intake, limits, ..config() }).unwrap()
}

#[tokio::test]
async fn a_body_without_credit_goes_to_disk_and_comes_whole() {
    let body = "a body much longer than what a connection has; ".repeat(8_000);
    let server = answering(format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len())).await;
    let fetcher = poor_fetcher(MemDisk::new(), config().limits);
    for (limit, truncated) in [(1 << 20, None), (123_456, Some(Truncation::Length))] {
        let mut job = job(&server.url("http", "site.test", "/"), server.address);
        job.limits.body_bytes = limit;
        let capture = captured(fetcher.fetch(job).await.unwrap().outcome);
        let kept = body.len().min(limit as usize);
        assert!(capture.body.held().is_none());
        assert_eq!((capture.body.len(), capture.truncated), (kept as u64, truncated));
        assert!(capture.body.start(usize::MAX).unwrap() == body.as_bytes()[..kept]);
    }
}

/// The one thread that puts bodies to disk has something else to do for as long as four windows.
#[test]
fn a_body_that_waits_for_our_disk_is_not_slow() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let body = "x".repeat(400_000);
        let server = answering(format!("{HEAD}Content-Length: {}\r\n\r\n{body}", body.len())).await;
        let limits = Limits { min_rate_bytes_per_s: 300_000, rate_window_ms: 500, ..config().limits };
        let fetcher = poor_fetcher(MemDisk::new(), limits);
        let (_sender, nothing) = std::sync::mpsc::sync_channel::<()>(1);
        tokio::task::spawn_blocking(move || nothing.recv_timeout(Duration::from_secs(2)));
        let mut job = job(&server.url("http", "site.test", "/"), server.address);
        job.limits.body_bytes = 1 << 20;
        let capture = captured(fetcher.fetch(job).await.unwrap().outcome);
        assert_eq!((capture.body.len(), capture.truncated), (body.len() as u64, None));
    });
}

#[tokio::test]
async fn a_full_disk_is_our_failure_and_not_the_servers() {
    let server = answering(format!("{HEAD}\r\n{}", "x".repeat(100_000))).await;
    let disk = FaultyDisk::counting(MemDisk::new());
    let fetcher = poor_fetcher(disk.clone(), config().limits);
    disk.set_plan(Some(FaultPlan { call: disk.calls(), fault: Fault::Full, lasts: Lasts::Forever }));
    let mut job = job(&server.url("http", "site.test", "/"), server.address);
    job.limits.body_bytes = 1 << 20;
    let error = fetcher.fetch(job).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{error}");
}
