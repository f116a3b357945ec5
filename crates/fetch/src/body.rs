use crate::connection::Connection;
use crate::failure::{chain, is_end_without_notice, is_faulty_framing, is_faulty_two};
use crate::limits::{WIRE_BYTES_A_BYTE, WIRE_BYTES_FREE};
use crate::rate::{Pace, RateFloor};
use crate::tls::Speaks;
use archive::{Arriving, Body, Truncation};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body as _, Frame, Incoming};
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::task::Poll;
use tokio::task::{consume_budget, spawn_blocking};
use tokio::time::{Instant, timeout_at};

/// What was read of a body.
pub(crate) struct ReadBody {
    pub(crate) arrived: Arriving,
    /// Why the rest is missing.
    pub(crate) cut: Option<Cut>,
}

/// Why the rest of a body is missing.
pub(crate) struct Cut {
    pub(crate) truncation: Truncation,
    /// The particulars.
    pub(crate) because: Option<String>,
}

impl Cut {
    pub(crate) fn plain(truncation: Truncation) -> Self {
        Self { truncation, because: None }
    }

    fn because(truncation: Truncation, because: impl Into<String>) -> Self {
        Self { truncation, because: Some(because.into()) }
    }

    fn flood() -> Self {
        Self::because(Truncation::Fault, "a flood of what is no body")
    }
}

/// How much of a body is read.
pub(crate) struct BodyBounds {
    /// Bytes kept; one more is read to know whether there was more.
    pub(crate) limit: u64,
    /// The end of the whole fetch.
    pub(crate) deadline: Instant,
    /// How slowly it may come.
    pub(crate) floor: RateFloor,
    /// Where it ends at the latest, if it says so beside its framing.
    pub(crate) ends_at: Option<u64>,
    /// Whether only the end of the connection tells its end (RFC 9112, section 6.3).
    pub(crate) ends_with_connection: bool,
}

/// Reads a body to its end or to the first bound it meets: what came is kept, and marked. Fails only where our own disk
/// does; while that is slow, nothing is read, and the server waits.
pub(crate) async fn read_body(
    connection: &mut Connection,
    mut body: Incoming,
    mut bounds: BodyBounds,
    mut arrived: Arriving,
) -> io::Result<ReadBody> {
    let (mut room, mut received) = (bounds.limit, 0);
    let end = bounds.ends_at.unwrap_or(u64::MAX);
    let cut = loop {
        if received >= end {
            break None;
        }
        let mut data = match next_data(connection, &mut body, &mut bounds, received).await {
            Step::Data(data) => data,
            Step::End => break None,
            Step::Cut(cut) => break Some(cut),
        };
        // However small the pieces are, others have their turn.
        consume_budget().await;
        data.truncate((end - received).min(data.len() as u64) as usize);
        received += data.len() as u64;
        if connection.wire_bytes() > most_on_the_wire(received) {
            break Some(Cut::flood());
        }
        let wanted = room.min(data.len() as u64) as usize;
        let is_cut = wanted < data.len();
        data.truncate(wanted);
        room -= wanted as u64;
        let came = Instant::now();
        arrived = take(arrived, data).await?;
        bounds.floor.excuse(came.elapsed());
        if is_cut {
            break Some(Cut::plain(Truncation::Length));
        }
    };
    Ok(ReadBody { arrived, cut })
}

/// Ends a body; `beside` bytes of memory go with it.
pub(crate) async fn finish(arrived: Arriving, beside: usize) -> io::Result<Body> {
    match arrived.finish(beside) {
        Ok(body) => Ok(body),
        Err(arrived) => on_disk(move || arrived.finish_on_disk()).await,
    }
}

async fn take(mut arrived: Arriving, mut data: Bytes) -> io::Result<Arriving> {
    loop {
        let taken = arrived.take(&data);
        data = data.split_off(taken);
        if data.is_empty() {
            return Ok(arrived);
        }
        arrived = on_disk(move || arrived.spill().map(|()| arrived)).await?;
    }
}

/// Runs what blocks on the disk beside the event loop; only the connection that asks waits for it.
async fn on_disk<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}

enum Step {
    Data(Bytes),
    End,
    Cut(Cut),
}

/// What a response may take on the wire, once so much of its body has come.
fn most_on_the_wire(received: u64) -> u64 {
    WIRE_BYTES_FREE + WIRE_BYTES_A_BYTE * received
}

async fn next_data(
    connection: &mut Connection,
    body: &mut Incoming,
    bounds: &mut BodyBounds,
    received: u64,
) -> Step {
    loop {
        let now = Instant::now();
        if now >= bounds.deadline {
            return Step::Cut(Cut::because(Truncation::Time, "the time for all of it was over"));
        }
        if bounds.floor.judge(now) == Pace::TooSlow {
            return Step::Cut(Cut::because(Truncation::Time, bounds.floor.words()));
        }
        let until = bounds.deadline.min(bounds.floor.window_end());
        match timeout_at(until, next_frame(connection, body, received)).await {
            Err(_) => {}
            Ok(Next::Flood) => return Step::Cut(Cut::flood()),
            Ok(Next::Frame(None)) if is_whole(connection, body) => return Step::End,
            Ok(Next::Frame(None)) => {
                return Step::Cut(Cut::because(Truncation::Disconnect, "reset without an error"));
            }
            Ok(Next::Frame(Some(Err(error)))) => return Step::Cut(cut_by(&error, bounds)),
            Ok(Next::Frame(Some(Ok(frame)))) => {
                let data = frame.into_data().unwrap_or_default();
                bounds.floor.count(data.len());
                return Step::Data(data);
            }
        }
    }
}

/// What comes of a body while it is waited for.
enum Next {
    Frame(Option<hyper::Result<Frame<Bytes>>>),
    /// Nothing of it, and too much beside it.
    Flood,
}

/// The wire gives others their turn every so many bytes; what has come by then is looked at.
async fn next_frame(connection: &mut Connection, body: &mut Incoming, received: u64) -> Next {
    let (tape, most) = (connection.tape.clone(), most_on_the_wire(received));
    let mut frame = pin!(connection.drive(body.frame()));
    poll_fn(|cx| match frame.as_mut().poll(cx) {
        Poll::Pending if tape.with(|tape| tape.received()) > most => Poll::Ready(Next::Flood),
        frame => frame.map(Next::Frame),
    })
    .await
}

/// A length that lies, chunks that break, a reset: whoever is to blame, the rest will not come.
fn cut_by(error: &hyper::Error, bounds: &BodyBounds) -> Cut {
    let truncation = match () {
        () if is_faulty_two(error) || is_faulty_framing(error) => Truncation::Fault,
        () if bounds.ends_with_connection && is_end_without_notice(error) => Truncation::Unclosed,
        () => Truncation::Disconnect,
    };
    Cut::because(truncation, chain(error))
}

/// Whether a body that gives nothing more has come to its end. A stream of HTTP/2 that is reset without an error has not: that is how a server
/// says that it needs no more of the request, after the whole of its answer (RFC 9113, section 8.1).
fn is_whole(connection: &Connection, body: &Incoming) -> bool {
    connection.speaks() == Speaks::One || body.is_end_stream()
}
