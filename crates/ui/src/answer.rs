//! What is where.

use crate::guard::{Denied, Door, Errand};
use crate::history::History;
use crate::limits::{ANSWER_TIME, BODY_BYTES};
use crate::query::{HistoryQuery, HostQuery, Subject};
use crate::reply::{self, Reply};
use crate::{Desk, Unanswered, assets, json as part, metrics};
use bytes::Bytes;
use control::{Command, Refusal};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Collected, Limited};
use hyper::body::Incoming;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Whoever answers, and from what.
pub(crate) struct Answerer {
    pub(crate) desk: Arc<dyn Desk>,
    /// Locked for as long as it takes to copy it; the ticker and the askers are different threads.
    pub(crate) history: Mutex<History>,
}

const COMMANDS: &str = "/api/v1/commands";

/// Prometheus' text format.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What is asked for: a command, or something to look at.
enum Question {
    Look { path: String, query: String },
    Command(Bytes),
}

/// Answers a request that came through a door.
pub(crate) async fn answer(answerer: &Arc<Answerer>, door: &Door, request: Request<Incoming>) -> Reply {
    if let Some(reply) = before_asking(door, request.method(), request.uri().path(), request.headers()) {
        return reply;
    }
    let asked = timeout(ANSWER_TIME, ask(answerer.clone(), request)).await;
    asked.unwrap_or_else(|_| unanswered(&Unanswered::Busy))
}

/// Sends away whoever may not come in, and gives the page, which needs no crawl.
pub(crate) fn before_asking(door: &Door, method: &Method, path: &str, headers: &HeaderMap) -> Option<Reply> {
    let (asset, is_command) = (assets::find(path), path == COMMANDS);
    let is_right = if is_command { *method == Method::POST } else { is_reading(method) };
    let errand = match () {
        // That this is not how to ask says nothing of the crawl either.
        () if asset.is_some() || !is_right => Errand::Page,
        () if is_command => Errand::Change,
        () => Errand::Look,
    };
    match door.admit(headers, errand) {
        Err(denied) => Some(sent_away(denied)),
        Ok(()) if !is_right => Some(wrong_method(if is_command { "POST" } else { "GET, HEAD" })),
        Ok(()) if is_command && !is_json(headers) => Some(reply::failed(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a command is JSON: Content-Type: application/json",
        )),
        Ok(()) => asset,
    }
}

/// Who is asked for a token is told of which kind (RFC 9110, section 15.5.2; RFC 6750, section 3).
fn sent_away(Denied { status, reason }: Denied) -> Reply {
    let mut reply = reply::failed(status, reason);
    if status == StatusCode::UNAUTHORIZED {
        reply.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply
}

/// HEAD is a GET whose answer goes out without its body, which is for the connection to see to (RFC 9110, section 9.3.2).
fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn wrong_method(right: &'static str) -> Reply {
    let mut reply =
        reply::failed(StatusCode::METHOD_NOT_ALLOWED, &format!("only {right} is understood here"));
    reply.headers_mut().insert(header::ALLOW, HeaderValue::from_static(right));
    reply
}

/// A form on another site can send text, never this.
fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media_type
        .and_then(|value| value.split(';').next())
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

async fn ask(answerer: Arc<Answerer>, request: Request<Incoming>) -> Reply {
    let question = match question_of(request).await {
        Ok(question) => question,
        Err(reply) => return reply,
    };
    let answered = spawn_blocking(move || match question {
        Question::Look { path, query } => look(&answerer, &path, &query),
        Question::Command(body) => command(answerer.desk.as_ref(), &body),
    });
    answered.await.unwrap_or_else(|error| {
        reply::failed(StatusCode::INTERNAL_SERVER_ERROR, &format!("the answer was lost: {error}"))
    })
}

async fn question_of(request: Request<Incoming>) -> Result<Question, Reply> {
    if is_reading(request.method()) {
        let uri = request.uri();
        let (path, query) = (uri.path().to_owned(), uri.query().unwrap_or_default().to_owned());
        return Ok(Question::Look { path, query });
    }
    body_of(request.into_body()).await.map(Question::Command)
}

/// All of a body, if that is no more than a command may have.
pub(crate) async fn body_of(body: Incoming) -> Result<Bytes, Reply> {
    let body = Limited::new(body, BODY_BYTES).collect().await;
    body.map(Collected::to_bytes).map_err(|_| {
        reply::failed(StatusCode::PAYLOAD_TOO_LARGE, &format!("a command has {BODY_BYTES} bytes at most"))
    })
}

fn look(answerer: &Answerer, path: &str, query: &str) -> Reply {
    let desk = answerer.desk.as_ref();
    let ok = |value: &Value| reply::json(StatusCode::OK, value);
    match path {
        "/api/v1/snapshot" => said(desk.standing().map(|standing| part::snapshot(&standing))),
        "/api/v1/history" => said(HistoryQuery::parse(query).map(|query| history(answerer, &query))),
        "/api/v1/explain" => said(Subject::parse(query).and_then(|subject| desk.explain(&subject))),
        "/api/v1/hosts" => said(HostQuery::parse(query).and_then(|query| desk.hosts(&query))),
        "/api/v1/pages" => said(desk.pages().map(|pages| json!({ "pages": pages }))),
        "/api/v1/errors" => said(part::errors(desk)),
        "/api/v1/exclusions" => said(part::exclusions(desk)),
        "/api/v1/traps" => said(desk.traps()),
        "/api/v1/settings" => said(desk.settings().map(|set| json!({ "set": set }))),
        "/api/v1/ledger" => ok(&json!({ "contacts": desk.contacts() })),
        "/api/v1/outputs" => ok(&json!({ "outputs": desk.outputs() })),
        "/metrics" => match desk.standing() {
            Ok(standing) => reply::with(StatusCode::OK, METRICS, metrics::render(&standing)),
            Err(error) => unanswered(&error),
        },
        _ => reply::failed(StatusCode::NOT_FOUND, "there is nothing here; docs/api.md has what there is"),
    }
}

fn history(answerer: &Answerer, query: &HistoryQuery) -> Value {
    answerer.history.lock().unwrap_or_else(PoisonError::into_inner).json(query.span, query.since_ms)
}

/// What came of a question.
fn said(answer: Result<impl Serialize, Unanswered>) -> Reply {
    match answer {
        Ok(answer) => reply::json(StatusCode::OK, &answer),
        Err(error) => unanswered(&error),
    }
}

fn unanswered(error: &Unanswered) -> Reply {
    reply::failed(status_of(error), &error.to_string())
}

fn status_of(error: &Unanswered) -> StatusCode {
    match error {
        Unanswered::Busy => StatusCode::GATEWAY_TIMEOUT,
        Unanswered::Recovering => StatusCode::SERVICE_UNAVAILABLE,
        Unanswered::Gone => StatusCode::GONE,
        Unanswered::Malformed(_) => StatusCode::BAD_REQUEST,
        Unanswered::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// What has the wrong shape is told of the right one; the parser would only say where it gave up.
fn command_of(body: &[u8]) -> Result<Command, Refusal> {
    serde_json::from_slice(body).map_err(|error| {
        let reason = match serde_json::from_slice(body) {
            Ok(Value::String(_)) | Err(_) => error.to_string(),
            Ok(Value::Object(object)) if object.len() == 1 => error.to_string(),
            Ok(_) => r#"it is a word, as "pause", or an object with one key, as {"exclude": {"host": "a.example"}}"#.to_owned(),
        };
        Refusal::Malformed { reason: format!("that is no command: {reason}") }
    })
}

/// A [`Receipt`](control::Receipt), or a [`Refusal`] with a status that says whose turn it is now.
fn command(desk: &dyn Desk, body: &[u8]) -> Reply {
    match command_of(body).and_then(|command| desk.command(command)) {
        Ok(receipt) => reply::json(StatusCode::OK, &part::receipt(&receipt)),
        Err(refusal @ Refusal::Malformed { .. }) => reply::json(StatusCode::BAD_REQUEST, &refusal),
        Err(Refusal::Busy) => reply::json(StatusCode::GATEWAY_TIMEOUT, &Refusal::Busy),
        Err(refusal) => reply::json(StatusCode::CONFLICT, &refusal),
    }
}
