use crate::limits::TURN_BYTES;
use crate::metered::Metered;
use crate::tape::{Tape, TapeFault};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// An open connection to a server, before HTTP.
#[derive(Debug)]
pub(crate) enum Stream {
    /// `http`.
    Plain(TcpStream),
    /// `https`.
    Tls(Box<TlsStream<Metered>>),
}

/// A tape that the wire writes and the exchange reads. Both run in one task, but hyper owns the wire;
/// hence a lock, never contended and never held across an await.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedTape(Arc<Mutex<Tape>>);

impl SharedTape {
    /// Runs `use_tape` on the tape.
    pub(crate) fn with<R>(&self, use_tape: impl FnOnce(&mut Tape) -> R) -> R {
        use_tape(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A stream that puts the bytes that matter on tape as they pass.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: Stream,
    tape: SharedTape,
    /// Bytes read since others had their turn.
    turn_bytes: usize,
}

impl Wire {
    pub(crate) fn new(stream: Stream, tape: SharedTape) -> Self {
        Self { stream, tape, turn_bytes: 0 }
    }

    fn note(&self, note: impl FnOnce(&mut Tape) -> Result<(), TapeFault>) -> io::Result<()> {
        self.tape.with(note).map_err(io::Error::other)
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.turn_bytes >= TURN_BYTES {
            self.turn_bytes = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buf.filled().len();
        let read = match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_read(cx, buf),
            Stream::Tls(tls) => Pin::new(tls).poll_read(cx, buf),
        };
        match read {
            Poll::Ready(Ok(())) => {
                self.turn_bytes += buf.filled().len() - before;
                Poll::Ready(self.note(|tape| tape.heard(&mut buf.filled_mut()[before..])))
            }
            Poll::Pending => {
                self.turn_bytes = 0;
                Poll::Pending
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_write(cx, buf),
            Stream::Tls(tls) => Pin::new(tls).poll_write(cx, buf),
        };
        match written {
            Poll::Ready(Ok(count)) => Poll::Ready(self.note(|tape| tape.sent(&buf[..count])).map(|()| count)),
            other => other,
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_flush(cx),
            Stream::Tls(tls) => Pin::new(tls).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(tcp) => Pin::new(tcp).poll_shutdown(cx),
            Stream::Tls(tls) => Pin::new(tls).poll_shutdown(cx),
        }
    }
}
