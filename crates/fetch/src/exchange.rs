use crate::body::{BodyBounds, Cut, ReadBody, finish, read_body};
use crate::clock::whole_ms;
use crate::config::FetchConfig;
use crate::connection::{Connection, Readiness, Request, Response, given_ms};
use crate::failure::{failure, is_faulty_two, is_refusal, of_exchange, requires_one};
use crate::limits::{UNSENT_MS, VALIDATOR_BYTES};
use crate::rate::RateFloor;
use crate::signature::{Asked, Nonce};
use crate::tape::{OLD_VERSION, Tape};
use crate::tls::Speaks;
use archive::{Body, Capture, Original, Truncation};
use crawler::{AnyContentType, Failure, FailureKind, FetchJob};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, TRANSFER_ENCODING, USER_AGENT,
};
use http::uri::{PathAndQuery, Uri};
use http::{HeaderValue, StatusCode, Version};
use http_body_util::Empty;
use hyper::body::Body as _;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use stdx::WallTime;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout, timeout_at};

/// What is asked, and what is known of it already.
pub(crate) struct Ask<'a> {
    pub(crate) job: &'a FetchJob,
    /// The answer of an earlier crawl, with its validators.
    pub(crate) known: Option<&'a Arc<Original>>,
    /// Whether the connection may be kept for another request.
    pub(crate) keep_alive: bool,
}

/// What one exchange brings.
pub(crate) struct Exchanged {
    pub(crate) capture: Capture,
    /// The connection, where it can take another request.
    pub(crate) reusable: Option<Reusable>,
    /// Whether the body broke off because the server's HTTP/2 is faulty.
    pub(crate) is_faulty_two: bool,
}

/// A connection that can take another request, and for how long the server says so.
pub(crate) struct Reusable {
    pub(crate) connection: Connection,
    pub(crate) idle_ms: u64,
}

/// Why an exchange brings nothing.
pub(crate) enum Unanswered {
    /// The network's fault or the server's.
    Failed(Failure),
    /// Likewise, before a byte of the request was sent, or the server says that it has not looked at it.
    Unsent(Failure),
    /// The server has turned it down because it came by HTTP/2.
    OneOnly(Failure),
    /// The server's HTTP/2 is faulty.
    FaultyTwo(Failure),
    /// Our own: a body could not be put to disk.
    Disk(io::Error),
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// What browsers and crawlers ask for, pages first. Everything is acceptable: refusing to answer is worse.
const ACCEPTED: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5";

/// RFC 9112, section 7.2.
const COMPRESSIONS: [&str; 5] = ["gzip", "x-gzip", "deflate", "compress", "x-compress"];

/// Sends the job's request on `connection` and reads the response, within `deadline`.
pub(crate) async fn exchange(
    mut connection: Connection,
    ask: &Ask<'_>,
    config: &FetchConfig,
    deadline: Instant,
) -> Result<Exchanged, Unanswered> {
    let job = ask.job;
    let began = Instant::now();
    let started = config.clock.wall();
    let response = read_head(&mut connection, ask, config, deadline).await?;
    if let Some(cookies) = &config.cookies {
        cookies.note(&job.url, response.headers());
    }
    let mut capture = capture_of_head(&connection, &response, job, started)?;
    capture.unchanged = unchanged(&capture, ask);
    let outlasts = outlasts(&capture.response_head, response.headers());
    let idle_ms = if outlasts { idle_ms(response.headers(), config.limits.idle_ms) } else { 0 };
    let read = read_wanted_body(&mut connection, response, job, config, deadline).await?;
    capture.elapsed_ms = u32::try_from(whole_ms(began.elapsed())).unwrap_or(u32::MAX);
    if let Some(Cut { truncation, because }) = read.cut {
        (capture.truncated, capture.cut_because) = (Some(truncation), because);
    }
    capture.body = finish(read.arrived, capture.beside_bytes()).await?;
    let wants_more = ask.keep_alive && capture.truncated.is_none() && idle_ms > 0;
    let is_reusable = wants_more && connection.settle().await == Readiness::Ready;
    let is_faulty_two = connection.speaks() == Speaks::Two && capture.truncated == Some(Truncation::Fault);
    let reusable = is_reusable.then_some(Reusable { connection, idle_ms });
    Ok(Exchanged { capture, reusable, is_faulty_two })
}

fn capture_of_head(
    connection: &Connection,
    response: &Response,
    job: &FetchJob,
    started: WallTime,
) -> Result<Capture, Unanswered> {
    if let Some(coding) = compression(response.headers()) {
        let detail = format!("the answer is in a transfer coding that nobody asked for: {coding}");
        return Err(failure(FailureKind::Protocol, detail).into());
    }
    let Some(response_head) = connection.tape.with(Tape::take_head) else {
        return Err(failure(FailureKind::Protocol, "the end of the response head is ambiguous").into());
    };
    let facts = connection.facts.clone();
    Ok(Capture {
        url: job.url.as_str().to_owned(),
        started,
        elapsed_ms: 0,
        address: job.address.ip(),
        protocols: [Some(http_version(response, &response_head)), facts.protocol]
            .into_iter()
            .flatten()
            .collect(),
        cipher_suite: facts.cipher_suite,
        handshake: facts.handshake,
        request_head: connection.tape.with(Tape::take_request),
        response_head,
        status: response.status().as_u16(),
        body: Body::default(),
        truncated: None,
        cut_because: None,
        usage: None,
        unchanged: None,
    })
}

/// A transfer coding that compresses, which only a request with `TE` allows (RFC 9110, section 10.1.4). No archive says that a body is in one.
fn compression(headers: &HeaderMap) -> Option<String> {
    transfer_codings(headers).find(|name| COMPRESSIONS.contains(&name.as_str()))
}

/// In lower case, in the order they were applied.
fn transfer_codings(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let codings = headers.get_all(TRANSFER_ENCODING).iter().filter_map(|value| value.to_str().ok());
    codings.flat_map(|codings| codings.split(',')).map(|name| name.trim().to_ascii_lowercase())
}

/// Where a body ends that is in the transfer coding `identity`, which is none: at its length (RFC 2616, section 4.4). RFC 9112 knows that coding no
/// more, so that hyper reads on to the end of a connection which such servers leave open.
fn identity_length(headers: &HeaderMap) -> Option<u64> {
    let is_identity = transfer_codings(headers).all(|name| name == "identity");
    let length =
        headers.get(CONTENT_LENGTH).filter(|_| is_identity && headers.contains_key(TRANSFER_ENCODING));
    length?.to_str().ok()?.parse().ok()
}

/// What still stands, if the server says so of what it was asked about.
fn unchanged(capture: &Capture, ask: &Ask<'_>) -> Option<Arc<Original>> {
    let is_asked = |known: &&Arc<Original>| conditions(known).next().is_some();
    let known = ask.known.filter(|_| capture.status == StatusCode::NOT_MODIFIED.as_u16());
    known.filter(is_asked)?.still_standing(&capture.response_head).map(Arc::new)
}

async fn read_head(
    connection: &mut Connection,
    ask: &Ask<'_>,
    config: &FetchConfig,
    deadline: Instant,
) -> Result<Response, Unanswered> {
    let request = request(ask, config, connection.speaks())?;
    connection.tape.with(Tape::rewind);
    let given_ms = given_ms(config.limits.head_ms, deadline);
    let answer = answer_in_time(connection, request, given_ms).await;
    let (sent, received, fault) =
        connection.tape.with(|tape| (tape.bytes_sent(), tape.received(), tape.fault()));
    let unanswered: fn(Failure) -> Unanswered = match &answer {
        Ok(Err(error)) if requires_one(error) => Unanswered::OneOnly,
        Ok(Err(error)) if is_faulty_two(error) => Unanswered::FaultyTwo,
        Ok(Err(error)) if is_refusal(error) => Unanswered::Unsent,
        _ if sent == 0 => Unanswered::Unsent,
        _ => Unanswered::Failed,
    };
    let failure = match (answer, fault) {
        (Ok(Ok(response)), _) => return Ok(response),
        (_, Some(fault)) => failure(FailureKind::Protocol, fault.to_string()),
        (Ok(Err(_)), None) if sent == 0 && received > 0 && connection.speaks() == Speaks::One => {
            failure(FailureKind::Protocol, "the server spoke before it was asked")
        }
        (Ok(Err(error)), None) => of_exchange(&error),
        (Err(_), None) => failure(
            FailureKind::ResponseTimeout,
            format!("no whole response head in {given_ms} ms ({received} bytes of it came)"),
        ),
    };
    Err(unanswered(failure))
}

/// Sends a request. What has not even begun to be sent soon is not waited for.
async fn answer_in_time(
    connection: &mut Connection,
    request: Request,
    given_ms: u64,
) -> Result<hyper::Result<Response>, Elapsed> {
    let (began, tape) = (Instant::now(), connection.tape.clone());
    let mut answer = pin!(connection.send(request));
    let soon = timeout(Duration::from_millis(given_ms.min(UNSENT_MS)), &mut answer).await;
    let is_sent = tape.with(|tape| tape.bytes_sent()) > 0;
    if soon.is_ok() || !is_sent {
        soon
    } else {
        timeout_at(began + Duration::from_millis(given_ms), answer).await
    }
}

fn request(ask: &Ask<'_>, config: &FetchConfig, speaks: Speaks) -> Result<Request, Failure> {
    let job = ask.job;
    let unsendable =
        |error: http::Error| failure(FailureKind::Protocol, format!("the URL cannot be sent: {error}"));
    let target =
        PathAndQuery::try_from(job.url.request_target()).map_err(|error| unsendable(error.into()))?;
    let request = match speaks {
        Speaks::One => http::Request::get(Uri::from(target)).header(HOST, job.url.host_port()),
        // RFC 9113, section 8.3.1: scheme and authority are fields of their own.
        Speaks::Two => {
            let uri = Uri::builder().scheme("https").authority(job.url.host_port()).path_and_query(target);
            http::Request::get(uri.build().map_err(unsendable)?)
        }
    };
    let mut request = request
        .header(USER_AGENT, &config.user_agent)
        .header(ACCEPT, ACCEPTED)
        .header(ACCEPT_ENCODING, "gzip")
        .body(Empty::new())
        .map_err(unsendable)?;
    // HTTP/2 has no such field (RFC 9113, section 8.2.2).
    if speaks == Speaks::One {
        let connection = if ask.keep_alive { "keep-alive" } else { "close" };
        request.headers_mut().insert(CONNECTION, HeaderValue::from_static(connection));
    }
    if let Some(known) = ask.known {
        request.headers_mut().extend(conditions(known));
    }
    if let Some(cookies) = config.cookies.as_ref().and_then(|cookies| cookies.for_url(&job.url)) {
        request.headers_mut().insert(COOKIE, cookies);
    }
    if let Some(signer) = &config.signer {
        let asked = Asked { authority: job.url.host_port(), target: job.url.request_target() };
        let nonce =
            Nonce::new().ok_or_else(|| failure(FailureKind::Local, "the system has no randomness"))?;
        let signed = signer.headers(asked, config.clock.wall(), &nonce);
        request.headers_mut().extend(signed.map_err(|error| unsendable(error.into()))?);
    }
    Ok(request)
}

/// Both validators, each as the server gave it: who knows the first passes over the second (RFC 9110, section 13.1.3).
fn conditions(known: &Original) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let validators = [(IF_NONE_MATCH, known.etag()), (IF_MODIFIED_SINCE, known.last_modified())];
    validators.into_iter().filter_map(|(name, validator)| {
        let validator = validator.filter(|validator| validator.len() <= VALIDATOR_BYTES)?;
        Some((name, HeaderValue::from_bytes(&validator).ok()?))
    })
}

async fn read_wanted_body(
    connection: &mut Connection,
    response: Response,
    job: &FetchJob,
    config: &FetchConfig,
    deadline: Instant,
) -> io::Result<ReadBody> {
    let types = response.headers().get_all(CONTENT_TYPE);
    let is_wanted = job.limits.any_content_type == AnyContentType::Yes
        || config.kept_types.keep_any(types.iter().map(HeaderValue::as_bytes));
    let has_coding = response.headers().contains_key(TRANSFER_ENCODING);
    let ends_at = identity_length(response.headers());
    let body = response.into_body();
    let ends_with_connection =
        connection.speaks() == Speaks::One && !has_coding && body.size_hint().exact().is_none();
    let arrived = config.intake.begin();
    let arrived = match body.size_hint().exact() {
        Some(bytes) => arrived.expecting(bytes),
        None => arrived,
    };
    if !is_wanted && !body.is_end_stream() {
        return Ok(ReadBody { arrived, cut: Some(Cut::plain(Truncation::Unspecified)) });
    }
    let limits = &config.limits;
    let floor = RateFloor::new(limits.min_rate_bytes_per_s, limits.rate_window_ms, Instant::now());
    let bounds = BodyBounds { limit: job.limits.body_bytes, deadline, floor, ends_at, ends_with_connection };
    read_body(connection, body, bounds, arrived).await
}

fn http_version(response: &Response, head: &[u8]) -> String {
    match response.version() {
        Version::HTTP_2 => "h2",
        _ if head.starts_with(OLD_VERSION) => "http/1.0",
        _ => "http/1.1",
    }
    .to_owned()
}

/// Whether the connection can outlast this answer: after one of HTTP/1.0 only where the server says so (RFC 9112, section 9.3), and not where
/// its framing is faulty (section 6.1).
fn outlasts(head: &[u8], headers: &HeaderMap) -> bool {
    if !head.starts_with(OLD_VERSION) {
        return true;
    }
    let said = headers.get_all(CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let mut options = said.flat_map(|options| options.split(','));
    !headers.contains_key(TRANSFER_ENCODING)
        && options.any(|option| option.trim().eq_ignore_ascii_case("keep-alive"))
}

/// How long the connection may idle: what we allow, or a second less than the server's `Keep-Alive:
/// timeout=` where that is shorter, so that the two ends do not race.
fn idle_ms(headers: &HeaderMap, ours_ms: u64) -> u64 {
    let value = headers.get("keep-alive").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let parameter = |name: &str| {
        value
            .split(',')
            .find_map(|part| part.trim().split_once('=').filter(|(key, _)| key.eq_ignore_ascii_case(name)))
    };
    let number = |name| parameter(name).and_then(|(_, number)| number.trim().parse::<u64>().ok());
    match (number("timeout"), number("max")) {
        (_, Some(0)) => 0,
        (Some(seconds), _) => ours_ms.min(seconds.saturating_sub(1).saturating_mul(1000)),
        _ => ours_ms,
    }
}
