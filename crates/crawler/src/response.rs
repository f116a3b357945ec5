use crate::Rules;
use archive::Capture;
use frontier::{Redirect, Response};
use stdx::{Timestamp, WallTime};
use warc::HttpMessage;
use weburl::{KeyHash, Url, Verdict};

/// What scheduling needs to know of a capture.
pub(crate) fn response_of(capture: &Capture, url: &Url, key: Option<KeyHash>, rules: &Rules) -> Response {
    Response {
        status: capture.status,
        bytes: capture.body.len(),
        content_type: content_type(capture.content().head),
        redirect: redirect_of(capture, url, key, rules),
        retry_after_ms: retry_after_ms(capture),
        truncated: capture.truncated.is_some(),
    }
}

/// Where a response sends its reader.
pub(crate) enum Target {
    /// It does not: it is an answer.
    Here,
    /// To this URL.
    There(Url),
    /// To nothing that could be followed.
    Nowhere,
}

/// Where a response with this status and head leads.
pub(crate) fn target_of(status: u16, head: &[u8], url: &Url) -> Target {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Target::Here;
    }
    let location = message(head).values("location").next();
    let target = location.and_then(|location| url.join(&weburl::in_ascii(&location)).ok());
    target.map_or(Target::Nowhere, Target::There)
}

fn redirect_of(capture: &Capture, url: &Url, key: Option<KeyHash>, rules: &Rules) -> Option<Redirect> {
    match target_of(capture.status, &capture.response_head, url) {
        Target::Here => None,
        Target::Nowhere => Some(Redirect::Nowhere),
        Target::There(target) if Some(rules.key(&target)) == key && may_go_on(&target, url, rules) => {
            Some(Redirect::SameKey(target.as_str().to_owned()))
        }
        Target::There(target) => Some(Redirect::OtherKey(target.as_str().to_owned())),
    }
}

/// Scope applies to another form of the same URL too; what was admitted against it (a seed) is judged as it was.
fn may_go_on(target: &Url, url: &Url, rules: &Rules) -> bool {
    rules.scope.judge(target) == Verdict::In || rules.scope.judge(target) == rules.scope.judge(url)
}

/// The first header of this name in a response head, trimmed; bytes that are not UTF-8 are replaced.
pub(crate) fn header(head: &[u8], name: &str) -> Option<String> {
    message(head).header(name)
}

/// What the server says that it is, without parameters.
pub(crate) fn content_type(head: &[u8]) -> Option<String> {
    message(head).media_type()
}

/// The content-codings of a body behind this head, in the order they were applied.
pub(crate) fn codings(head: &[u8]) -> Option<String> {
    message(head).list("content-encoding")
}

fn message(head: &[u8]) -> HttpMessage<'_> {
    HttpMessage { head, payload: &[] }
}

/// `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date. A date is read by our clock and by the server's (`Date`), and
/// the longer wait counts.
pub(crate) fn retry_after_ms(capture: &Capture) -> Option<u64> {
    let value = header(&capture.response_head, "retry-after")?;
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000));
    }
    let until = date_of(&value)?;
    let ours = Timestamp::from_ms(capture.started.unix_ms() + u64::from(capture.elapsed_ms));
    let theirs = header(&capture.response_head, "date").and_then(|value| date_of(&value));
    Some(until.since_ms(theirs.map_or(ours, |theirs| theirs.min(ours))))
}

/// The three forms of RFC 9110, section 5.6.7, and what others than careful servers write.
fn date_of(value: &str) -> Option<Timestamp> {
    let Ok(date) = httpdate::parse_http_date(value) else {
        return WallTime::parse_date(value).map(|date| Timestamp::from_ms(date.unix_ms()));
    };
    let unix = date.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Timestamp::from_ms(unix.as_millis() as u64))
}
