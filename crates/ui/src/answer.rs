//! What is where.

use crate::guard::{Denied, Door, Errand};
use crate::history::{History, Span};
use crate::limits::{ANSWER_TIME, BODY_BYTES};
use crate::query::{HostQuery, Subject};
use crate::reply::{self, Reply};
use crate::{Desk, Unanswered, assets, json as part, metrics};
use bytes::Bytes;
use control::{Command, Refusal};
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
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
    asked.unwrap_or_else(|_| reply::failed(StatusCode::GATEWAY_TIMEOUT, &Unanswered::Busy.to_string()))
}

/// Sends away whoever may not come in, and gives the page, which needs no crawl.
pub(crate) fn before_asking(door: &Door, method: &Method, path: &str, headers: &HeaderMap) -> Option<Reply> {
    let asset = assets::find(path);
    let errand = match &asset {
        Some(_) if is_reading(method) => Errand::Page,
        None if is_reading(method) => Errand::Look,
        _ => Errand::Change,
    };
    if let Err(Denied { status, reason }) = door.admit(headers, errand) {
        return Some(reply::failed(status, reason));
    }
    let is_command = path == COMMANDS;
    match *method {
        Method::GET | Method::HEAD if is_command => Some(wrong_method("POST")),
        Method::GET | Method::HEAD => asset,
        Method::POST if !is_command => Some(wrong_method("GET, HEAD")),
        Method::POST if !is_json(headers) => Some(reply::failed(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a command is JSON: Content-Type: application/json",
        )),
        Method::POST => None,
        _ => Some(wrong_method(if is_command { "POST" } else { "GET, HEAD" })),
    }
}

/// HEAD is a GET whose answer goes out without its body, which is for the connection to see to (RFC 9110, section 9.3.2).
fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn wrong_method(right: &'static str) -> Reply {
    let mut reply =
        reply::failed(StatusCode::METHOD_NOT_ALLOWED, &format!("only {right} is understood here"));
    reply.headers_mut().insert(header::ALLOW, http::HeaderValue::from_static(right));
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
    let body = Limited::new(request.into_body(), BODY_BYTES).collect().await;
    body.map(|body| Question::Command(body.to_bytes())).map_err(|_| {
        reply::failed(StatusCode::PAYLOAD_TOO_LARGE, &format!("a command has {BODY_BYTES} bytes at most"))
    })
}

fn look(answerer: &Answerer, path: &str, query: &str) -> Reply {
    let desk = answerer.desk.as_ref();
    let ok = |value: &Value| reply::json(StatusCode::OK, value);
    match path {
        "/api/v1/snapshot" => ok(&part::snapshot(&desk.standing())),
        "/api/v1/history" => ok(&history(answerer, query)),
        "/api/v1/explain" => asked(Subject::parse(query), |subject| desk.explain(&subject)),
        "/api/v1/hosts" => asked(HostQuery::parse(query), |query| desk.hosts(&query)),
        "/api/v1/pages" => asked(Ok(()), |()| Ok(json!({ "pages": desk.pages()? }))),
        "/api/v1/errors" => ok(&part::errors(desk)),
        "/api/v1/exclusions" => ok(&part::exclusions(desk)),
        "/api/v1/traps" => asked(Ok(()), |()| desk.traps()),
        "/api/v1/settings" => asked(Ok(()), |()| Ok(json!({ "set": desk.settings()? }))),
        "/api/v1/ledger" => ok(&json!({ "contacts": desk.contacts() })),
        "/api/v1/outputs" => ok(&json!({ "outputs": desk.outputs() })),
        "/metrics" => {
            let page = metrics::render(&desk.standing());
            reply::with(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", page)
        }
        _ => reply::failed(StatusCode::NOT_FOUND, "there is nothing here; docs/api.md has what there is"),
    }
}

fn history(answerer: &Answerer, query: &str) -> Value {
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let span = if value("span") == Some("whole") { Span::Whole } else { Span::Recent };
    let since_ms = value("since").and_then(|since| since.parse().ok()).unwrap_or(0);
    answerer.history.lock().unwrap_or_else(PoisonError::into_inner).json(span, since_ms)
}

/// Parses what is asked, asks, and shows what came of it.
fn asked<Q, A: Serialize>(
    question: Result<Q, String>,
    ask: impl FnOnce(Q) -> Result<A, Unanswered>,
) -> Reply {
    match question.map_err(Unanswered::Malformed).and_then(ask) {
        Ok(answer) => reply::json(StatusCode::OK, &answer),
        Err(error) => reply::failed(status_of(&error), &error.to_string()),
    }
}

fn status_of(error: &Unanswered) -> StatusCode {
    match error {
        Unanswered::Busy => StatusCode::GATEWAY_TIMEOUT,
        Unanswered::Gone => StatusCode::GONE,
        Unanswered::Malformed(_) => StatusCode::BAD_REQUEST,
        Unanswered::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A [`Receipt`](control::Receipt), or a [`Refusal`] with a status that says whose turn it is now.
fn command(desk: &dyn Desk, body: &[u8]) -> Reply {
    let command: Result<Command, _> = serde_json::from_slice(body);
    let done = match command {
        Ok(command) => desk.command(command),
        Err(error) => Err(Refusal::Malformed { reason: format!("that is no command: {error}") }),
    };
    match done {
        Ok(receipt) => reply::json(StatusCode::OK, &receipt),
        Err(refusal @ Refusal::Malformed { .. }) => reply::json(StatusCode::BAD_REQUEST, &refusal),
        Err(Refusal::Busy) => reply::json(StatusCode::GATEWAY_TIMEOUT, &Refusal::Busy),
        Err(refusal) => reply::json(StatusCode::CONFLICT, &refusal),
    }
}
