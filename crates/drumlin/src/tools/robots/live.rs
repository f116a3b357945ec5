//! robots.txt as its site serves it now.

use crate::exit::bad_usage;
use anyhow::{Context, bail};
use crawler::{
    Address, AnyContentType, Asks, Failure, FetchJob, FetchLimits, LookUp, Outcome, ResolveOutcome, Ticket,
};
use fetch::{AddressPolicy, Clock, FetchConfig, Fetcher, KeptTypes, system_upstreams};
use ipnet::IpNet;
use robots::Access;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, SystemTime};
use stdx::{Timestamp, WallTime};
use warc::HttpMessage;
use weburl::Url;

/// Redirects that are followed (RFC 9309, section 2.3.1.2 asks for five at least).
const REDIRECTS: usize = 5;
/// Between two requests of one chain; the politeness of a crawl without its clocks.
const PAUSE: Duration = Duration::from_secs(1);
/// One byte more than is read, so that what is cut shows.
const BODY_BYTES: u64 = robots::limits::ROBOTS_BYTES as u64 + 1;
/// A robots.txt that takes longer counts as unreachable.
const TOTAL_MS: u64 = 60_000;

/// What came of asking.
pub(super) struct Served {
    /// The status of the last response.
    pub(super) status: u16,
    /// What that status means.
    pub(super) access: Access,
    /// The rules, decoded; empty where the status gives none.
    pub(super) body: Vec<u8>,
}

/// Asks for a robots.txt as the crawler would, redirects followed.
pub(super) fn get(url: &Url, allowed: &[IpNet]) -> anyhow::Result<Served> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { follow(&fetcher(allowed)?, url.clone()).await })
}

fn fetcher(allowed: &[IpNet]) -> anyhow::Result<Fetcher> {
    let resolv_conf = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    Ok(Fetcher::new(FetchConfig {
        dns: system_upstreams(&resolv_conf),
        policy: AddressPolicy::new(allowed.to_vec())
            .map_err(|error| bad_usage(format!("--allow-ip: {error}")))?,
        kept_types: KeptTypes::new(&["text/plain"])?,
        clock: clock(),
        ..FetchConfig::new(concat!("drumlin/", env!("CARGO_PKG_VERSION")))
    })?)
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads the clock")]
fn clock() -> Clock {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let ms = since_epoch.as_millis() as u64;
    Clock::starting_at(Timestamp::from_ms(ms), WallTime::from_unix_ms(ms))
}

async fn follow(fetcher: &Fetcher, mut url: Url) -> anyhow::Result<Served> {
    for redirect in 0..=REDIRECTS {
        if redirect > 0 {
            tokio::time::sleep(PAUSE).await;
        }
        let capture = ask(fetcher, &url)
            .await
            .with_context(|| format!("{url} cannot be had, so nothing may be fetched"))?;
        let head = HttpMessage::split(&capture.response_head);
        let location = head.header("location").filter(|_| (300..400).contains(&capture.status));
        let Some(location) = location else {
            let coding = head.list("content-encoding");
            let coded = capture.body.start(usize::MAX)?;
            let body = page::decode_body(&coded, coding.as_deref(), robots::limits::ROBOTS_BYTES).bytes;
            let access = Access::from_status(capture.status);
            let body = if access == Access::Rules { body.into_owned() } else { Vec::new() };
            return Ok(Served { status: capture.status, access, body });
        };
        url = url.join(&location)?;
    }
    Ok(Served { status: 404, access: Access::AllowAll, body: Vec::new() })
}

/// One request, to the first address that the name resolves to.
async fn ask(fetcher: &Fetcher, url: &Url) -> anyhow::Result<std::sync::Arc<archive::Capture>> {
    let address = match fetcher.resolve(Ticket(0), url.host(), LookUp::Known).await.outcome {
        ResolveOutcome::Addresses { addresses, .. } => first(&addresses)?,
        ResolveOutcome::Failed(failure) => bail!(said(&failure)),
    };
    let limits =
        FetchLimits { body_bytes: BODY_BYTES, total_ms: TOTAL_MS, any_content_type: AnyContentType::Yes };
    let address = SocketAddr::new(address, url.port());
    let job = FetchJob {
        ticket: Ticket(1),
        url: url.clone(),
        address,
        limits,
        begin_by: Timestamp::NEVER,
        keep_alive: false,
        asks: Asks::Whatever,
    };
    match fetcher.fetch(job).await?.outcome {
        Outcome::Captured(capture) => Ok(capture),
        Outcome::Failed(failure) => bail!(said(&failure)),
        Outcome::TooLate => unreachable!("it may begin at any time"),
    }
}

fn first(addresses: &[Address]) -> anyhow::Result<IpAddr> {
    addresses.first().map(|address| address.ip).context("the name has no address")
}

fn said(failure: &Failure) -> String {
    format!("{}: {}", failure.kind, failure.detail)
}
