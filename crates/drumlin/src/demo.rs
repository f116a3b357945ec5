//! `drumlin demo`: a crawl of a synthetic web that this process serves on loopback. The crawl itself is an ordinary one.

use crate::args::DemoArgs;
use crate::crawl::{prepare, run};
use crate::directory::{CA_FILE, DEMO_PORTS, Directory};
use crate::exit::{Exit, bad_usage};
use crate::seeds::{Seeds, Source};
use crate::settings::{PageSettings, RetrySettings, Settings, Span};
use crate::terminal::{tell, tell_raw};
use crate::tripwire;
use anyhow::Context;
use disk::{read_all, replace_file};
use ipnet::IpNet;
use simweb::WebConfig;
use simweb::server::{Running, ServerOptions, start};
use std::path::Path;
use weburl::Scope;

/// Pages of the web, odd ones aside: a minute's crawl.
const PAGES: u64 = 1_000;

/// The seed of the web: everybody sees the same one.
const WEB_SEED: u64 = 7;

/// The longest that a demonstration takes.
const TIME_LIMIT_MS: u64 = 100_000;

/// Where the web is served. Kept with the crawl, whose URLs carry them; 0 takes any free one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Ports {
    http: u16,
    https: u16,
    dns: u16,
}

/// Serves, crawls, and says what to try next.
pub(crate) fn demo(args: &DemoArgs) -> anyhow::Result<Exit> {
    let directory = Directory::claim(&args.dir, tripwire::from_environment)?;
    refuse_other_crawls(&directory)?;
    let gate = args.dashboard.open()?;
    let running = serve(Ports::kept(&directory))?;
    replace_file(directory.disk().as_ref(), Path::new(CA_FILE), running.ca_pem.as_bytes())?;
    Ports::of(&running).keep(&directory)?;
    let settings = settings(&running, &args.dir)?;
    let prepared = prepare(directory, &settings, Seeds::of(vec![Source::typed(&running.web.seeds(1))]))?;
    if !args.output.quiet {
        tell(format_args!(
            "a web of about {PAGES} pages is served on loopback; this crawls it, as `drumlin crawl` would"
        ));
    }
    let exit = run(prepared, args.output, gate.as_ref())?;
    if !args.output.quiet && !args.output.json {
        tell_raw(next_steps(&args.dir));
    }
    Ok(shown(exit))
}

/// A crawl that no demonstration began keeps its settings.
fn refuse_other_crawls(directory: &Directory) -> anyhow::Result<()> {
    let is_demo = directory.disk().stat(Path::new(DEMO_PORTS))?.is_some();
    if directory.saved().is_none() || is_demo {
        return Ok(());
    }
    let name = directory.path().display();
    Err(bad_usage(format!("{name} is a crawl and no demo; name another directory with --dir")))
}

/// What the web's oddities leave waiting is part of the show, and so is the end of its time.
fn shown(exit: Exit) -> Exit {
    match exit {
        Exit::Waiting | Exit::LimitReached => Exit::Done,
        other => other,
    }
}

fn serve(ports: Ports) -> anyhow::Result<Running> {
    let web = WebConfig {
        http_port: ports.http,
        https_port: ports.https,
        crawl_delay_s: 1,
        slow_ms: 100,
        ..WebConfig::small(WEB_SEED, PAGES).without_traps()
    };
    let options = ServerOptions { dns_port: ports.dns, ..ServerOptions::default() };
    start(web, options).context("the synthetic web cannot be served; another demo may be using its ports")
}

/// Ordinary settings for one's own machines: short delays, and the servers' own names and certificates.
fn settings(running: &Running, dir: &Path) -> anyhow::Result<Settings> {
    let loopback: IpNet = "127.0.0.0/8".parse()?;
    let retry = RetrySettings { base: Some(Span(1_000)), attempts: Some(3), ..RetrySettings::default() };
    Ok(Settings {
        contact: Some("demo@drumlin.example".to_owned()),
        scope: Some(Scope::Any),
        time_limit: Some(Span(TIME_LIMIT_MS)),
        patience: Some(Span(20_000)),
        delay: Some(Span(100)),
        ip_delay: Some(Span(20)),
        concurrency: Some(64),
        dns: Some(vec![running.dns.to_string()]),
        ca_file: Some(dir.join(CA_FILE)),
        allow_ip: Some(vec![loopback]),
        retry: Some(RetrySettings { overload: Some(Span(2_000)), ..retry }),
        page: Some(PageSettings { time: Some(Span(1_000)), ..PageSettings::default() }),
        ..Settings::default()
    })
}

fn next_steps(dir: &Path) -> String {
    let dir = dir.display();
    format!(
        "
To try next:
  drumlin report {dir}     charts and numbers, as one page
  drumlin audit {dir}      the proof that nobody was asked too often
  drumlin warc ls {dir}/archive/*.warc.gz
  duckdb -c \"SELECT url, title, language, length(text) FROM '{dir}/corpus/pages-*.parquet' LIMIT 20\"
  wb-manager init demo && wb-manager add demo {dir}/archive/*.warc.gz && wayback   (pip install pywb)
  drumlin crawl https://example.com
The demo again from its beginning: remove {dir} first.
"
    )
}

impl Ports {
    fn of(running: &Running) -> Self {
        Self { http: running.http_port(), https: running.https_port(), dns: running.dns.port() }
    }

    /// Those of an earlier run; any, if there was none.
    fn kept(directory: &Directory) -> Self {
        let bytes = read_all(directory.disk().as_ref(), Path::new(DEMO_PORTS)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let mut numbers = text.split_whitespace().map(|number| number.parse().unwrap_or(0));
        let mut next = || numbers.next().unwrap_or(0);
        Self { http: next(), https: next(), dns: next() }
    }

    fn keep(self, directory: &Directory) -> anyhow::Result<()> {
        let text = format!("{} {} {}\n", self.http, self.https, self.dns);
        Ok(replace_file(directory.disk().as_ref(), Path::new(DEMO_PORTS), text.as_bytes())?)
    }
}
