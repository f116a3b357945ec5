use super::Shared;
use super::exchange::{Connection, answer};
use super::wire::{Cut, Wire};
use crate::character::Scheme;
use crate::limits;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::cell::Cell;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 4096;

/// Listens on every loopback address, and tells the port.
pub(crate) fn bind(port: u16) -> io::Result<(TcpListener, u16)> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    // A second lock on the door: where the system lets us, only loopback even gets as far as a handshake.
    #[cfg(target_os = "linux")]
    let _ = socket.bind_device(Some(b"lo"));
    socket.bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)))?;
    let listener = socket.listen(BACKLOG)?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// Serves one port until it is dropped: over TLS where there is an acceptor.
pub(crate) async fn serve(listener: TcpListener, acceptor: Option<TlsAcceptor>, shared: Rc<Shared>) {
    let slots = Arc::new(Semaphore::new(limits::CONNECTIONS));
    loop {
        let Ok((stream, client)) = listener.accept().await else {
            // Out of descriptors: one comes free when a connection ends, so let those run.
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { continue };
        if !client.ip().is_loopback() {
            continue;
        }
        let (acceptor, shared, guest) = (acceptor.clone(), Rc::clone(&shared), shared.presence.enter());
        tokio::task::spawn_local(async move {
            converse(stream, client, acceptor, shared).await;
            drop((slot, guest));
        });
    }
}

async fn converse(stream: TcpStream, client: SocketAddr, acceptor: Option<TlsAcceptor>, shared: Rc<Shared>) {
    let Ok(local) = stream.local_addr() else { return };
    let IpAddr::V4(address) = local.ip() else { return };
    let _ = stream.set_nodelay(true);
    let cut = Cut::default();
    let wire = Wire::new(stream, cut.clone());
    let scheme = if acceptor.is_some() { Scheme::Https } else { Scheme::Http };
    let client_port = client.port();
    let connection = Rc::new(Connection { client_port, address, scheme, cut, shared, answers: Cell::new(0) });
    match acceptor {
        None => exchange(wire, connection).await,
        Some(acceptor) => {
            if let Ok(stream) = acceptor.accept(wire).await {
                exchange(stream, connection).await;
            }
        }
    }
}

/// Request after request on one connection, until either side has had enough.
async fn exchange(stream: impl AsyncRead + AsyncWrite + Unpin, connection: Rc<Connection>) {
    let service = service_fn(|request| answer(Rc::clone(&connection), request));
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_millis(limits::KEEP_ALIVE_MS))
        .serve_connection(TokioIo::new(stream), service)
        .await;
}
