use super::edge::await_until;
use super::gaps::Seen;
use super::tools::system;
use std::fmt::Write as _;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A virtual host: a tree of files at an address.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) name: &'static str,
    pub(crate) address: Ipv4Addr,
    pub(crate) root: PathBuf,
    /// Further lines of nginx's configuration.
    pub(crate) lines: &'static str,
}

/// nginx at work; dropping it stops it.
pub(crate) struct Nginx {
    pub(crate) port: u16,
    room: TempDir,
    child: Child,
}

impl Nginx {
    /// Serves `sites`; nothing where there is no nginx.
    pub(crate) fn start(sites: &[Site]) -> Option<Self> {
        let program = system("nginx")?;
        let room = TempDir::with_prefix("drumlin-nginx-").expect("a temporary directory");
        let port = free_port();
        let config = room.path().join("nginx.conf");
        fs::write(&config, configuration(sites, port, room.path())).expect("a file in a temporary directory");
        let child = Command::new(program)
            .arg("-p")
            .arg(room.path())
            .arg("-c")
            .arg(&config)
            .arg("-e")
            .arg(room.path().join("error.log"))
            .stderr(Stdio::inherit())
            .spawn()
            .expect("nginx starts");
        let listens = || TcpStream::connect((sites[0].address, port)).is_ok();
        assert!(await_until(Duration::from_secs(20), listens), "nginx does not listen");
        Some(Self { port, room, child })
    }

    /// Its log as it is by default.
    pub(crate) fn combined(&self) -> PathBuf {
        self.room.path().join("combined.log")
    }

    /// Its log, in the order requests ended.
    pub(crate) fn log(&self) -> Vec<Seen> {
        let text = fs::read_to_string(self.room.path().join("access.log")).expect("nginx writes its log");
        text.lines()
            .map(|line| read_line(line).unwrap_or_else(|| panic!("a line of nginx: {line}")))
            .collect()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let probe = TcpListener::bind("0.0.0.0:0").expect("a free port");
    probe.local_addr().expect("a bound socket").port()
}

fn configuration(sites: &[Site], port: u16, room: &Path) -> String {
    let room = room.display();
    let mut text = format!(
        "daemon off; master_process off; pid {room}/pid;
events {{ worker_connections 512; }}
http {{
  log_format distances '$msec $request_time $host $server_addr $status $request_uri';
  access_log {room}/access.log distances;
  access_log {room}/combined.log combined;
  client_body_temp_path {room}/a; proxy_temp_path {room}/b; fastcgi_temp_path {room}/c;
  uwsgi_temp_path {room}/d; scgi_temp_path {room}/e;
  types {{ text/html html; text/plain txt; text/css css; image/svg+xml svg; image/png png; }}
  default_type application/octet-stream;
"
    );
    for Site { name, address, root, lines } in sites {
        let root = root.display();
        let _ = writeln!(
            text,
            "server {{ listen {address}:{port}; server_name {name}; root {root}; index index.html; {lines} }}"
        );
    }
    text + "}\n"
}

/// nginx dates a request by its end, in milliseconds, and says how long it took.
fn read_line(line: &str) -> Option<Seen> {
    let mut words = line.splitn(6, ' ');
    let mut us = || Some((words.next()?.parse::<f64>().ok()? * 1e6) as u64);
    let (end_us, took_us) = (us()?, us()?);
    Some(Seen {
        start_us: end_us - took_us,
        end_us,
        host: words.next()?.to_owned(),
        address: words.next()?.to_owned(),
        status: words.next()?.parse().ok()?,
        target: words.next()?.to_owned(),
    })
}
