//! Names a second that one event loop resolves against a local unbound, which knows every name of a zone.
//!
//! `cargo xtask bench dns [--names N] [--at-once N]`. Every name is asked for once, A and AAAA; the server is a process of
//! its own.

use crawler::{LookUp, ResolveOutcome, Ticket};
use fetch::{FetchConfig, Fetcher, Limits};
use meter::cpu_s;
use std::cell::Cell;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep};

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str, default: usize| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (names, at_once) = (value("--names", 200_000), value("--at-once", 256));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = Unbound::start()?;
    LocalSet::new().block_on(&runtime, measure(&server, names, at_once))
}

async fn measure(server: &Unbound, names: usize, at_once: usize) -> io::Result<()> {
    let fetcher = Rc::new(Fetcher::new(config(server.address, at_once)).map_err(io::Error::other)?);
    while !is_found(&fetcher, "ready.bench.test").await {
        sleep(Duration::from_millis(100)).await;
    }
    let (next, found) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0_usize)));
    let (began, cpu_before) = (Instant::now(), cpu_s());
    let workers: Vec<_> = (0..at_once)
        .map(|_| {
            let (fetcher, next, found) = (fetcher.clone(), next.clone(), found.clone());
            spawn_local(async move {
                while next.get() < names {
                    let number = next.replace(next.get() + 1);
                    let was_found = is_found(&fetcher, &format!("host-{number}.bench.test")).await;
                    found.set(found.get() + usize::from(was_found));
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.map_err(io::Error::other)?;
    }
    let wall_s = began.elapsed().as_secs_f64();
    let cpu_us = (cpu_s() - cpu_before) * 1e6 / names as f64;
    println!(
        "{{\"bench\":\"dns\",\"names\":{names},\"found\":{},\"at_once\":{at_once},\"names_per_s\":{:.0},\"cpu_us_a_name\":{cpu_us:.1}}}",
        found.get(),
        names as f64 / wall_s
    );
    Ok(())
}

async fn is_found(fetcher: &Fetcher, name: &str) -> bool {
    matches!(fetcher.resolve(Ticket(0), name, LookUp::Known).await.outcome, ResolveOutcome::Addresses { .. })
}

fn config(upstream: SocketAddr, at_once: usize) -> FetchConfig {
    FetchConfig {
        dns: vec![upstream],
        limits: Limits { concurrent_lookups: at_once, ..Limits::default() },
        ..FetchConfig::new("drumlin-bench/0")
    }
}

/// unbound on loopback, with one zone; dropping it stops it.
struct Unbound {
    address: SocketAddr,
    config: std::path::PathBuf,
    child: Child,
}

impl Unbound {
    fn start() -> io::Result<Self> {
        let address = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let config = std::env::temp_dir().join(format!("drumlin-bench-dns-{}.conf", std::process::id()));
        fs::write(&config, configuration(address.port()))?;
        let child =
            Command::new("unbound").arg("-d").arg("-c").arg(&config).stderr(Stdio::null()).spawn().map_err(
                |error| io::Error::other(format!("unbound (of the package unbound) does not start: {error}")),
            )?;
        Ok(Self { address, config, child })
    }
}

impl Drop for Unbound {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.config);
    }
}

/// Every name below `bench.test` has one address of each kind.
fn configuration(port: u16) -> String {
    format!(
        "server:
  interface: 127.0.0.1
  port: {port}
  username: \"\"
  chroot: \"\"
  pidfile: \"\"
  use-syslog: no
  do-daemonize: no
  num-threads: 2
  local-zone: \"bench.test.\" redirect
  local-data: \"bench.test. 3600 A 93.184.215.14\"
  local-data: \"bench.test. 3600 AAAA 2606:2800:21f:cb07:6820:80da:af6b:8b2c\"
remote-control:
  control-enable: no
"
    )
}
