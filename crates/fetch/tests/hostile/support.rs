use crate::METER;
use archive::Capture;
use crawler::{AnyContentType, Asks, FetchJob, FetchLimits, Outcome, Ticket};
use fetch::{AddressPolicy, Clock, FetchConfig, Fetcher, Limits};
use page::{Document, Header, Page, Room, Settings, Unpacked};
use simweb::hostile::{Hostile, Malice};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use stdx::{Timestamp, WallTime};
use weburl::Url;

/// Body bytes that are kept.
pub(crate) const BODY_BYTES: u64 = 256 << 10;

/// Small limits: what hangs is given up within a second or so.
pub(crate) fn hasty() -> Limits {
    Limits { tls_ms: 500, head_ms: 500, rate_window_ms: 500, ..Limits::default() }
}

/// A fetcher that may contact loopback.
pub(crate) fn fetcher(limits: Limits) -> Fetcher {
    let config = FetchConfig {
        dns: vec!["127.0.0.1:9".parse().unwrap()],
        policy: AddressPolicy::new(vec!["127.0.0.0/8".parse().unwrap()]).unwrap(),
        limits,
        clock: Clock::starting_at(Timestamp::from_ms(1_000), WallTime::from_unix_ms(1_700_000_000_000)),
        ..FetchConfig::new("drumlin-test/0")
    };
    Fetcher::new(config).unwrap()
}

/// Asks a malice for `target`.
pub(crate) fn job(server: &Hostile, scheme: &str, malice: Malice, target: &str) -> FetchJob {
    FetchJob {
        ticket: Ticket(1),
        url: Url::parse(&server.url(scheme, malice, target)).unwrap(),
        address: server.address(malice),
        limits: FetchLimits {
            body_bytes: BODY_BYTES,
            total_ms: 60_000,
            any_content_type: AnyContentType::No,
        },
        begin_by: Timestamp::NEVER,
        keep_alive: true,
        asks: Asks::Whatever,
    }
}

/// What came of a fetch, and the most memory it took.
pub(crate) struct Spent {
    pub(crate) outcome: Outcome,
    pub(crate) peak_bytes: usize,
}

/// One at a time: all threads of a process share a meter.
static TURN: Mutex<()> = Mutex::new(());

/// Runs `work` while no other test does anything.
pub(crate) fn in_turn<F: Future>(work: impl FnOnce() -> F) -> F::Output {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work())
}

/// Fetches under the meter.
pub(crate) async fn fetch_metered(fetcher: &Fetcher, job: FetchJob) -> Spent {
    let before = METER.begin();
    let outcome = fetcher.fetch(job).await.unwrap().outcome;
    Spent { outcome, peak_bytes: METER.peak_since(before) }
}

/// The capture, which must be there.
pub(crate) fn captured(outcome: Outcome) -> Arc<Capture> {
    match outcome {
        Outcome::Captured(capture) => capture,
        Outcome::Failed(failure) => panic!("no capture: {failure:?}"),
        Outcome::TooLate => panic!("no contact"),
    }
}

/// Reads a captured page as the parser does.
pub(crate) fn parse(capture: &Capture) -> Page {
    let head = String::from_utf8_lossy(&capture.response_head);
    let headers: Vec<Header<'_>> = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| Header { name: name.trim(), value: value.trim() })
        .collect();
    let url = Url::parse(&capture.url).unwrap();
    let coding = headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-encoding"));
    let (bytes, settings) = (capture.body.held().expect("it was not too long"), Settings::default());
    let mut room = Room::default();
    let body = &Unpacked::of(bytes, coding.map(|header| header.value), &settings.limits, &mut room);
    page::parse_unpacked(&Document { url: &url, headers: &headers, body }, &settings)
}
