//! Thousands of hosts that take ten seconds to answer, beside hosts that answer at once: what the slow ones cost the fast
//! ones, and what a connection that waits takes.
//!
//! `cargo xtask bench slowhosts [--slow N] [--fast N] [--seconds S]`. Loopback, plain HTTP; the server is a process of its
//! own. A fast host is asked again a tenth of a second after it has answered, so that its rate is its own.

use crawler::{AnyContentType, Asks, FetchJob, FetchLimits, Outcome, Ticket};
use fetch::{AddressPolicy, Families, FetchConfig, Fetcher};
use meter::resident_bytes;
use std::cell::Cell;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;
use stdx::Timestamp;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Instant, sleep};
use weburl::Url;

const SLOW_ANSWER: Duration = Duration::from_secs(10);
const FAST_DELAY: Duration = Duration::from_millis(100);
/// Descriptors besides those of connections.
const OTHERS: u64 = 64;

/// What is measured.
struct Arguments {
    slow: u32,
    fast: u32,
    seconds: u64,
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    if words.first().is_some_and(|word| word == "--serve") {
        return runtime.block_on(serve());
    }
    let value = |name: &str, default| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let arguments = Arguments {
        slow: value("--slow", 10_000),
        fast: value("--fast", 100),
        seconds: value("--seconds", 20).into(),
    };
    let wanted = u64::from(arguments.slow + arguments.fast) + OTHERS;
    let allowed = open_files().unwrap_or(u64::MAX);
    if allowed < wanted {
        return Err(io::Error::other(format!(
            "{wanted} open files are needed and {allowed} allowed: ulimit -n {wanted}"
        )));
    }
    let server = Server::start()?;
    LocalSet::new().block_on(&runtime, measure(&arguments, server.port))
}

async fn measure(arguments: &Arguments, port: u16) -> io::Result<()> {
    let tally = Rc::new(Tally::default());
    let fetcher = Rc::new(Fetcher::new(config()).map_err(io::Error::other)?);
    for host in 0..arguments.fast {
        spawn_local(ask_again_and_again(fetcher.clone(), tally.clone(), fast_host(host, port)));
    }
    sleep(Duration::from_secs(2)).await;
    let alone = rate(&tally, arguments.seconds).await;
    let before = resident_bytes();
    for host in 0..arguments.slow {
        spawn_local(ask_again_and_again(fetcher.clone(), tally.clone(), slow_host(host, port)));
        // All at once would be a load of its own, every ten seconds anew.
        if host.is_multiple_of(10) {
            sleep(SLOW_ANSWER * 10 / arguments.slow).await;
        }
    }
    sleep(Duration::from_secs(2)).await;
    let waiting = tally.waiting.get();
    let bytes = resident_bytes().saturating_sub(before) / u64::from(waiting.max(1));
    let beside = rate(&tally, arguments.seconds).await;
    println!(
        "{{\"bench\":\"slowhosts\",\"slow_hosts\":{},\"waiting\":{waiting},\"fast_hosts\":{},\"fast_per_s_alone\":{alone:.1},\
         \"fast_per_s_beside\":{beside:.1},\"lost_percent\":{:.2},\"bytes_a_waiting_connection\":{bytes},\"failed\":{}}}",
        arguments.slow,
        arguments.fast,
        100.0 * (1.0 - beside / alone),
        tally.failed.get()
    );
    Ok(())
}

#[derive(Default)]
struct Tally {
    fast: Cell<u64>,
    failed: Cell<u64>,
    waiting: Cell<u32>,
}

/// A host, and whether it is slow.
struct Host {
    job: FetchJob,
    is_slow: bool,
}

async fn ask_again_and_again(fetcher: Rc<Fetcher>, tally: Rc<Tally>, host: Host) {
    let slow = u32::from(host.is_slow);
    loop {
        tally.waiting.set(tally.waiting.get() + slow);
        let outcome = fetcher.fetch(host.job.clone()).await.map(|fetched| fetched.outcome);
        tally.waiting.set(tally.waiting.get() - slow);
        match outcome {
            Ok(Outcome::Captured(_)) if !host.is_slow => tally.fast.set(tally.fast.get() + 1),
            Ok(Outcome::Captured(_)) => {}
            _ => tally.failed.set(tally.failed.get() + 1),
        }
        sleep(FAST_DELAY).await;
    }
}

/// Answers of fast hosts a second.
async fn rate(tally: &Tally, seconds: u64) -> f64 {
    let (began, before) = (Instant::now(), tally.fast.get());
    sleep(Duration::from_secs(seconds)).await;
    (tally.fast.get() - before) as f64 / began.elapsed().as_secs_f64()
}

fn fast_host(number: u32, port: u16) -> Host {
    Host { job: job(Ipv4Addr::from_bits(0x7F0A_0001 + number), port), is_slow: false }
}

fn slow_host(number: u32, port: u16) -> Host {
    Host { job: job(Ipv4Addr::from_bits(SLOW_FROM + number), port), is_slow: true }
}

/// 127.20.0.1 and on are slow.
const SLOW_FROM: u32 = 0x7F14_0001;

fn job(address: Ipv4Addr, port: u16) -> FetchJob {
    FetchJob {
        ticket: Ticket(0),
        url: Url::parse(&format!("http://{address}:{port}/")).expect("an address and a port"),
        address: SocketAddr::from((address, port)),
        limits: FetchLimits { body_bytes: 1 << 20, total_ms: 60_000, any_content_type: AnyContentType::No },
        begin_by: Timestamp::NEVER,
        keep_alive: false,
        asks: Asks::Whatever,
    }
}

fn config() -> FetchConfig {
    FetchConfig {
        dns: vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 9))],
        families: Families::V4Only,
        policy: AddressPolicy::new(vec!["127.0.0.0/8".parse().expect("a range")]).expect("a private one"),
        ..FetchConfig::new("drumlin-bench/0")
    }
}

/// The other process.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start() -> io::Result<Self> {
        let mut child =
            Command::new(std::env::current_exe()?).arg("--serve").stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?).read_line(&mut line)?;
        Ok(Self { child, port: line.trim().parse().map_err(io::Error::other)? })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn serve() -> io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)))?;
    let listener: TcpListener = socket.listen(4096)?;
    println!("{}", listener.local_addr()?.port());
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move { drop(answer(stream).await) });
    }
}

async fn answer(mut stream: TcpStream) -> io::Result<()> {
    let mut request = [0; 1024];
    let _ = stream.read(&mut request).await?;
    if matches!(stream.local_addr()?.ip(), IpAddr::V4(address) if address.to_bits() >= SLOW_FROM) {
        sleep(SLOW_ANSWER).await;
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok").await?;
    stream.shutdown().await
}

/// How many files this process may open.
fn open_files() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}
