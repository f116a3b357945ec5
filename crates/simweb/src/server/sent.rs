use super::access_log::AccessLog;
use super::wire::Cut;
use crate::answer::Behaviour;
use crate::contact::Contact;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// A contact that is still going on; it is logged when the last byte leaves, or when it is given up.
pub(crate) struct Visit {
    log: AccessLog,
    contact: Option<Contact>,
}

impl Visit {
    pub(crate) fn new(log: AccessLog, contact: Contact) -> Self {
        Self { log, contact: Some(contact) }
    }

    /// There will be no response.
    pub(crate) fn refuse(&mut self) {
        if let Some(contact) = &mut self.contact {
            contact.status = 0;
        }
        self.end();
    }

    fn sends(&mut self, bytes: usize) {
        if let Some(contact) = &mut self.contact {
            contact.body_bytes += bytes as u64;
        }
    }

    fn end(&mut self) {
        if let Some(mut contact) = self.contact.take() {
            contact.end_us = self.log.elapsed_us();
            self.log.record(contact);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.end();
    }
}

/// A body on its way, sent as the server behaves. The visit ends before the last bytes are handed over, so
/// that the log never has a contact end after its client knew.
pub(crate) struct Sent {
    rest: Bytes,
    behaviour: Behaviour,
    pause: Option<Pin<Box<Sleep>>>,
    cut: Cut,
    visit: Visit,
}

/// Long enough for what was sent to arrive before the connection ends.
const LAST_PAUSE: Duration = Duration::from_millis(50);
/// Between two drops of a dripping body.
const DRIP_PAUSE: Duration = Duration::from_millis(500);

impl Sent {
    pub(crate) fn new(bytes: Bytes, behaviour: Behaviour, cut: Cut, visit: Visit) -> Self {
        let mut sent = Self { rest: bytes, behaviour, pause: None, cut, visit };
        match behaviour {
            Behaviour::Truncate { after_bytes } | Behaviour::Reset { after_bytes } => {
                let half = sent.rest.len() / 2;
                sent.rest.truncate(half.min(after_bytes as usize));
            }
            _ => {}
        }
        if sent.rest.is_empty() {
            sent.visit.end();
        }
        sent
    }

    /// The next piece; empty when there is none.
    fn next(&mut self) -> Bytes {
        let size = match self.behaviour {
            Behaviour::Drip { bytes_per_second } => (bytes_per_second / 2).max(1) as usize,
            _ => self.rest.len(),
        };
        let piece = self.rest.split_to(size.min(self.rest.len()));
        self.visit.sends(piece.len());
        if self.rest.is_empty() {
            self.visit.end();
        }
        piece
    }

    /// The pause after a piece, if any.
    fn pause(&self) -> Option<Duration> {
        match self.behaviour {
            Behaviour::Normal | Behaviour::Slow { .. } => None,
            Behaviour::Drip { .. } => Some(DRIP_PAUSE),
            Behaviour::Truncate { .. } | Behaviour::Reset { .. } => Some(LAST_PAUSE),
        }
    }

    /// How the body ends once everything is sent.
    fn last(&self) -> Option<io::Result<Frame<Bytes>>> {
        match self.behaviour {
            Behaviour::Reset { .. } => {
                self.cut.set();
                Some(Err(io::ErrorKind::ConnectionReset.into()))
            }
            Behaviour::Truncate { .. } => Some(Err(io::ErrorKind::UnexpectedEof.into())),
            _ => None,
        }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(pause) = &mut self.pause {
            std::task::ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        let piece = self.next();
        if piece.is_empty() {
            return Poll::Ready(self.last());
        }
        self.pause = self.pause().map(|pause| Box::pin(sleep(pause)));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.pause().is_none()
    }

    fn size_hint(&self) -> SizeHint {
        match self.behaviour {
            Behaviour::Normal | Behaviour::Slow { .. } => SizeHint::with_exact(self.rest.len() as u64),
            _ => SizeHint::default(),
        }
    }
}
