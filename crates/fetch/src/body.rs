use crate::connection::Connection;
use crate::limits::FIRST_BODY_BYTES;
use crate::rate::{Pace, RateFloor};
use archive::Truncation;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};

/// What was read of a body.
pub(crate) struct ReadBody {
    pub(crate) bytes: Bytes,
    /// Why the rest is missing.
    pub(crate) truncated: Option<Truncation>,
}

/// How much of a body is read.
pub(crate) struct BodyBounds {
    /// Bytes kept; one more is read to know whether there was more.
    pub(crate) limit: u64,
    /// The end of the whole fetch.
    pub(crate) deadline: Instant,
    /// How slowly it may come.
    pub(crate) floor: RateFloor,
}

/// Reads a body to its end or to the first bound it meets. Never fails: what came is kept, and marked.
pub(crate) async fn read_body(
    connection: &mut Connection,
    mut body: Incoming,
    mut bounds: BodyBounds,
) -> ReadBody {
    let promised = body.size_hint().lower().min(bounds.limit) as usize;
    let mut kept = Vec::with_capacity(promised.min(FIRST_BODY_BYTES));
    let truncated = loop {
        let data = match next_data(connection, &mut body, &mut bounds).await {
            Step::Data(data) => data,
            Step::End => break None,
            Step::Cut(truncation) => break Some(truncation),
        };
        let room = usize::try_from(bounds.limit).unwrap_or(usize::MAX) - kept.len();
        kept.extend_from_slice(&data[..data.len().min(room)]);
        if data.len() > room {
            break Some(Truncation::Length);
        }
    };
    ReadBody { bytes: kept.into(), truncated }
}

enum Step {
    Data(Bytes),
    End,
    Cut(Truncation),
}

async fn next_data(connection: &mut Connection, body: &mut Incoming, bounds: &mut BodyBounds) -> Step {
    loop {
        let now = Instant::now();
        if now >= bounds.deadline || bounds.floor.judge(now) == Pace::TooSlow {
            return Step::Cut(Truncation::Time);
        }
        let until = bounds.deadline.min(bounds.floor.window_end());
        match timeout_at(until, connection.drive(body.frame())).await {
            Err(_) => {}
            Ok(None) => return Step::End,
            // A length that lies, chunks that break, a reset: whoever is to blame, the rest will not come.
            Ok(Some(Err(_))) => return Step::Cut(Truncation::Disconnect),
            Ok(Some(Ok(frame))) => {
                let data = frame.into_data().unwrap_or_default();
                bounds.floor.count(data.len());
                return Step::Data(data);
            }
        }
    }
}
