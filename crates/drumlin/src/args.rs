//! The flags of `crawl` and `resume`, as they are typed; what they mean is settled in `settings` and `config`.

use crate::listening::Dashboard;
use crate::settings::{
    self, Amount, Group, Keeping, Limit, LogSettings, Pages, Profile, Settings, Size, Span, TextSetting,
    Threshold,
};
use clap::{ArgAction, Args};
use ipnet::IpNet;
use std::net::IpAddr;
use std::path::PathBuf;
use weburl::Scope;

/// Exit codes, shown under the help of every command that crawls.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    done: every URL has its final state
  1    internal: a fault of the program or the machine
  2    bad usage: the command, a file it names, or the directory
  3    waiting: what is left is not due within --patience, or nobody could
       be reached from this machine for as long
  4    limit reached
  5    disk full, or nearly
  130  interrupted";

/// `drumlin crawl`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CrawlArgs {
    /// Where to begin: http and https URLs
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// More URLs to begin with, one a line; `-` is standard input. Blank lines are passed over, and what follows a # at the start of a line or behind a blank
    #[arg(long, value_name = "FILE|-")]
    pub(crate) seeds: Option<String>,
    /// The crawl's directory [default: ./crawl-<host>]
    #[arg(long, short = 'o', value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Settings from a file laid out like drumlin.toml; flags go over it
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) choices: Choices,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) dashboard: Dashboard,
}

/// What flags can say of settings.
#[derive(Debug, Args)]
pub(crate) struct Choices {
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    manners: Manners,
    #[command(flatten)]
    network: Network,
}

/// `drumlin resume`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ResumeArgs {
    /// The directory of a crawl
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) dashboard: Dashboard,
}

/// `drumlin demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The crawl's directory
    #[arg(long, short = 'o', value_name = "DIR", default_value = "crawl-demo")]
    pub(crate) dir: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) dashboard: Dashboard,
}

/// What the crawl is about, and when it ends.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is crawled")]
pub(crate) struct Bounds {
    /// How far from the seeds: page, prefix, host, domain, seeds (their hosts and ports) or any [default: domain]
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
    /// Links from a seed to follow, or `none`; sitemaps are left aside under a number, so that it means one thing
    #[arg(long, short, value_name = "N|none")]
    depth: Option<Limit<u32>>,
    /// Only URLs that match one of these expressions (seeds need not)
    #[arg(long, value_name = "RE")]
    include: Vec<String>,
    /// No URLs that match one of these expressions
    #[arg(long, value_name = "RE")]
    exclude: Vec<String>,
    /// No hosts that are in this file, one a line, nor hosts below them
    #[arg(long, value_name = "FILE")]
    exclude_hosts: Option<PathBuf>,
    /// Stop after exactly N pages; `none` takes back what was said before
    #[arg(long, value_name = "N|none")]
    limit: Option<Limit<Pages>>,
    /// Begin no page after this many bytes of bodies (10G), or `none`
    #[arg(long, value_name = "BYTES|none")]
    size_limit: Option<Limit<Amount<Size>>>,
    /// Begin no page after this time of a run (90s, 10m, 2h), or `none`
    #[arg(long, value_name = "DUR|none")]
    time_limit: Option<Limit<Amount<Span>>>,
    /// Save and exit when nothing is due within this, or nobody can be reached for as long [default: 10m]
    #[arg(long, value_name = "DUR")]
    patience: Option<Span>,
    /// The directory of an earlier crawl: what it has is asked for only if it has changed, and else taken from its archive
    #[arg(long, value_name = "DIR")]
    earlier: Option<PathBuf>,
    /// What becomes of raw captures [default: keep]
    #[arg(long, value_name = "WHAT")]
    archive: Option<Keeping>,
    /// What of an HTML page becomes its text in the corpus; `visible` leaves out elements with `hidden` and dialogs that are not open,
    /// and goes by no style [default: visible]
    #[arg(long, value_name = "WHAT")]
    text: Option<TextSetting>,
}

/// How servers are treated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Politeness")]
pub(crate) struct Manners {
    /// Delays by name; the two below go over it [default: default]
    #[arg(long, value_name = "NAME")]
    profile: Option<Profile>,
    /// Seconds between two requests to a host; at least 0.5 on the public internet [default: 1]
    #[arg(long, value_name = "SECS")]
    delay: Option<Span>,
    /// Seconds between two requests to a server address; at least 0.1 on the public internet [default: 0.25]
    #[arg(long, value_name = "SECS")]
    ip_delay: Option<Span>,
    /// Hosts under one clock, whatever their domains: they share what their names don't show. `*.example.com` is a domain with
    /// all hosts in it; SECS from request to request [default: as for a domain]; may be repeated
    #[arg(long, value_name = "NAME=HOST,…[@SECS]")]
    group: Vec<Group>,
    /// Whom server owners can write to; required for more than one registrable domain
    #[arg(long, value_name = "URL|EMAIL")]
    contact: Option<String>,
    /// A product of your own instead of drumlin/<version>; robots.txt is read under its name
    #[arg(long, value_name = "S")]
    user_agent: Option<String>,
}

/// Network and machine.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network and machine")]
pub(crate) struct Network {
    /// Requests under way at once [default: 256]
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,
    /// Memory that the crawl may take; bounds concurrency too [default: 2G]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Size>,
    /// DNS servers [default: the system's]
    #[arg(long, value_name = "IP:PORT")]
    dns: Vec<String>,
    /// Root certificates to trust beside those that browsers trust
    #[arg(long, value_name = "PEM")]
    ca_file: Option<PathBuf>,
    /// Accept certificates that do not verify, and record it
    #[arg(long)]
    insecure: bool,
    /// Address of this machine that connections leave from; one IPv4 and one IPv6 at most
    #[arg(long, value_name = "IP")]
    bind: Vec<IpAddr>,
    /// Who makes connections in our place: http:// or socks5://, [user:password@]IP:PORT
    #[arg(long, value_name = "URL")]
    proxy: Option<String>,
    /// A private range that may be contacted, and where delays may be 0; an address is the range of itself
    #[arg(long, value_name = "CIDR", value_parser = settings::range)]
    allow_ip: Vec<IpNet>,
    /// The least that is worth a line in log/, by whose fault it is [default: info]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<Threshold>,
}

/// What is shown.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Progress and summary as JSON lines on standard output, as when standard error is no terminal
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress and no summary; with --json only the last line
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// A line for every attempt that failed; twice, for every attempt
    #[arg(long, short, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

impl Choices {
    /// As settings.
    pub(crate) fn settings(&self) -> Settings {
        let (bounds, manners, network) = (&self.bounds, &self.manners, &self.network);
        Settings {
            contact: manners.contact.clone(),
            user_agent: manners.user_agent.clone(),
            scope: bounds.scope,
            depth: bounds.depth.and_then(|limit| limit.0),
            limit: bounds.limit.and_then(|limit| limit.0).map(|pages| pages.0),
            size_limit: bounds.size_limit.and_then(|limit| limit.0).map(|size| size.0),
            time_limit: bounds.time_limit.and_then(|limit| limit.0).map(|span| span.0),
            patience: bounds.patience,
            profile: manners.profile,
            delay: manners.delay,
            ip_delay: manners.ip_delay,
            groups: given(&manners.group),
            concurrency: network.concurrency,
            memory: network.memory,
            include: given(&bounds.include),
            exclude: given(&bounds.exclude),
            exclude_hosts: bounds.exclude_hosts.clone(),
            earlier: bounds.earlier.clone(),
            archive: bounds.archive,
            text: bounds.text,
            dns: given(&network.dns),
            ca_file: network.ca_file.clone(),
            insecure: network.insecure.then_some(true),
            bind: given(&network.bind),
            proxy: network.proxy.clone(),
            allow_ip: given(&network.allow_ip),
            log: network.log_level.map(|level| LogSettings { level: Some(level), ..LogSettings::default() }),
            lifted: bounds.lifted(),
            ..Settings::default()
        }
        .with_profile()
    }
}

impl Bounds {
    /// The limits that are to be none.
    fn lifted(&self) -> Vec<&'static str> {
        let limits = [
            ("depth", Limit::lifts(self.depth.as_ref())),
            ("limit", Limit::lifts(self.limit.as_ref())),
            ("size_limit", Limit::lifts(self.size_limit.as_ref())),
            ("time_limit", Limit::lifts(self.time_limit.as_ref())),
        ];
        limits.into_iter().filter(|(_, lifts)| *lifts).map(|(key, _)| key).collect()
    }
}

/// A flag that was not given says nothing; it does not empty a list.
fn given<T: Clone>(list: &[T]) -> Option<Vec<T>> {
    (!list.is_empty()).then(|| list.to_vec())
}
