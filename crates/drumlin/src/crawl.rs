//! `drumlin crawl` and `drumlin resume`: from what was typed to a crawl that has ended.

use crate::args::{CrawlArgs, Output, ResumeArgs};
use crate::config::{Config, REQUEST_BYTES};
use crate::desk::Reception;
use crate::diary::{self, Begun, Course, Diary, how_it_ended};
use crate::directory::{Directory, SEEDS};
use crate::exit::{BadUsage, Exit, bad_usage};
use crate::listening::Gate;
use crate::progress::Progress;
use crate::seeds::{self, Chunks, Seeds, Source, Taken};
use crate::settings::{self, Settings};
use crate::status::Teller;
use crate::terminal::tell;
use crate::{
    absent, allocator, directory, installed, lookback, open_files, overruled, scratch, signals, summary,
    tripwire, wiring,
};
use anyhow::Context;
use control::Changes;
use crawler::Retention;
use crossbeam_channel::Receiver;
use fetch::AddressPolicy;
use logs::Level;
use node::{Ended, NodeConfig, Sight, Witnessed};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weburl::{Scope, ScopeRules, Url};

/// A crawl that is ready to run.
pub(crate) struct Prepared {
    pub(crate) directory: Directory,
    pub(crate) config: Config,
    pub(crate) scope: ScopeRules,
    pub(crate) taken: Taken,
    /// What flags and `--config` say that an operator may have set otherwise.
    pub(crate) typed: Changes,
}

/// `drumlin crawl`.
pub(crate) fn crawl(args: &CrawlArgs) -> anyhow::Result<Exit> {
    let mut settings = args.choices.settings();
    settings.require_text(Path::new(""))?;
    if let Some(path) = &args.config {
        settings = read_config(path)?.overlaid(&settings);
    }
    let mut seeds = open_seeds(args)?.peekable();
    let path = match &args.dir {
        Some(path) => path.clone(),
        None => default_path(&mut seeds)?,
    };
    lookback::settle_path(&mut settings, &path)?;
    settings.require_text(&path)?;
    let directory = Directory::claim(&path, tripwire::from_environment)?;
    installed::require_memory(base(directory.saved()).overlaid(&settings).memory)?;
    let gate = args.dashboard.open()?;
    let typed = overruled::typed(&settings);
    let prepared = Prepared { typed, ..prepare(directory, &settings, seeds)? };
    run(prepared, args.output, gate.as_ref())
}

/// `drumlin resume`.
pub(crate) fn resume(args: &ResumeArgs) -> anyhow::Result<Exit> {
    let directory = Directory::claim_existing(&args.dir, tripwire::from_environment)?;
    installed::require_memory(base(directory.saved()).memory)?;
    let gate = args.dashboard.open()?;
    let prepared = prepare(directory, &Settings::default(), Seeds::of(Vec::new()))?;
    run(prepared, args.output, gate.as_ref())
}

/// Settles what is crawled and how; the directory is a crawl from then on.
pub(crate) fn prepare(
    mut directory: Directory,
    asked: &Settings,
    seeds: impl Iterator<Item = Result<Url, BadUsage>>,
) -> anyhow::Result<Prepared> {
    let effective = effective(directory.saved(), &directory.take_in(asked.clone())?)?;
    let config = Config::new(&effective)?;
    let mut scope = scope_rules(&config)?;
    let taken = seeds::write_list(directory.disk().as_ref(), seeds, &mut scope)?;
    let needed = require_seeds(&directory, &taken).and_then(|()| require_what_a_run_needs(&config, &taken));
    if let Err(refusal) = needed {
        seeds::drop_list(directory.disk().as_ref());
        return Err(refusal);
    }
    seeds::keep_list(directory.disk().as_ref(), &taken)?;
    tell_of_gaps(&directory);
    tell_beforehand(directory.saved(), &effective, &config);
    let config = Config::new(&directory.settle(effective)?)?;
    Ok(Prepared { directory, config, scope, taken, typed: Changes::default() })
}

fn require_seeds(directory: &Directory, taken: &Taken) -> anyhow::Result<()> {
    let dir = directory.path().display();
    match directory.saved() {
        _ if taken.seeds > 0 => Ok(()),
        None => Err(bad_usage("nothing to crawl: name a URL, or a list with --seeds FILE")),
        Some(_) => Err(bad_usage(format!(
            "{dir}/{SEEDS} is gone or empty: put a copy of it back, or name a seed of the crawl, `drumlin crawl URL --dir {dir}`"
        ))),
    }
}

fn require_what_a_run_needs(config: &Config, taken: &Taken) -> anyhow::Result<()> {
    require_contact(config, taken)?;
    open_files::provide(wiring::open_files(config))?;
    wiring::check_sources(config)?;
    Ok(wiring::check_network(config)?)
}

/// A crawl that is there, for those who read it or give it orders and contact nobody: what only a run needs need not be there.
pub(crate) fn at_rest(directory: Directory) -> anyhow::Result<Prepared> {
    let effective = effective(directory.saved(), &Settings::default())?;
    let config = Config::new(&effective)?.at_rest();
    let mut scope = scope_rules(&config)?;
    let disk = directory.disk();
    let taken = seeds::write_list(disk.as_ref(), Seeds::of(Vec::new()), &mut scope)?;
    seeds::drop_list(disk.as_ref());
    Ok(Prepared { directory, config, scope, taken, typed: Changes::default() })
}

/// Runs a crawl to its end and shows it.
pub(crate) fn run(prepared: Prepared, output: Output, gate: Option<&Gate>) -> anyhow::Result<Exit> {
    let Begun { diary, notices, keeper } = diary::begin(prepared.directory.path(), prepared.config.log)?;
    diary.say(&diary::event(Level::Info, "started").with("version", env!("CARGO_PKG_VERSION")));
    let ended = run_with(prepared, output, gate, &Told { diary: diary.clone(), notices });
    diary.say(&how_it_ended(&ended));
    drop(keeper);
    Ok(Exit::from(ended?.exit))
}

/// Where a run says what happens, and what of it is shown.
struct Told {
    diary: Arc<Diary>,
    notices: Receiver<String>,
}

fn run_with(prepared: Prepared, output: Output, gate: Option<&Gate>, told: &Told) -> anyhow::Result<Ended> {
    let Prepared { directory, config, scope, taken, typed } = prepared;
    allocator::keep_little(config.memory);
    let (sender, control) = node::channel();
    let promise = wiring::promise(&config);
    let node_config = wiring::node_config(&config, scope)?;
    let goes_by = overruled::goes_by(&node_config.crawl);
    let reception =
        Reception::open(directory.path(), directory.disk(), sender.clone(), promise, goes_by, gate)?;
    let witnessed = Witnessed::default().by(reception.witness()).by(told.diary.clone());
    let node_config = NodeConfig { witnessed, ..node_config };
    overruled::insist(typed, &node_config.crawl, &sender);
    let chunks = Chunks::open(&directory.disk())?;
    let fault = chunks.fault();
    signals::listen(sender)?;
    let mut progress = Progress::new(output, directory.path(), told.notices.clone());
    lookback::note(&directory, &config, &mut |step| progress.work(step))?;
    scratch::clear(&*directory.disk())?;
    absent::note_absent(&*directory.disk(), directory.path(), &told.diary)?;
    let mut course = Course::new(told.diary.clone());
    let mut teller = Teller::new(directory.path());
    let ended =
        node::run(&node_config, directory.disk(), Box::new(chunks), &control, &mut |sight| match sight {
            Sight::Working(step) => progress.work(step),
            Sight::Crawling(snapshot) => {
                course.look(snapshot);
                progress.show(snapshot);
                teller.tell(snapshot);
                reception.show(snapshot);
            }
            Sight::Commanded(snapshot) => {
                teller.tell_now(snapshot);
                reception.show(snapshot);
            }
        });
    drop(reception);
    progress.clear();
    let ended = ended.with_context(|| format!("the crawl in {} stopped", directory.path().display()))?;
    if let Some(fault) = fault.take() {
        return Err(
            anyhow::Error::new(fault).context("the seeds could not be read to their end; run it again")
        );
    }
    teller.end(&ended.snapshot, Exit::from(ended.exit));
    summary::print(&taken, directory.path(), &ended, output);
    Ok(ended)
}

/// The configuration of a crawl that exists, read beside whoever is crawling there.
pub(crate) fn configuration_of(dir: &Path) -> anyhow::Result<Config> {
    let saved = directory::read_configuration(dir)?;
    directory::require_begun(dir)?;
    Ok(Config::new(&base(Some(&saved)))?)
}

/// What a crawl goes by so far: the defaults, and its own file over them.
pub(crate) fn base(saved: Option<&Settings>) -> Settings {
    Settings::defaults().overlaid(&saved.cloned().unwrap_or_default())
}

/// That, and what was asked for now over it.
fn effective(saved: Option<&Settings>, asked: &Settings) -> Result<Settings, BadUsage> {
    let base = base(saved);
    let mut effective = base.overlaid(asked);
    effective.format = Some(settings::FORMAT);
    keep_copy(base.exclude_hosts.as_deref(), &mut effective.exclude_hosts);
    keep_copy(base.ca_file.as_deref(), &mut effective.ca_file);
    if saved.is_some() && (effective.seed != base.seed || effective.folding != base.folding) {
        return Err(BadUsage(
            "seed and [folding] decide what is the same URL; a crawl that exists keeps its own".into(),
        ));
    }
    if saved.is_some() && asked.earlier.is_some() && effective.earlier != base.earlier {
        return Err(BadUsage(
            "--earlier is said when a crawl begins; if that crawl was moved, say where to in drumlin.toml"
                .into(),
        ));
    }
    if effective.seed.is_none() {
        effective.seed = Some(new_seed()?);
    }
    Ok(effective)
}

/// The same command names the same file again; the crawl has its copy.
fn keep_copy(copy: Option<&Path>, named: &mut Option<PathBuf>) {
    let content = |path: &Path| std::fs::read(path).ok();
    let (Some(ours), Some(theirs)) = (copy, named.as_deref()) else { return };
    if ours != theirs && content(ours).is_some_and(|bytes| Some(bytes) == content(theirs)) {
        *named = Some(ours.to_owned());
    }
}

fn new_seed() -> Result<String, BadUsage> {
    let seed =
        getrandom::u64().map_err(|error| BadUsage(format!("the system has no randomness: {error}")))?;
    Ok(format!("{seed:016x}"))
}

/// A file that `--config` names; paths in it are whole.
pub(crate) fn read_config(path: &Path) -> anyhow::Result<Settings> {
    let settings = settings::read(&path.display().to_string(), &read_text(path)?)?;
    settings.require_text(base_of(path))?;
    Ok(settings.rooted_at(base_of(path)))
}

/// The text of such a file.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| bad_usage(format!("cannot read {}: {error}", path.display())))
}

/// What paths in it are relative to.
pub(crate) fn base_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn open_seeds(args: &CrawlArgs) -> Result<Seeds, BadUsage> {
    let mut sources = vec![Source::typed(&args.urls)];
    if let Some(name) = &args.seeds {
        sources.push(Source::open(name)?);
    }
    Ok(Seeds::of(sources))
}

/// `./crawl-<host>`, of the first seed.
fn default_path(seeds: &mut Peekable<Seeds>) -> anyhow::Result<PathBuf> {
    match seeds.peek() {
        Some(Ok(url)) => {
            Ok(PathBuf::from(format!("crawl-{}", url.host_port().replace([':', '[', ']'], "_"))))
        }
        Some(Err(_)) => Err(seeds.next().and_then(Result::err).context("a seed")?.into()),
        None => {
            Err(bad_usage("nothing to crawl: name a URL, a list with --seeds FILE, or a crawl with --dir"))
        }
    }
}

/// Where the crawl may go, but for what its seeds add.
pub(crate) fn scope_rules(config: &Config) -> anyhow::Result<ScopeRules> {
    let rules = ScopeRules::new(config.scope).include(config.include.clone()).exclude(config.exclude.clone());
    match &config.excluded_hosts {
        Some(path) => Ok(rules.exclude_hosts(seeds::read_hosts(path)?)),
        None => Ok(rules),
    }
}

/// Whoever visits many owners' servers says who it is.
fn require_contact(config: &Config, taken: &Taken) -> Result<(), BadUsage> {
    let reason = match config.scope {
        Scope::Any => "scope any leads to other people's sites",
        _ if taken.several_sites => "the seeds lie in more than one registrable domain",
        _ => return Ok(()),
    };
    match config.identity.contact {
        Some(_) => Ok(()),
        None => Err(BadUsage(format!(
            "{reason}: say once whom their owners can write to, with --contact URL|EMAIL"
        ))),
    }
}

/// A crawl's own file that was cut at the end of a line can be read as any other. One that somebody has laid there to begin with may say as
/// little as it likes.
fn tell_of_gaps(directory: &Directory) {
    let Some(saved) = directory.saved().filter(|_| directory::has_begun(directory.path())) else { return };
    let left = saved.left_to_defaults();
    if !left.is_empty() {
        tell(format_args!(
            "{} lacks keys that drumlin writes there, as if it had been cut; what else it said counts no more: {}",
            directory.path().join(directory::CONFIG).display(),
            left.join("; ")
        ));
    }
}

/// What is worth a line before a crawl begins.
fn tell_beforehand(saved: Option<&Settings>, effective: &Settings, config: &Config) {
    let changes = saved.map(|_| base(saved).changes_to(effective)).unwrap_or_default();
    for change in &changes {
        tell(format_args!("changed for this crawl: {change}"));
    }
    let is_of_scope =
        |change: &String| ["scope", "include", "exclude"].iter().any(|key| change.starts_with(key));
    if config.retention == Retention::Expire && changes.iter().any(is_of_scope) {
        tell(
            "links that were out of scope in captures which --archive expire has removed are not found again",
        );
    }
    let hasty = config.delay_ms < wiring::HOST_FLOOR_MS || config.ip_delay_ms < wiring::SERVER_FLOOR_MS;
    if hasty && config.addresses == AddressPolicy::public() {
        tell("on the public internet the floors hold: 0.5 s a host, 0.1 s a server");
    }
    let asked = effective.concurrency.map_or(0, |asked| asked as usize);
    if config.concurrency < asked {
        let affordable = config.concurrency;
        tell(format_args!(
            "concurrency {affordable} instead of {asked}: --memory allows {REQUEST_BYTES} bytes a request"
        ));
    }
}
