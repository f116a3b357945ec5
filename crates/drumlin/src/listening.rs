//! Where the dashboard and the control API listen: the crawl's socket, and an address for browsers.

use crate::directory::SOCKET;
use crate::exit::bad_usage;
use anyhow::Context;
use std::fs::{self, Permissions};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use ui::{Entrance, Token};

#[cfg(test)]
mod tests;

/// The port of the dashboard, if nobody else has it.
const PORT: u16 = 8378;

/// Flags of whatever shows a dashboard.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Dashboard")]
pub(crate) struct Dashboard {
    /// Serve the dashboard while it runs, at this address [default: 127.0.0.1:8378, or any free port]
    #[arg(long = "ui", value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    address: Option<String>,
    /// Let the dashboard listen on an address that other machines can reach; then its token is needed to look, too
    #[arg(long = "ui-allow-remote", requires = "address")]
    allow_remote: bool,
}

impl Dashboard {
    /// Where browsers come in, if they are to; says so on standard error.
    pub(crate) fn entrance(&self) -> anyhow::Result<Option<Entrance>> {
        let Some(address) = &self.address else { return Ok(None) };
        Ok(Some(Gate::open(address, self.allow_remote)?.entrance()?))
    }
}

/// Where browsers come in, whoever serves them behind it.
#[derive(Debug)]
pub(crate) struct Gate {
    listener: TcpListener,
    token: Token,
    reach: Reach,
}

/// Who can come to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    ThisMachine,
    Others,
}

impl Gate {
    /// Listens at an address, or at the usual one if it is empty, and says where and with which token.
    pub(crate) fn open(address: &str, allow_remote: bool) -> anyhow::Result<Self> {
        let listener = bind(address)?;
        let at = listener.local_addr().context("the dashboard's address")?;
        let is_local = at.ip().to_canonical().is_loopback();
        if !is_local && !allow_remote {
            return Err(bad_usage(format!(
                "{at} can be reached from other machines: add --ui-allow-remote if that is meant (the connection is not encrypted)"
            )));
        }
        let token = Token::of(secret()?);
        eprintln!("drumlin: dashboard at http://{at}/#token={}", token.as_str());
        Ok(Self { listener, token, reach: if is_local { Reach::ThisMachine } else { Reach::Others } })
    }

    /// For a server; one that comes after it may have another.
    pub(crate) fn entrance(&self) -> io::Result<Entrance> {
        let (listener, token) = (self.listener.try_clone()?, self.token.clone());
        Ok(match self.reach {
            Reach::ThisMachine => Entrance::Loopback { listener, token },
            Reach::Others => Entrance::Remote { listener, token },
        })
    }
}

fn bind(address: &str) -> anyhow::Result<TcpListener> {
    if address.is_empty() {
        let usual = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT));
        return usual.or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).context("no port on loopback");
    }
    let parsed: SocketAddr = address.parse().map_err(|_| {
        bad_usage(format!("`{address}` is not an address to listen at, such as 127.0.0.1:{PORT}"))
    })?;
    TcpListener::bind(parsed).map_err(|error| {
        bad_usage(format!(
            "cannot listen at {parsed}: {error}; without an address, any free port of loopback is taken"
        ))
    })
}

fn secret() -> anyhow::Result<[u8; 16]> {
    let mut secret = [0; 16];
    getrandom::fill(&mut secret).map_err(|error| anyhow::anyhow!("the system has no randomness: {error}"))?;
    Ok(secret)
}

/// The crawl's socket: there from here on until this is dropped.
#[derive(Debug)]
pub(crate) struct Socket(PathBuf);

impl Socket {
    /// Makes it anew, for its owner alone. One that a crash left behind goes; the crawl's lock says that nobody serves it.
    pub(crate) fn open(dir: &Path) -> io::Result<(Self, Entrance)> {
        let path = dir.join(SOCKET);
        remove_stale(&path)?;
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        let owner = fs::metadata(&path)?.uid();
        Ok((Self(path), Entrance::Socket { listener, owner }))
    }
}

/// Only a socket is removed: anything else there is not ours.
fn remove_stale(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(file) if file.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
