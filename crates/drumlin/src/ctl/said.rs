//! What may be said, as it is typed.

use crate::exit::{BadUsage, bad_usage};
use crate::seeds::{Seeds, Source};
use crate::settings::{Amount, Limit, Pages, Size, Span};
use control::limits::SEEDS;
use control::{Bound, Changes, Command, Selection, Target};
use weburl::Scope;

#[derive(Debug, clap::Subcommand)]
pub(super) enum Said {
    /// Begin nothing new; over restarts, until it is resumed
    Pause,
    /// Go on
    Resume,
    /// Finish what is under way, save, and leave; the next run goes on
    Stop,
    /// Contact a host, a domain or what an expression matches no more
    Exclude(TargetArgs),
    /// Take an exclusion back
    Readmit(TargetArgs),
    /// Exclude, and withhold what is there from everything that leaves the crawl
    Takedown(TargetArgs),
    /// Change settings
    #[command(allow_negative_numbers = true)]
    Set(Box<SetArgs>),
    /// Begin here too
    Seeds(SeedArgs),
    /// Give parked URLs fresh attempts, and ask again for hosts whose addresses were refused
    Retry(TargetArgs),
}

/// A host, a domain or an expression.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct TargetArgs {
    /// One host, at any port
    #[arg(value_name = "HOST")]
    pub(super) host: Option<String>,
    /// A name and all names below it
    #[arg(long, value_name = "DOMAIN")]
    pub(super) domain: Option<String>,
    /// URLs that this expression matches, as --exclude of a crawl
    #[arg(long, value_name = "RE")]
    pub(super) pattern: Option<String>,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
pub(super) struct SetArgs {
    /// Seconds between two requests to a host; on the public internet the floor of 0.5 holds
    #[arg(long, value_name = "SECS")]
    delay: Option<Span>,
    /// Seconds between two requests to a server address; on the public internet the floor of 0.1 holds
    #[arg(long, value_name = "SECS")]
    ip_delay: Option<Span>,
    /// Seconds between two requests to a registrable domain
    #[arg(long, value_name = "SECS")]
    domain_delay: Option<Span>,
    /// Requests under way at once: at most as many as the run was started with
    #[arg(long, value_name = "N")]
    concurrency: Option<u64>,
    /// Pages to fetch, or `none`
    #[arg(long, value_name = "N|none")]
    limit: Option<Limit<Pages>>,
    /// Bytes of bodies after which no page is begun, or `none`
    #[arg(long, value_name = "BYTES|none")]
    size_limit: Option<Limit<Amount<Size>>>,
    /// Time of a run after which no page is begun, or `none`
    #[arg(long, value_name = "DUR|none")]
    time_limit: Option<Limit<Amount<Span>>>,
    /// Links from a seed to follow, or `none`
    #[arg(long, value_name = "N|none")]
    depth: Option<Limit<u32>>,
    /// How far from its seeds the crawl goes
    #[arg(long, value_name = "SCOPE")]
    scope: Option<Scope>,
}

#[derive(Debug, clap::Args)]
pub(super) struct SeedArgs {
    /// URLs to begin at; `-` reads them from standard input, one a line
    #[arg(value_name = "URL|-", required = true)]
    urls: Vec<String>,
}

impl Said {
    pub(super) fn into_command(self) -> anyhow::Result<Command> {
        Ok(match self {
            Self::Pause => Command::Pause,
            Self::Resume => Command::Resume,
            Self::Stop => Command::Stop,
            Self::Exclude(target) => Command::Exclude(target.target()?),
            Self::Readmit(target) => Command::Readmit(target.target()?),
            Self::Takedown(target) => Command::Takedown(target.target()?),
            Self::Set(changes) => Command::Set(changes.changes()),
            Self::Seeds(seeds) => Command::Seeds(seeds.read()?),
            Self::Retry(target) => Command::Retry(target.selection()?),
        })
    }
}

impl TargetArgs {
    /// What is named, if anything is.
    fn named(&self) -> Result<Option<Target>, BadUsage> {
        let wrong = |error: control::TargetError| BadUsage(error.to_string());
        Ok(match (&self.host, &self.domain, &self.pattern) {
            (Some(host), _, _) => Some(Target::Host(host.parse().map_err(wrong)?)),
            (_, Some(domain), _) => Some(Target::Domain(domain.parse().map_err(wrong)?)),
            (_, _, Some(pattern)) => Some(Target::Pattern(pattern.parse().map_err(wrong)?)),
            _ => None,
        })
    }

    pub(super) fn target(&self) -> anyhow::Result<Target> {
        self.named()?.ok_or_else(|| bad_usage("which? Name a HOST, --domain or --pattern"))
    }

    /// All, if nothing is named.
    pub(super) fn selection(&self) -> Result<Selection, BadUsage> {
        Ok(self.named()?.map_or(Selection::All, Selection::Target))
    }
}

impl SetArgs {
    fn changes(&self) -> Changes {
        let ms = |span: Option<Span>| span.map(|span| span.0);
        Changes {
            delay_ms: ms(self.delay),
            ip_delay_ms: ms(self.ip_delay),
            domain_delay_ms: ms(self.domain_delay),
            concurrency: self.concurrency,
            limit: self.limit.map(|limit| Bound::from(limit.0.map(|pages| pages.0))),
            size_limit: self.size_limit.map(|limit| Bound::from(limit.0.map(|size| size.0.0))),
            time_limit_ms: self.time_limit.map(|limit| Bound::from(limit.0.map(|span| span.0.0))),
            depth: self.depth.map(|limit| Bound::from(limit.0.map(u64::from))),
            scope: self.scope,
        }
    }
}

impl SeedArgs {
    fn read(self) -> anyhow::Result<Vec<String>> {
        if self.urls != ["-"] {
            return Ok(self.urls);
        }
        // One more than there may be is refused; the rest need not be read for that.
        let seeds = Seeds::of(vec![Source::open("-")?]).take(SEEDS + 1);
        seeds.map(|seed| Ok(seed?.to_string())).collect()
    }
}
