use super::{Malice, bomb, markup};

/// One thing that a server does on a connection; after the last it closes it in order.
#[derive(Debug, Clone)]
pub enum Step {
    /// Sends these bytes.
    Say(Vec<u8>),
    /// Sends a piece again and again.
    Again {
        /// The piece with this number, from 0.
        piece: fn(u64) -> Vec<u8>,
        /// How many.
        times: u64,
        /// Between two of them, in milliseconds.
        pause_ms: u64,
    },
    /// Ends the connection with a reset.
    Reset,
    /// Says nothing more until the client goes.
    Hang,
}

/// Between two bytes of what drips.
const DRIP_MS: u64 = 50;
/// A head that an HTML body follows, which ends with the connection.
const HTML: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n";
/// What [`Malice::Reset`] would say.
const WHOLE: &str =
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";

/// [`Malice::Reset`] resets after fewer bytes than this.
pub const RESET_POINTS: usize = WHOLE.len();

/// Kinds of [`Malice::ChunkNonsense`].
pub const CHUNK_KINDS: usize = NONSENSE.len();

/// What a malice does to a request for `target`.
pub fn script(malice: Malice, target: &str, port: u16) -> Vec<Step> {
    match (malice, target) {
        (Malice::RobotsHtml | Malice::RobotsBinary | Malice::RobotsEndless, "/robots.txt") => robots(malice),
        (_, "/robots.txt") => vec![say("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")],
        (Malice::RobotsHtml | Malice::RobotsBinary | Malice::RobotsEndless, _) => vec![page("behind it")],
        _ => heads(malice)
            .or_else(|| lengths(malice, number(target)))
            .or_else(|| codings(malice))
            .or_else(|| redirects(malice, number(target), port))
            .or_else(|| pages(malice, target))
            .unwrap_or_else(|| connections(malice, number(target))),
    }
}

fn heads(malice: Malice) -> Option<Vec<Step>> {
    let status = say("HTTP/1.1 200 OK\r\n");
    Some(match malice {
        Malice::DripHead => vec![status, again(|_| b"a".to_vec(), DRIP_MS)],
        Malice::EndlessHeaders => {
            vec![status, again(|n| format!("X-{n}: {}\r\n", "v".repeat(100)).into_bytes(), 0)]
        }
        Malice::EndlessLine => vec![status, say("X: "), again(|_| vec![b'v'; 4096], 0)],
        Malice::InterimStorm => {
            vec![again(|_| b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_vec(), 0)]
        }
        _ => return None,
    })
}

fn lengths(malice: Malice, number: usize) -> Option<Vec<Step>> {
    let with = |headers: &str, body: &str| vec![say(&format!("{HTML}{headers}\r\n\r\n{body}"))];
    let chunked = "Transfer-Encoding: chunked";
    Some(match malice {
        Malice::ChunkNonsense => {
            with(chunked, &format!("4\r\ngood\r\n{}", NONSENSE[number % NONSENSE.len()]))
        }
        Malice::ChunkExtensions => {
            let extended = |_| format!("1;{}\r\nx\r\n", "e=f;".repeat(500)).into_bytes();
            [with(chunked, ""), vec![again(extended, 0)]].concat()
        }
        Malice::LengthShort => with("Content-Length: 2", "hi, and more"),
        Malice::LengthLong => with("Content-Length: 1000000", "short"),
        Malice::LengthNegative => with("Content-Length: -1", "below"),
        Malice::LengthTwice => with("Content-Length: 5\r\nContent-Length: 6", "twice!"),
        _ => return None,
    })
}

const NONSENSE: [&str; 7] =
    ["", "3\r\n", "zz\r\nabc\r\n", "ffffffffffffffffffff\r\nabc", "3\r\nabcXX", "-1\r\n", "0\r\nbad"];

fn codings(malice: Malice) -> Option<Vec<Step>> {
    let coded = |coding: &str| say(&format!("{HTML}Content-Encoding: {coding}\r\n\r\n"));
    let member = || say_bytes(gzip(b"<p>a member</p>"));
    Some(match malice {
        Malice::GzipBomb => vec![
            coded("gzip"),
            say_bytes(bomb::gzip_start()),
            Step::Again { piece: |_| bomb::gzip_more(8 * 1024), times: 128, pause_ms: 0 },
        ],
        Malice::BrotliBomb => vec![coded("br"), say_bytes(bomb::brotli(16))],
        Malice::GzipCut => {
            let whole = gzip("<p>what comes of it, and what does not".repeat(500).as_bytes());
            vec![coded("gzip"), say_bytes(whole[..whole.len() / 2].to_vec())]
        }
        Malice::GzipMembers => {
            vec![
                coded("gzip"),
                member(),
                Step::Again { piece: |_| gzip(b"<br>"), times: 10_000, pause_ms: 0 },
            ]
        }
        Malice::NestedTags => vec![
            coded("gzip"),
            Step::Again { piece: |_| gzip("<div>".repeat(20_000).as_bytes()), times: 1_000, pause_ms: 0 },
        ],
        _ => return None,
    })
}

fn redirects(malice: Malice, number: usize, port: u16) -> Option<Vec<Step>> {
    let to = |location: &str| {
        vec![say(&format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"))]
    };
    let host = malice.host();
    Some(match (malice, number) {
        (Malice::RedirectLoop, 0) => to(&format!("http://other.{host}:{port}/1")),
        (Malice::RedirectLoop, _) => to(&format!("http://{host}:{port}/0")),
        (Malice::RedirectChain, hop) => to(&format!("http://h{hop}.{host}:{port}/{}", hop + 1)),
        (Malice::RedirectPrivate, 0) => vec![page(&private_links())],
        (Malice::RedirectPrivate, link) => to(PRIVATE[(link - 1) % PRIVATE.len()]),
        _ => return None,
    })
}

const PRIVATE: [&str; 5] = [
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[fd00::1]/",
    "http://[::ffff:192.168.0.1]/",
    "http://0xac100001/",
];

fn private_links() -> String {
    let links: Vec<String> = (1..=PRIVATE.len()).map(|link| format!("<a href=/{link}>")).collect();
    links.concat()
}

fn pages(malice: Malice, target: &str) -> Option<Vec<Step>> {
    let head = say(&format!("{HTML}\r\n"));
    Some(match (malice, target) {
        (Malice::MillionLinks | Malice::EvilUrls, target) if target != "/" => vec![page("behind it")],
        (Malice::DripBody, _) => vec![head, again(|_| b"x".to_vec(), DRIP_MS)],
        (Malice::EndlessBody, _) => vec![head, again(|_| b"<p>all work and no play ".repeat(100), 0)],
        (Malice::MillionLinks, _) => {
            vec![head, Step::Again { piece: |n| markup::links(n, 1_000), times: 1_000, pause_ms: 0 }]
        }
        (Malice::Nuls, "/head") => vec![say(&format!("{HTML}X-Nul: a\0b\r\n\r\n"))],
        (Malice::Nuls, _) => vec![head, say("\0<a hr\0ef=/x\0y>\0a\0</a>\0\0<p>text")],
        (Malice::BrokenEncodings, _) => {
            let noise = (0..=255u8).chain([0xC3, 0x28, 0xED, 0xA0, 0x80, 0xF8, 0x88]).collect::<Vec<_>>();
            vec![
                say_bytes(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=\"klingon\xff\"\r\n\r\n<p>"
                        .to_vec(),
                ),
                say_bytes(noise.repeat(100)),
            ]
        }
        (Malice::EvilUrls, _) => vec![head, say_bytes(markup::evil_page())],
        _ => return None,
    })
}

fn connections(malice: Malice, number: usize) -> Vec<Step> {
    match malice {
        Malice::Reset => vec![say_bytes(WHOLE.as_bytes()[..number.min(RESET_POINTS)].to_vec()), Step::Reset],
        Malice::OtherProtocol => vec![say("220 mail.test ESMTP\r\n"), Step::Hang],
        // Fatal, handshake failure (RFC 8446, section 6).
        Malice::TlsAlert => vec![say_bytes(vec![21, 3, 3, 0, 2, 2, 40]), Step::Hang],
        Malice::TlsOverlong => vec![say_bytes(vec![22, 3, 3, 0xFF, 0xFF]), again(|_| vec![0; 4096], 0)],
        _ => vec![Step::Hang],
    }
}

fn robots(malice: Malice) -> Vec<Step> {
    let head = say("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
    match malice {
        Malice::RobotsHtml => vec![page("<h1>Welcome</h1> Disallow is a word on this page")],
        Malice::RobotsBinary => vec![head, say_bytes((0..=255u8).cycle().take(100_000).collect())],
        _ => vec![head, again(|n| format!("Disallow: /{n}/\n").repeat(50).into_bytes(), 0)],
    }
}

fn page(text: &str) -> Step {
    say(&format!("{HTML}Content-Length: {}\r\n\r\n{text}", text.len()))
}

fn say(text: &str) -> Step {
    Step::Say(text.as_bytes().to_vec())
}

fn say_bytes(bytes: Vec<u8>) -> Step {
    Step::Say(bytes)
}

fn again(piece: fn(u64) -> Vec<u8>, pause_ms: u64) -> Step {
    Step::Again { piece, times: u64::MAX, pause_ms }
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut coded = vec![0; compressor.gzip_compress_bound(plain.len())];
    let length = compressor.gzip_compress(plain, &mut coded).expect("the bound is enough");
    coded.truncate(length);
    coded
}

/// The number in `/17`; 0 without one.
fn number(target: &str) -> usize {
    target.trim_start_matches('/').parse().unwrap_or(0)
}
