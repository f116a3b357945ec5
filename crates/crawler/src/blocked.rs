//! Answers that are none: those in front of a site say so in a header of their own, a 304 means nothing to who has nothing, and what broke
//! off is to come whole.

use crate::response::header;
use archive::{Capture, Truncation};
use frontier::{Failure, FailureKind, PageSubject, RetryPolicy, is_overload};

/// A header by which somebody in front of a site says that it answered in the site's place.
struct Mark {
    /// Its name.
    header: &'static str,
    /// What it says then, each in lower case.
    says: &'static [&'static str],
}

/// Documented ones only: a page about captchas, or one that loads a script of theirs, is still a page.
const MARKS: &[Mark] = &[
    // Cloudflare: developers.cloudflare.com, "Detect a Challenge Page response".
    Mark { header: "cf-mitigated", says: &["challenge"] },
    // AWS WAF, developer guide: "CAPTCHA and Challenge action behavior" (with status 202 or 405).
    Mark { header: "x-amzn-waf-action", says: &["challenge", "captcha"] },
    // Vercel, response headers.
    Mark { header: "x-vercel-mitigated", says: &["challenge", "deny"] },
];

/// Why this is no answer of the site, if it is none. A status that sends the host to rest anyway, for as long as the server
/// says, is left as it is.
pub(crate) fn blocked(capture: &Capture) -> Option<Failure> {
    if is_overload(capture.status) {
        return None;
    }
    MARKS.iter().find_map(|mark| {
        let said = header(&capture.response_head, mark.header)?.to_ascii_lowercase();
        let detail = format!("status {} with `{}: {said}`", capture.status, mark.header);
        mark.says.contains(&said.as_str()).then_some(Failure { kind: FailureKind::Blocked, detail })
    })
}

/// Why a 101, 304 or 412 is no answer, if it is none: nobody has asked for another protocol (RFC 9110, section 7.8), nothing stands behind it that
/// is known here, and our conditions are none that can fail so (section 13.2.2).
pub(crate) fn unasked(capture: &Capture) -> Option<Failure> {
    let (kind, asked) = match capture.status {
        101 => (FailureKind::Protocol, "asked for no other protocol"),
        304 if capture.unchanged.is_none() => (FailureKind::NotModified, "asked for what is there"),
        412 if has_conditions(capture) => (FailureKind::NotModified, "no condition that can fail"),
        _ => return None,
    };
    Some(Failure { kind, detail: format!("status {} to a request that has {asked}", capture.status) })
}

fn has_conditions(capture: &Capture) -> bool {
    ["if-none-match", "if-modified-since"].iter().any(|name| header(&capture.request_head, name).is_some())
}

/// Why a page that came in part is no answer, if it is none: the first time, the rest may still be had, where a URL has several
/// attempts. After a failure what came is taken as it is, if anything came. A body that did not come in time is in part, too.
pub(crate) fn broken_off(capture: &Capture, page: &PageSubject, retry: &RetryPolicy) -> Option<Failure> {
    let (kind, what) = match capture.truncated? {
        Truncation::Disconnect => (FailureKind::Disconnected, "broke off"),
        Truncation::Fault => (FailureKind::Protocol, "broke off"),
        Truncation::Time => (FailureKind::ResponseTimeout, "was left"),
        Truncation::Length | Truncation::Unclosed | Truncation::Unspecified => return None,
    };
    let may_come = page.attempts == 0 && retry.attempts > 1;
    let is_none = matches!(capture.status, 200..=299) && (may_come || is_bare(capture));
    let because = capture.cut_because.as_ref().map(|because| format!(": {because}")).unwrap_or_default();
    let detail = || format!("the body {what} after {} bytes{because}", capture.body.len());
    is_none.then(|| Failure { kind, detail: detail() })
}

/// Whether nothing has come of a body that its head does not call empty.
fn is_bare(capture: &Capture) -> bool {
    capture.body.is_empty()
        && header(&capture.response_head, "content-length").is_none_or(|length| length != "0")
}
