use crate::{Event, Level};
use crawler::{Attempt, End, Failure, PageSubject, Record, Response, RobotsAnswer, RobotsRecord, Subject};
use stdx::{Timestamp, WallTime};

/// What a record of the journal has to say for the log of events: a failure, a host that asks to be left alone, a promise, a command.
/// Answers are in the log of attempts, links in neither.
pub fn told_by(record: &Record) -> Option<Event> {
    match record {
        Record::Attempt { attempt, .. } => match &attempt.end {
            End::Failed(failure) | End::PutOff { failure, .. } => Some(failed(attempt, failure)),
            End::Captured(response) => overloaded(attempt, response),
        },
        Record::Robots { record, .. } => unreachable(record),
        Record::Promised { promise } => Some(
            event(promise.began, Level::Info, "promised")
                .with("delay_ms", promise.delay.host_ms)
                .with("ip_delay_ms", promise.server_ms)
                .with("domain_delay_ms", promise.delay.group_ms)
                .with("agent", promise.agent.as_str()),
        ),
        Record::Control { at, command, .. } => Some(
            event(*at, Level::Info, "command")
                .with("command", command.name())
                .with("said", serde_json::to_string(command).unwrap_or_default()),
        ),
        Record::Purged { at, through } => Some(event(*at, Level::Info, "purged").with("through", *through)),
        Record::Lost { at, page, .. } => Some(
            event(*at, Level::of(page.why.blame()), "page-lost")
                .with("kind", page.why.to_string())
                .with("url", page.url.as_str())
                .with("detail", page.detail.as_str()),
        ),
        _ => None,
    }
}

fn event(at: Timestamp, level: Level, name: &str) -> Event {
    Event::new(WallTime::from_unix_ms(at.as_ms()), level, name)
}

/// Every failure has a level: that of its blame.
fn failed(attempt: &Attempt, failure: &Failure) -> Event {
    event(attempt.at, Level::of(failure.kind.blame()), "attempt-failed")
        .with("kind", failure.kind.to_string())
        .with("url", attempt.url.as_str())
        .with("detail", failure.detail.as_str())
        .with("address", attempt.contact.map(|contact| contact.address.ip.to_string()))
        .with("tries", tries(&attempt.subject))
}

/// Attempts so far, this one counted; robots.txt and names are not counted.
pub(crate) fn tries(subject: &Subject) -> Option<u64> {
    match subject {
        Subject::Page(PageSubject { attempts, .. }) => Some(u64::from(*attempts) + 1),
        Subject::Robots { .. } | Subject::Name => None,
    }
}

const TOO_MANY_REQUESTS: u16 = 429;
const UNAVAILABLE: u16 = 503;

fn overloaded(attempt: &Attempt, response: &Response) -> Option<Event> {
    matches!(response.status, TOO_MANY_REQUESTS | UNAVAILABLE).then(|| {
        event(attempt.at, Level::Info, "overloaded")
            .with("status", response.status)
            .with("url", attempt.url.as_str())
            .with("retry_after_ms", response.retry_after_ms)
    })
}

fn unreachable(record: &RobotsRecord) -> Option<Event> {
    let RobotsAnswer::Unreachable { detail, retry_after_ms } = &record.answer else { return None };
    let told = event(record.fetched_at, Level::Info, "robots-unreachable")
        .with("authority", record.authority.as_str())
        .with("detail", detail.as_str())
        .with("retry_after_ms", *retry_after_ms);
    Some(told)
}
