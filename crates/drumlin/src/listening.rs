//! Where the dashboard and the control API listen: the crawl's socket, and an address for browsers.

use crate::directory::SOCKET;
use crate::exit::bad_usage;
use crate::terminal::tell;
use anyhow::Context;
use std::fs::{self, File, Permissions};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
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
    /// Where browsers come in, if they are to. Whether that can be is known before anything is changed.
    pub(crate) fn open(&self) -> anyhow::Result<Option<Gate>> {
        self.address.as_ref().map(|address| Gate::open(address, self.allow_remote)).transpose()
    }
}

/// Where browsers come in, whoever serves them behind it.
#[derive(Debug)]
pub(crate) struct Gate {
    listener: TcpListener,
    at: SocketAddr,
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
    /// Listens at an address, or at the usual one if it is empty.
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
        Ok(Self { listener, at, token, reach: if is_local { Reach::ThisMachine } else { Reach::Others } })
    }

    /// Says where it is, and with which token.
    pub(crate) fn announce(&self) {
        tell(format_args!("dashboard at http://{}/#token={}", self.at, self.token.as_str()));
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

/// The longest path that the address of a socket has room for, in bytes (unix(7): 108 with the zero behind it).
const SOCKET_PATH_BYTES: usize = 107;

/// The socket of the crawl in a directory, by a path that an address has room for; good as long as this lives.
#[derive(Debug)]
pub(crate) struct SocketPath {
    path: PathBuf,
    /// The directory that a short path leads through.
    _state: Option<File>,
}

impl SocketPath {
    /// Through the opened directory where the path itself is too long.
    pub(crate) fn of(dir: &Path) -> io::Result<Self> {
        let path = dir.join(SOCKET);
        if path.as_os_str().len() <= SOCKET_PATH_BYTES {
            return Ok(Self { path, _state: None });
        }
        let (state, name) = (path.parent().unwrap_or(dir), path.file_name().unwrap_or_default());
        let state = File::open(state)?;
        let path = Path::new("/proc/self/fd").join(state.as_raw_fd().to_string()).join(name);
        Ok(Self { path, _state: Some(state) })
    }

    /// As a call takes it.
    pub(crate) fn as_path(&self) -> &Path {
        &self.path
    }

    /// Speaks to whoever listens.
    pub(crate) fn connect(&self) -> io::Result<UnixStream> {
        UnixStream::connect(&self.path)
    }
}

impl Socket {
    /// Makes it anew, for its owner alone. One that a crash left behind goes; the crawl's lock says that nobody serves it.
    pub(crate) fn open(dir: &Path) -> io::Result<(Self, Entrance)> {
        let path = dir.join(SOCKET);
        remove_stale(&path)?;
        let listener = UnixListener::bind(SocketPath::of(dir)?.as_path())?;
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
