use super::{Credentials, Refusal};
use std::io;
use std::net::{IpAddr, SocketAddr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const VERSION: u8 = 5;
const NO_AUTHENTICATION: u8 = 0;
const USER_AND_PASSWORD: u8 = 2;
const CONNECT: u8 = 1;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;
const GRANTED: u8 = 0;
/// RFC 1929.
const AUTHENTICATION_VERSION: u8 = 1;

/// Has the proxy at the other end of `tcp` connect to `to`, by SOCKS 5 (RFC 1928).
pub(super) async fn connect(
    tcp: &mut TcpStream,
    to: SocketAddr,
    credentials: Option<&Credentials>,
) -> Result<(), Refusal> {
    authenticate(tcp, credentials).await.map_err(|error| Refusal::OfUs(error.to_string()))?;
    ask(tcp, to).await.map_err(|error| Refusal::OfTarget(error.to_string()))
}

async fn authenticate(tcp: &mut TcpStream, credentials: Option<&Credentials>) -> io::Result<()> {
    let (method, wanted) =
        if credentials.is_some() { (USER_AND_PASSWORD, "with") } else { (NO_AUTHENTICATION, "without") };
    tcp.write_all(&[VERSION, 1, method]).await?;
    let chosen: [u8; 2] = read(tcp).await?;
    if chosen != [VERSION, method] {
        return Err(io::Error::other(format!("it is no SOCKS 5 {wanted} user and password")));
    }
    let Some(Credentials { user, password }) = credentials else { return Ok(()) };
    let sized = |text: &str| [&[text.len() as u8][..], text.as_bytes()].concat();
    tcp.write_all(&[vec![AUTHENTICATION_VERSION], sized(user), sized(password)].concat()).await?;
    let [_, reply]: [u8; 2] = read(tcp).await?;
    if reply == GRANTED { Ok(()) } else { Err(io::Error::other("it refuses user and password")) }
}

async fn ask(tcp: &mut TcpStream, to: SocketAddr) -> io::Result<()> {
    let (kind, address) = match to.ip() {
        IpAddr::V4(ip) => (IPV4, ip.octets().to_vec()),
        IpAddr::V6(ip) => (IPV6, ip.octets().to_vec()),
    };
    let port = to.port().to_be_bytes();
    tcp.write_all(&[&[VERSION, CONNECT, 0, kind][..], &address[..], &port].concat()).await?;
    let [_, reply, _, kind]: [u8; 4] = read(tcp).await?;
    if reply != GRANTED {
        return Err(io::Error::other(meaning(reply)));
    }
    // From which address it does so is nothing to us.
    let bytes = match kind {
        IPV4 => 4,
        IPV6 => 16,
        NAME => usize::from(tcp.read_u8().await?),
        _ => return Err(io::Error::other(format!("an address of kind {kind}"))),
    };
    tcp.read_exact(&mut vec![0; bytes + port.len()]).await?;
    Ok(())
}

async fn read<const BYTES: usize>(tcp: &mut TcpStream) -> io::Result<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    tcp.read_exact(&mut bytes).await?;
    Ok(bytes)
}

/// RFC 1928, section 6.
fn meaning(reply: u8) -> String {
    match reply {
        2 => "not allowed".to_owned(),
        3 => "network unreachable".to_owned(),
        4 => "host unreachable".to_owned(),
        5 => "connection refused".to_owned(),
        6 => "TTL expired".to_owned(),
        _ => format!("reply {reply}"),
    }
}
