//! HTTP/2 (RFC 9113) for one request at a time: its tasks run inside the task that uses the connection, as those of
//! HTTP/1.1 do, so that dropping the connection ends all of it.

use crate::connection::{Driver, Request, Response};
use crate::limits::{
    H2_CONNECTION_WINDOW_BYTES, H2_FAULTY_RESETS, H2_FRAME_BYTES, H2_RESETS, H2_WINDOW_BYTES, HEAD_BYTES,
};
use crate::wire::Wire;
use bytes::Bytes;
use http::header::HeaderMap;
use http_body_util::Empty;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::rt::Executor;
use hyper_util::rt::TokioIo;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};

/// Opens HTTP/2 on a stream whose other end speaks it too.
pub(crate) async fn open(wire: TokioIo<Wire>) -> hyper::Result<(SendRequest<Empty<Bytes>>, Driver)> {
    let tasks = Tasks::default();
    let (sender, connection) = Builder::new(Spawner(Arc::downgrade(&tasks.0)))
        .initial_stream_window_size(H2_WINDOW_BYTES)
        .initial_connection_window_size(H2_CONNECTION_WINDOW_BYTES)
        .max_frame_size(H2_FRAME_BYTES)
        .max_header_list_size(HEAD_BYTES as u32)
        .max_concurrent_reset_streams(H2_RESETS)
        .max_pending_accept_reset_streams(H2_RESETS)
        .max_local_error_reset_streams(H2_FAULTY_RESETS)
        .handshake(wire)
        .await?;
    tasks.lock().push(Box::pin(async move { drop(connection.await) }));
    Ok((sender, Box::pin(poll_fn(move |cx| tasks.poll(cx)))))
}

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The tasks that hyper makes for a connection, polled all together. Locked because hyper wants to hand them in from
/// anywhere; it is never contended. Only the driver owns them: with it they end.
#[derive(Default)]
struct Tasks(Arc<Mutex<Vec<Task>>>);

/// Where hyper hands its tasks in. Some of them hold it, and must not hold themselves thereby.
#[derive(Clone)]
struct Spawner(Weak<Mutex<Vec<Task>>>);

impl<F: Future<Output = ()> + Send + 'static> Executor<F> for Spawner {
    fn execute(&self, task: F) {
        if let Some(tasks) = self.0.upgrade() {
            Tasks(tasks).lock().push(Box::pin(task));
        }
    }
}

impl Tasks {
    /// Polls all, also those that come meanwhile; ready when none is left.
    fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut waiting = Vec::new();
        loop {
            let tasks = std::mem::take(&mut *self.lock());
            if tasks.is_empty() {
                break;
            }
            waiting.extend(
                tasks.into_iter().filter_map(|mut task| task.as_mut().poll(cx).is_pending().then_some(task)),
            );
        }
        let is_over = waiting.is_empty();
        *self.lock() = waiting;
        if is_over { Poll::Ready(()) } else { Poll::Pending }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request as HTTP/1.1 would have it, for the archive: readers of WARC know no other form.
pub(crate) fn request_head(request: &Request) -> Bytes {
    let uri = request.uri();
    let host = uri.authority().map_or("", http::uri::Authority::as_str);
    let target = uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    let mut head = format!("{} {target} HTTP/1.1\r\nhost: {host}\r\n", request.method()).into_bytes();
    append(&mut head, request.headers());
    head.into()
}

/// A response's head likewise; there is no reason phrase (RFC 9113, section 8.3.1).
pub(crate) fn response_head(response: &Response) -> Bytes {
    let mut head = format!("HTTP/1.1 {} \r\n", response.status().as_str()).into_bytes();
    append(&mut head, response.headers());
    head.into()
}

fn append(head: &mut Vec<u8>, headers: &HeaderMap) {
    for (name, value) in headers {
        head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    head.extend(b"\r\n");
}
