//! What an earlier crawl has is asked for only if it has changed, and only where it has it.

use crate::support::{Peer, Server, USER_AGENT, captured, config, job, serve};
use archive::{
    Archive, ArchiveConfig, Body, Capture, CaptureMeta, EARLIER_DIR, EarlierCrawl, Entry, Kept, Notable,
    Purpose,
};
use bytes::Bytes;
use control::Takedowns;
use crawler::{Asks, FetchJob};
use disk::{Beside, MemDisk, SharedDisk};
use fetch::{FetchConfig, Fetcher};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;

const BODY: &str = "<title>As it was</title>";
const VALIDATORS: &str = "ETag: W/\"a, b\"\r\nLast-Modified: once upon a time\r\n";
const NOW: WallTime = WallTime::from_unix_ms(1_700_000_000_000);

/// A capture of `url`, as an earlier crawl archived it.
fn kept(url: &str, fields: &str) -> Entry {
    let capture = Capture {
        url: url.to_owned(),
        started: NOW,
        elapsed_ms: 1,
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        protocols: vec!["http/1.1".to_owned()],
        cipher_suite: None,
        handshake: None,
        request_head: Bytes::from_static(b"GET / HTTP/1.1\r\n\r\n"),
        response_head: Bytes::from(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n")),
        status: 200,
        body: Body::from(Bytes::from_static(BODY.as_bytes())),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    };
    let meta = CaptureMeta { via: None, hops: 0, purpose: Purpose::Page };
    Entry { record: Vec::new(), capture: Some(Kept { capture: Arc::new(capture), meta }) }
}

/// A fetcher that looks back on a crawl of these pages.
fn fetcher_after(pages: &[Entry]) -> Fetcher {
    let first: SharedDisk = Arc::new(MemDisk::new());
    let plain = ArchiveConfig::new("first", "here", 1, str::to_owned);
    let mut archive = Archive::open(first.clone(), plain, NOW).unwrap().archive;
    archive.commit(NOW, pages).unwrap();
    archive.finish().unwrap();
    let disk: SharedDisk = Arc::new(Beside::new(Arc::new(MemDisk::new()), EARLIER_DIR, first.clone()));
    disk.create_dir(Path::new("state")).unwrap();
    let taken: Takedowns = [].into_iter().collect();
    let notable = Notable { disk: &first, taken: &taken, memory_bytes: 1 << 20 };
    EarlierCrawl::note(&disk, &notable, &mut stdx::nobody).unwrap();
    let earlier = EarlierCrawl::open(&disk).unwrap().map(Arc::new);
    Fetcher::new(FetchConfig { earlier, ..config() }).unwrap()
}

/// A server that answers everything with this, whatever it was asked.
async fn answering(answer: &'static str) -> Server {
    serve(move |mut peer: Peer| async move {
        peer.hear().await;
        peer.say(answer).await;
        peer.linger().await;
    })
    .await
}

/// One that says of everything that it has not changed.
async fn unchanging() -> Server {
    answering("HTTP/1.1 304 Not Modified\r\nETag: \"a, b\"\r\nContent-Length: 24\r\nX-Since: then\r\n\r\n")
        .await
}

fn if_modified(server: &Server, path: &str) -> FetchJob {
    FetchJob { asks: Asks::IfModified, ..job(&server.url("http", "site.test", path), server.address) }
}

#[tokio::test]
async fn validators_go_back_as_they_came_and_a_304_stands_for_what_they_came_with() {
    let server = unchanging().await;
    let fetcher = fetcher_after(&[kept(&server.url("http", "site.test", "/"), VALIDATORS)]);
    let capture = captured(fetcher.fetch(if_modified(&server, "/")).await.unwrap().outcome);
    let asked = &server.requests()[0];
    assert!(
        asked.contains("if-none-match: W/\"a, b\"\r\n") || asked.contains("If-None-Match: W/\"a, b\"\r\n")
    );
    assert!(asked.to_ascii_lowercase().contains("if-modified-since: once upon a time\r\n"), "{asked}");
    assert!(asked.contains(USER_AGENT));
    assert_eq!((capture.status, capture.body.len(), capture.truncated), (304, 0, None));
    let content = capture.content();
    assert_eq!((content.status, content.body.start(99).unwrap()), (200, Bytes::from_static(BODY.as_bytes())));
    let head = std::str::from_utf8(content.head).unwrap();
    assert!(
        head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n") && head.contains("X-Since: then")
    );
}

#[tokio::test]
async fn an_answer_that_is_no_304_stands_for_itself() {
    let server = answering("HTTP/1.1 200 OK\r\nETag: W/\"a, b\"\r\nContent-Length: 3\r\n\r\nnew").await;
    let fetcher = fetcher_after(&[kept(&server.url("http", "site.test", "/"), VALIDATORS)]);
    let capture = captured(fetcher.fetch(if_modified(&server, "/")).await.unwrap().outcome);
    assert!(server.requests()[0].to_ascii_lowercase().contains("if-none-match"));
    assert!(capture.unchanged.is_none());
    assert_eq!(capture.content().body.start(99).unwrap(), Bytes::from_static(b"new"));
}

#[tokio::test]
async fn nothing_is_asked_about_what_the_earlier_crawl_has_not_or_has_without_a_validator() {
    let server = unchanging().await;
    let url = |path: &str| server.url("http", "site.test", path);
    let fetcher = fetcher_after(&[kept(&url("/"), VALIDATORS), kept(&url("/plain"), "")]);
    let jobs = [
        if_modified(&server, "/plain"),
        if_modified(&server, "/?other"),
        FetchJob { asks: Asks::Whatever, ..if_modified(&server, "/") },
    ];
    for job in jobs {
        let capture = captured(fetcher.fetch(job).await.unwrap().outcome);
        assert!(capture.unchanged.is_none() && capture.status == 304);
    }
    assert!(server.requests().iter().all(|asked| !asked.to_ascii_lowercase().contains("\r\nif-")));
}

#[tokio::test]
async fn a_validator_that_is_too_long_for_a_request_stays_here() {
    let server = unchanging().await;
    let fields = format!("ETag: \"{}\"\r\nLast-Modified: once upon a time\r\n", "a".repeat(20_000));
    let fetcher = fetcher_after(&[kept(&server.url("http", "site.test", "/"), &fields)]);
    captured(fetcher.fetch(if_modified(&server, "/")).await.unwrap().outcome);
    let asked = server.requests()[0].to_ascii_lowercase();
    assert!(asked.contains("if-modified-since: once") && !asked.contains("if-none-match"), "{}", asked.len());
}

#[tokio::test]
async fn a_304_to_a_question_without_a_validator_stands_for_nothing() {
    let server = answering("HTTP/1.1 304 Not Modified\r\n\r\n").await;
    let fields = format!("ETag: \"{}\"\r\n", "a".repeat(2_000));
    let fetcher = fetcher_after(&[kept(&server.url("http", "site.test", "/"), &fields)]);
    let capture = captured(fetcher.fetch(if_modified(&server, "/")).await.unwrap().outcome);
    assert!(capture.unchanged.is_none() && capture.status == 304);
}

#[tokio::test]
async fn one_validator_goes_alone_and_another_answer_is_not_taken_for_the_old_one() {
    let server = unchanging().await;
    let url = |path: &str| server.url("http", "site.test", path);
    let dated = kept(&url("/dated"), "Last-Modified: Mon, 06 Nov 1994 08:49:37 GMT\r\n");
    let fetcher = fetcher_after(&[dated, kept(&url("/other"), "ETag: \"other\"\r\n")]);
    let capture = captured(fetcher.fetch(if_modified(&server, "/dated")).await.unwrap().outcome);
    assert!(capture.unchanged.is_some());
    assert!(!server.requests()[0].to_ascii_lowercase().contains("if-none-match"));
    let capture = captured(fetcher.fetch(if_modified(&server, "/other")).await.unwrap().outcome);
    assert!(capture.unchanged.is_none(), "the 304 names another entity tag");
    assert!(server.requests()[1].to_ascii_lowercase().contains("if-none-match: \"other\"\r\n"));
}
