use crate::failure::{failure, of_connect};
use crawler::{Failure, FailureKind};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use tokio::net::{TcpSocket, TcpStream};

mod proxy;

pub use proxy::{Proxy, ProxyError};

/// How connections leave this machine. Questions to DNS servers go their own way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Route {
    /// Which addresses of this machine connections leave from.
    pub sources: Sources,
    /// Who makes them in our place.
    pub proxy: Option<Proxy>,
}

/// The addresses that connections leave from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sources {
    /// Those that the system chooses.
    #[default]
    System,
    /// These and no others: what has none here is not contacted.
    Only {
        /// For servers with an IPv4 address.
        v4: Option<Ipv4Addr>,
        /// For servers with an IPv6 address.
        v6: Option<Ipv6Addr>,
    },
}

impl Route {
    /// A connection to `to`, and to nobody else: a proxy is given the checked address, never a name.
    pub(crate) async fn dial(&self, to: SocketAddr) -> Result<TcpStream, Failure> {
        match &self.proxy {
            None => self.sources.connect(to).await.map_err(|error| of_connect(to.ip(), &error)),
            Some(proxy) => {
                let tcp = self.sources.connect(proxy.address()).await;
                let tcp = tcp.map_err(|error| failure(FailureKind::Local, format!("{proxy}: {error}")))?;
                proxy.tunnel(tcp, to).await
            }
        }
    }
}

impl Sources {
    async fn connect(self, to: SocketAddr) -> io::Result<TcpStream> {
        let Self::Only { v4, v6 } = self else { return TcpStream::connect(to).await };
        let (socket, from) = match to {
            SocketAddr::V4(_) => (TcpSocket::new_v4()?, v4.map(IpAddr::V4)),
            SocketAddr::V6(_) => (TcpSocket::new_v6()?, v6.map(IpAddr::V6)),
        };
        let from = from.ok_or_else(|| io::Error::other(format!("no address to reach {} from", to.ip())))?;
        // Else a port that an earlier connection left in TIME-WAIT could not be had for a minute (RFC 9293, section 3.6.1).
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(to).await
    }
}
