//! A server that asks another one: how `drumlin ui` shows a crawl that runs in another process.

use crate::answer::{before_asking, body_of};
use crate::guard::Door;
use crate::limits::{ANSWER_TIME, HEAD_BYTES, THROUGH_BYTES};
use crate::reply::{self, Reply};
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::path::Path;
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

type Failure = Box<dyn Error + Send + Sync>;

/// Answers a request with what the socket says to it.
pub(crate) async fn answer(socket: &Path, door: &Door, request: Request<Incoming>) -> Reply {
    if let Some(reply) = before_asking(door, request.method(), request.uri().path(), request.headers()) {
        return reply;
    }
    match timeout(ANSWER_TIME, pass_on(socket, request)).await {
        Ok(Ok(reply)) => reply,
        Ok(Err(error)) => {
            reply::failed(StatusCode::BAD_GATEWAY, &format!("the crawl does not answer: {error}"))
        }
        Err(_) => reply::failed(StatusCode::GATEWAY_TIMEOUT, "the crawl did not answer in time; ask again"),
    }
}

/// What concerns the door stays there: method, target and body go through, headers do not.
async fn pass_on(socket: &Path, request: Request<Incoming>) -> Result<Reply, Failure> {
    let (head, body) = request.into_parts();
    let body = match body_of(body).await {
        Ok(body) => body,
        Err(reply) => return Ok(reply),
    };
    let target = head.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    let request = Request::builder()
        .method(head.method)
        .uri(target)
        .header(header::HOST, "drumlin")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Full::new(body))?;
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .handshake(TokioIo::new(UnixStream::connect(socket).await?))
        .await?;
    // It ends by itself or with this; what has come when the other side hangs up is an answer all the same.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let (head, body) = sender.send_request(request).await?.into_parts();
    let body = Limited::new(body, THROUGH_BYTES).collect().await?.to_bytes();
    Ok(Reply::from_parts(head, Full::<Bytes>::new(body)))
}
