use crate::told::tries;
use crawler::{Attempt, End, Kind, Origin, PageSubject, Record, Subject};
use serde_json::{Map, Value, json};
use stdx::WallTime;

/// The record of an attempt, entry `seq` of the journal, as one object. `None` for any other record.
pub fn attempt_as_json(seq: u64, record: &Record) -> Option<Value> {
    let Record::Attempt { attempt, .. } = record else { return None };
    let Attempt { subject, url, contact, at, end } = attempt;
    let moment = |at: stdx::Timestamp| WallTime::from_unix_ms(at.as_ms()).iso_millis();
    let line = json!({
        "seq": seq,
        "time": moment(*at),
        "for": purpose(subject),
        "url": url,
        "address": contact.map(|contact| contact.address.ip.to_string()),
        "started": contact.map(|contact| moment(contact.started)),
        "elapsed_ms": contact.map(|contact| contact.ended.since_ms(contact.started)),
        "tries": tries(subject),
    });
    let mut line = object(line);
    line.extend(found(subject));
    line.extend(ended(end));
    Some(Value::Object(line))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// What an attempt was for, in the words of the plain form.
fn purpose(subject: &Subject) -> &'static str {
    match subject {
        Subject::Page(PageSubject { kind: Kind::Page, .. }) => "page",
        Subject::Page(PageSubject { kind: Kind::Sitemap, .. }) => "sitemap",
        Subject::Robots { .. } => "robots",
        Subject::Name => "name",
    }
}

/// How its URL was found.
fn found(subject: &Subject) -> Map<String, Value> {
    let Subject::Page(page) = subject else { return Map::new() };
    let (from, via) = match &page.origin {
        Origin::Seed => ("seed", None),
        Origin::Document(url) | Origin::Voted(url) => ("document", Some(url)),
        Origin::Robots(url) => ("robots", Some(url)),
        Origin::Sitemap(url) => ("sitemap", Some(url)),
    };
    object(json!({ "depth": page.depth, "redirects": page.hops, "from": from, "via": via }))
}

fn ended(end: &End) -> Map<String, Value> {
    object(match end {
        End::Captured(response) => json!({
            "status": response.status,
            "bytes": response.bytes,
            "type": response.content_type,
            "truncated": response.truncated,
            "retry_after_ms": response.retry_after_ms,
        }),
        End::Failed(failure) => json!({ "failure": failure.kind.to_string(), "detail": failure.detail }),
        End::PutOff { failure, retry_after_ms } => json!({
            "failure": failure.kind.to_string(),
            "detail": failure.detail,
            "retry_after_ms": retry_after_ms,
        }),
    })
}
