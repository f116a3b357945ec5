use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection that can be made to end with a reset instead of a farewell.
pub(crate) struct Wire {
    stream: TcpStream,
    cut: Cut,
}

/// Set, it makes the connection end with a reset.
#[derive(Clone, Default)]
pub(crate) struct Cut(Rc<Cell<bool>>);

impl Cut {
    pub(crate) fn set(&self) {
        self.0.set(true);
    }
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, cut: Cut) -> Self {
        Self { stream, cut }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if self.cut.0.get() {
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.cut.0.get() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
