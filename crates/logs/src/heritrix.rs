use crate::limits::PATH_HOPS;
use crate::told::tries;
use crawler::{Attempt, Contact, End, FailureKind, Origin, Record, Response, Subject};
use stdx::WallTime;

/// The record of an attempt as a line of Heritrix 3's `crawl.log`, without its end: time, status, size, URI, discovery path, via, type,
/// thread, start and duration, digest, source, annotations; `-` for what there is none of. `None` for any other record.
///
/// After `UriProcessingFormatter` of Heritrix 3.
pub fn attempt_as_heritrix(record: &Record) -> Option<String> {
    let Record::Attempt { attempt, .. } = record else { return None };
    let time = WallTime::from_unix_ms(attempt.at.as_ms()).iso_millis();
    let (status, size, kind) = match &attempt.end {
        End::Captured(response) => {
            (i32::from(response.status), response.bytes.to_string(), type_of(response))
        }
        End::Failed(failure) | End::PutOff { failure, .. } => {
            (status_of(failure.kind), NOTHING.to_owned(), "unknown".to_owned())
        }
    };
    let (uri, path, via) = (uri(attempt), path(&attempt.subject), via(&attempt.subject));
    let (fetched, notes) = (fetched(attempt.contact), annotations(attempt));
    // No one thread makes a request here, and the digest is in the archive's index, not in the journal.
    Some(format!(
        "{time} {status:>5} {size:>10} {uri} {path} {via} {kind} #000 {fetched} {NOTHING} {NOTHING} {notes}"
    ))
}

const NOTHING: &str = "-";

/// The code that Heritrix has for a failure (`FetchStatusCodes`).
pub(crate) const fn status_of(kind: FailureKind) -> i32 {
    match kind {
        FailureKind::NameNotFound | FailureKind::NameServer => DOMAIN_UNRESOLVABLE,
        // There a request that could not be carried out is one that could not connect, whatever the layer.
        FailureKind::ConnectRefused
        | FailureKind::ConnectTimeout
        | FailureKind::Certificate
        | FailureKind::Tls
        | FailureKind::Protocol
        | FailureKind::NotModified => CONNECT_FAILED,
        FailureKind::Disconnected => CONNECT_LOST,
        FailureKind::ResponseTimeout => TIMEOUT,
        FailureKind::Local | FailureKind::Offline => RUNTIME_EXCEPTION,
        FailureKind::AddressRefused => BLOCKED_BY_USER,
        // What answered was not the host that was asked.
        FailureKind::Blocked => DEEMED_NOT_FOUND,
    }
}

const DOMAIN_UNRESOLVABLE: i32 = -1;
const CONNECT_FAILED: i32 = -2;
const CONNECT_LOST: i32 = -3;
const TIMEOUT: i32 = -4;
const RUNTIME_EXCEPTION: i32 = -5;
const BLOCKED_BY_USER: i32 = -5001;
const DEEMED_NOT_FOUND: i32 = -404;

/// A name that was looked up has a scheme of its own there.
fn uri(attempt: &Attempt) -> String {
    let Subject::Name = attempt.subject else { return attempt.url.clone() };
    let behind_scheme = attempt.url.split_once("://").map_or(attempt.url.as_str(), |(_, rest)| rest);
    let authority = behind_scheme.split('/').next().unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    format!("dns:{host}")
}

/// Hops from the seed, as far as the journal knows them: links, then the redirects that led here last, then what is read on the way
/// (`P`, a prerequisite) and what a sitemap names (`M`).
fn path(subject: &Subject) -> String {
    let Subject::Page(page) = subject else { return "P".to_owned() };
    let behind = match page.origin {
        Origin::Seed | Origin::Document(_) | Origin::Voted(_) => "",
        Origin::Robots(_) => "PM",
        Origin::Sitemap(_) => "PMM",
    };
    let shown = "L".repeat(page.depth.min(PATH_HOPS) as usize) + &"R".repeat(page.hops.into()) + behind;
    let hops = page.depth.saturating_add(u32::from(page.hops)).saturating_add(behind.len() as u32);
    let left_out = hops.saturating_sub(PATH_HOPS);
    let last = &shown[shown.len().saturating_sub(PATH_HOPS as usize)..];
    let path = if left_out > 0 { format!("{left_out}+{last}") } else { last.to_owned() };
    if path.is_empty() { NOTHING.to_owned() } else { path }
}

fn via(subject: &Subject) -> &str {
    let Subject::Page(page) = subject else { return NOTHING };
    match &page.origin {
        Origin::Seed => NOTHING,
        Origin::Document(url) | Origin::Voted(url) | Origin::Robots(url) | Origin::Sitemap(url) => url,
    }
}

fn type_of(response: &Response) -> String {
    let kind = response.content_type.as_deref().unwrap_or_default();
    let kind = kind.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    if kind.is_empty() { "no-type".to_owned() } else { kind }
}

/// `YYYYMMDDhhmmssSSS+milliseconds`.
fn fetched(contact: Option<Contact>) -> String {
    let Some(Contact { started, ended, .. }) = contact else { return NOTHING.to_owned() };
    let at = WallTime::from_unix_ms(started.as_ms());
    format!("{}{:03}+{}", at.digits14(), at.unix_ms() % 1000, ended.since_ms(started))
}

fn annotations(attempt: &Attempt) -> String {
    let mut notes = Vec::new();
    // Heritrix says so from the second attempt on.
    notes.extend(tries(&attempt.subject).filter(|tries| *tries > 1).map(|tries| format!("{tries}t")));
    match &attempt.end {
        End::Captured(response) if response.truncated => notes.push("truncated".to_owned()),
        End::Failed(failure) | End::PutOff { failure, .. } => notes.push(failure.kind.to_string()),
        End::Captured(_) => {}
    }
    if notes.is_empty() { NOTHING.to_owned() } else { notes.join(",") }
}
