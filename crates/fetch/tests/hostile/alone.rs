//! One malice after the other.

use crate::METER;
use crate::support::{BODY_BYTES, captured, fetch_metered, fetcher, hasty, in_turn, job, parse};
use archive::Truncation;
use crawler::{FailureKind, FetchJob, Outcome};
use page::{Cut, Warning};
use simweb::hostile::{CHUNK_KINDS, Hostile, Malice, RESET_POINTS, start};

/// What a fetch may take: its body, which a vector that grows has twice, hyper's and the tape's head, buffers; and what the
/// server's thread, which the meter counts too, takes to make a page.
const FETCH_BYTES: usize = 2 * BODY_BYTES as usize + (512 << 10) + (2 << 20);

/// What a parse may take: what is parsed of the body, as UTF-8 too, its text, and the 65,536 links kept of a page.
const PARSE_BYTES: usize = 24 << 20;
/// Of a page that is read as well.
const PAGE_BYTES: u64 = 16 << 20;

/// What is said of a fetch.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    Whole,
    Cut(Truncation),
    Failed(FailureKind),
}

fn said(outcome: &Outcome) -> Said {
    match outcome {
        Outcome::Captured(capture) => capture.truncated.map_or(Said::Whole, Said::Cut),
        Outcome::Failed(failure) => Said::Failed(failure.kind),
        Outcome::TooLate => panic!("no contact"),
    }
}

#[track_caller]
fn check(job: impl Fn(&Hostile) -> FetchJob, expected: &Said) {
    let spent = in_turn(|| async {
        let server = start().unwrap();
        fetch_metered(&fetcher(hasty()), job(&server)).await
    });
    assert_eq!(said(&spent.outcome), *expected, "{:?}", spent.outcome);
    assert!(spent.peak_bytes <= FETCH_BYTES, "{} KiB", spent.peak_bytes >> 10);
}

#[track_caller]
fn check_http(malice: Malice, expected: &Said) {
    check(|server| job(server, "http", malice, "/"), expected);
}

#[track_caller]
fn check_https(malice: Malice, expected: &Said) {
    check(|server| job(server, "https", malice, "/"), expected);
}

#[test]
fn heads() {
    check_http(Malice::DripHead, &Said::Failed(FailureKind::ResponseTimeout));
    check_http(Malice::Silence, &Said::Failed(FailureKind::ResponseTimeout));
    for malice in [Malice::EndlessHeaders, Malice::EndlessLine, Malice::InterimStorm, Malice::OtherProtocol] {
        check_http(malice, &Said::Failed(FailureKind::Protocol));
    }
}

#[test]
fn bodies() {
    check_http(Malice::DripBody, &Said::Cut(Truncation::Time));
    check_http(Malice::EndlessBody, &Said::Cut(Truncation::Length));
    check_http(Malice::MillionLinks, &Said::Cut(Truncation::Length));
}

#[test]
fn lengths() {
    check_http(Malice::LengthShort, &Said::Whole);
    check_http(Malice::LengthLong, &Said::Cut(Truncation::Disconnect));
    check_http(Malice::LengthNegative, &Said::Failed(FailureKind::Protocol));
    check_http(Malice::LengthTwice, &Said::Failed(FailureKind::Protocol));
}

#[test]
fn chunks() {
    for kind in 0..CHUNK_KINDS {
        let ask = |server: &Hostile| job(server, "http", Malice::ChunkNonsense, &format!("/{kind}"));
        // The others only end too early.
        let is_none = (2..=5).contains(&kind);
        check(ask, &Said::Cut(if is_none { Truncation::Fault } else { Truncation::Disconnect }));
    }
    check_http(Malice::ChunkExtensions, &Said::Cut(Truncation::Fault));
}

#[test]
fn a_reset_at_every_byte() {
    in_turn(|| async {
        let (server, fetcher) = (start().unwrap(), fetcher(hasty()));
        for point in 0..RESET_POINTS {
            let job = job(&server, "http", Malice::Reset, &format!("/{point}"));
            let said = said(&fetcher.fetch(job).await.unwrap().outcome);
            let is_blamed = [Said::Failed(FailureKind::Disconnected), Said::Cut(Truncation::Disconnect)];
            assert!(is_blamed.contains(&said), "at {point}: {said:?}");
        }
        assert_eq!(fetcher.idle_connections(), 0);
    });
}

#[test]
fn handshakes() {
    for malice in [Malice::TlsAlert, Malice::TlsOverlong, Malice::OtherProtocol, Malice::Silence] {
        check_https(malice, &Said::Failed(FailureKind::Tls));
    }
    let alert = in_turn(|| async {
        let server = start().unwrap();
        fetcher(hasty()).fetch(job(&server, "https", Malice::TlsAlert, "/")).await.unwrap().outcome
    });
    assert!(format!("{alert:?}").contains("HandshakeFailure"), "the alert by its name: {alert:?}");
}

#[test]
fn redirects_are_captured_and_not_followed() {
    for malice in [Malice::RedirectLoop, Malice::RedirectChain, Malice::RedirectPrivate] {
        check_http(malice, &Said::Whole);
    }
}

/// A page as it is fetched and read, under the meter both times.
#[track_caller]
fn read(malice: Malice) -> page::Page {
    let spent = in_turn(|| async {
        let server = start().unwrap();
        let mut job = job(&server, "http", malice, "/");
        job.limits.body_bytes = PAGE_BYTES;
        fetch_metered(&fetcher(hasty()), job).await
    });
    let capture = captured(spent.outcome);
    // By what the body may have, not by what has come of it before the time was up: it grows by doubling.
    let most = FETCH_BYTES + 2 * PAGE_BYTES as usize;
    assert!(spent.peak_bytes <= most, "{malice:?}: {}", spent.peak_bytes);
    in_turn(|| async {
        let before = METER.begin();
        let page = parse(&capture);
        let peak = METER.peak_since(before);
        assert!(peak <= PARSE_BYTES, "{malice:?}: {} KiB", peak >> 10);
        page
    })
}

#[test]
fn bombs_are_cut_where_decoding_is_capped() {
    for malice in [Malice::GzipBomb, Malice::BrotliBomb, Malice::NestedTags] {
        let page = read(malice);
        assert!(page.cut.has(Cut::DECODING), "{malice:?}: {:?}", page.cut);
    }
}

#[test]
fn broken_and_piled_up_codings() {
    let page = read(Malice::GzipCut);
    assert_eq!(page.warnings, [Warning::BrokenCoding("gzip".into())]);
    assert!(page.text.starts_with("what comes of it"), "what could be read is kept");
    let page = read(Malice::GzipMembers);
    assert!(page.text.starts_with("a member"), "{:?} {:?} {}", page.cut, page.warnings, page.decoded_len);
}

#[test]
fn a_million_links() {
    let page = read(Malice::MillionLinks);
    assert!(page.cut.has(Cut::PARSING) && page.cut.has(Cut::LINKS), "{:?}", page.cut);
    assert_eq!(page.links.len(), page::Limits::default().links);
}

#[test]
fn a_nul_in_a_head_is_no_http() {
    check(|server| job(server, "http", Malice::Nuls, "/head"), &Said::Failed(FailureKind::Protocol));
}

#[test]
fn nuls_and_broken_encodings() {
    let page = read(Malice::Nuls);
    assert!(page.text.contains("text") && !page.text.contains('\0'), "{:?}", page.text);
    let page = read(Malice::BrokenEncodings);
    assert_eq!(page.charset, "windows-1252", "nobody knows the encoding that is declared");
}

#[test]
fn evil_urls_are_links_or_nothing() {
    let page = read(Malice::EvilUrls);
    for link in &page.links {
        let url = link.url.as_str();
        assert!(url.starts_with("http://") || url.starts_with("https://"), "{url}");
        assert!(!url.contains(['\r', '\n', '\t', '\0', ' ']) && url.len() < 20_000, "{url}");
    }
    assert!(page.links.iter().any(|link| link.url.as_str().ends_with("/good")));
}
