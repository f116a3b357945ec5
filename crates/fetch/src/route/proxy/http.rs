use super::{Credentials, Refusal};
use crate::limits::PROXY_HEAD_BYTES;
use std::io;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Has the proxy at the other end of `tcp` connect to `to`, by `CONNECT` (RFC 9110, section 9.3.6).
pub(super) async fn connect(
    tcp: &mut TcpStream,
    to: SocketAddr,
    credentials: Option<&Credentials>,
) -> Result<(), Refusal> {
    let line = ask(tcp, to, credentials).await.map_err(|error| Refusal::OfTarget(error.to_string()))?;
    let status = line.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1)).unwrap_or_default();
    match status.as_bytes() {
        [b'2', _, _] => Ok(()),
        b"" | b"407" => Err(Refusal::OfUs(line)),
        _ => Err(Refusal::OfTarget(line)),
    }
}

/// The first line of the answer.
async fn ask(tcp: &mut TcpStream, to: SocketAddr, credentials: Option<&Credentials>) -> io::Result<String> {
    let authorization =
        credentials.map(|credentials| format!("Proxy-Authorization: {}\r\n", credentials.basic()));
    let authorization = authorization.unwrap_or_default();
    tcp.write_all(format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{authorization}\r\n").as_bytes()).await?;
    let mut head = Vec::new();
    // Byte by byte: what is behind it comes from elsewhere. A line may end with LF alone (RFC 9112, section 2.2).
    while !head.ends_with(b"\n\r\n") && !head.ends_with(b"\n\n") {
        if head.len() == PROXY_HEAD_BYTES {
            return Err(io::Error::other("its answer has no end"));
        }
        head.push(tcp.read_u8().await?);
    }
    Ok(String::from_utf8_lossy(&head).lines().next().unwrap_or_default().to_owned())
}
