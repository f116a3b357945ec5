//! Responses over HTTP/1 that no server would give: what is captured was sent, and where the head ends there is one opinion.

use archive::Capture;
use crawler::{AnyContentType, Asks, FetchJob, FetchLimits, Outcome, Ticket};
use fetch::{AddressPolicy, Clock, FetchConfig, Fetcher, Limits};
use fuzz::Fuzz;
use meter::Meter;
use std::cell::Cell;
use std::net::{Ipv4Addr, SocketAddr};
use stdx::{Timestamp, WallTime};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use weburl::Url;

#[global_allocator]
static METER: Meter = Meter::new();

const SEEDS: [&str; 8] = [
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n",
    "HTTP/1.0 200 OK\nContent-Type: text/plain\n\nold",
    "\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nContent-Encoding: gzip\r\nX: a\r\n b\r\nX : c\r\n\r\n\u{1f}",
    "HTTP/1.1 429 Slow\r\nRetry-After: 120\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>",
    "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
];

const WORDS: [&str; 22] = [
    "HTTP/1.1 ",
    "HTTP/1.0 ",
    "100",
    "200 OK",
    "304",
    "999",
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "Content-Length: ",
    "Content-Type: text/html",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Connection: keep-alive",
    "Location: http://",
    "0\r\n\r\n",
    "fffffffffffffffff",
    ": ",
    "\0",
    ", ",
    "\t",
];

const BODY_BYTES: u64 = 1000;
/// What a fetch may take besides: hyper's buffers and the tape's, both of a head at most.
const FETCH_BYTES: usize = 4 << 20;

#[test]
fn responses() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("0.0.0.0:0")).expect("a socket");
    let (fetcher, port) = (fetcher(), listener.local_addr().expect("bound").port());
    let turn = Cell::new(0_u32);
    Fuzz::new("responses").seeds(SEEDS).words(&WORDS).executions(1000).most_bytes(4096).run(|input| {
        turn.set(turn.get() + 1);
        let server = async {
            let (stream, _) = listener.accept().await.expect("asked");
            answer(stream, input).await;
        };
        let mut outcome = None;
        let peak = METER.peak_while(|| {
            let fetched =
                runtime.block_on(async { tokio::join!(fetcher.fetch(job(turn.get(), port)), server).0 });
            outcome = Some(fetched.expect("a fetch ends").outcome);
        });
        if let Some(Outcome::Captured(capture)) = outcome {
            check(&capture, input);
        }
        assert!(peak <= FETCH_BYTES, "{peak} bytes for {}", input.len());
    });
}

/// All of it at once, and the end.
async fn answer(mut stream: TcpStream, response: &[u8]) {
    let mut request = [0; 1024];
    if stream.read(&mut request).await.is_ok() && stream.write_all(response).await.is_ok() {
        // Whoever was not interested has closed it.
        drop(stream.shutdown().await);
    }
}

fn check(capture: &Capture, sent: &[u8]) {
    let (head, body) = (&capture.response_head[..], capture.body.held().expect("it is short"));
    assert!(body.len() as u64 <= BODY_BYTES, "{}", body.len());
    // 101 is the last word of a server that speaks of something else from there on, asked or not.
    assert!(capture.status == 101 || (200..1000).contains(&capture.status), "{}", capture.status);
    let starts = memchr::memmem::find_iter(sent, head).map(|at| at + head.len());
    let is_chunked = head.to_ascii_lowercase().windows(7).any(|word| word == b"chunked");
    let mut after = starts.map(|at| &sent[at..]);
    assert!(after.any(|after| is_chunked || after.starts_with(body)), "a head and what stands behind it");
}

fn fetcher() -> Fetcher {
    let limits = Limits { head_ms: 2000, ..Limits::default() };
    let config = FetchConfig {
        dns: vec!["127.0.0.1:9".parse().expect("an address")],
        policy: AddressPolicy::new(vec!["127.0.0.0/8".parse().expect("a network")]).expect("a policy"),
        limits,
        clock: Clock::starting_at(Timestamp::from_ms(1_000), WallTime::from_unix_ms(1_700_000_000_000)),
        ..FetchConfig::new("drumlin-test/0")
    };
    Fetcher::new(config).expect("a fetcher")
}

/// Each of another address of loopback's, or ports would run out.
fn job(turn: u32, port: u16) -> FetchJob {
    let [_, a, b, c] = turn.to_be_bytes();
    FetchJob {
        ticket: Ticket(1),
        url: Url::parse(&format!("http://site.test:{port}/")).expect("a URL"),
        address: SocketAddr::from((Ipv4Addr::new(127, a, b, c.max(1)), port)),
        limits: FetchLimits {
            body_bytes: BODY_BYTES,
            total_ms: 10_000,
            any_content_type: AnyContentType::No,
        },
        begin_by: Timestamp::NEVER,
        keep_alive: false,
        asks: Asks::Whatever,
    }
}
