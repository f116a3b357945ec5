//! `drumlin status`: where a crawl stands, and what it would have to have more of to go faster.

mod show;
mod told;

pub(crate) use show::state_of;
pub(crate) use told::Teller;

use crate::absent::Absent;
use crate::diary;
use crate::directory::{Directory, open_to_read};
use crate::exit::{Exit, bad_usage};
use crate::look;
use crate::terminal::tell;
use crate::tools::print;
use crate::work::{Format, Work};
use crate::{crawl, wiring};
use anyhow::Context;
use crawler::SuspectTemplate;
use disk::Disk;
use snapshot::{Bottleneck, Snapshot, WaitingHost};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use told::Told;

/// Which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl; it may be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// What is known of a crawl.
pub(crate) struct Standing {
    pub(crate) state: State,
    pub(crate) snapshot: Snapshot,
    /// Hosts that wait, soonest first; of a crawl that runs, only how many wait is known.
    pub(crate) waiting: Vec<WaitingHost>,
    /// By how much this machine's clock is behind the crawl's timeline, by which moments are told, where it was ahead once.
    pub(crate) clock_behind_ms: Option<u64>,
    /// Patterns of URLs that traps hold back; a crawl that runs is asked for them.
    pub(crate) suspects: Vec<SuspectTemplate>,
}

/// Whether it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// It does, and said this so long ago.
    Running {
        /// Milliseconds.
        told_ago_ms: u64,
    },
    /// It does not, and ended like this.
    Ended {
        /// The word of its exit.
        exit: String,
    },
    /// It does not, and nobody knows why.
    Stopped,
}

impl Standing {
    /// Of which no more is known.
    fn new(state: State, snapshot: Snapshot) -> Self {
        let clock_behind_ms = diary::clock_behind_ms(snapshot.now_ms, diary::now());
        Self { state, snapshot, waiting: Vec::new(), clock_behind_ms, suspects: Vec::new() }
    }

    /// What holds it back. A crawl that ended for lack of disk space would go on if there were some, one that used up its bytes
    /// or its time if it were given more.
    pub(crate) fn bottleneck(&self) -> Bottleneck {
        let disk_low = self.snapshot.disk_low || self.ended_as(Exit::DiskFull);
        match Bottleneck::of(&Snapshot { disk_low, ..self.snapshot.clone() }) {
            limit @ Bottleneck::Limit { .. } => limit,
            _ if self.ended_as(Exit::LimitReached) => Bottleneck::Spent,
            Bottleneck::Begins if self.ended_as(Exit::Done) => Bottleneck::NothingLeft,
            other => other,
        }
    }

    fn ended_as(&self, end: Exit) -> bool {
        matches!(&self.state, State::Ended { exit } if exit == end.name())
    }
}

/// Looks and says what is there.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let standing = standing(&args.dir)?;
    let disk = open_to_read(&args.dir)?;
    let taken = node::taken_down(&disk)?;
    let absent = Absent::of(&*disk)?;
    print(&if args.json {
        show::json(&standing, &taken, &absent)
    } else {
        show::text(&standing, &taken, &absent)
    })
}

/// Says where what is archived may not be in the corpus yet: whoever makes something of it would take it for all there is.
pub(crate) fn tell_of_missing_rows(dir: &Path, disk: &dyn Disk) -> anyhow::Result<()> {
    if let Some(missing) = told::missing_rows(dir, disk)? {
        tell(format_args!("{missing}; `drumlin resume {}` first", dir.display()));
    }
    Ok(())
}

/// The same of the index: it is made when a run ends, and what is there until then is that of a run before. Gives whether it was said.
pub(crate) fn tell_of_missing_lines(dir: &Path) -> anyhow::Result<bool> {
    let missing = told::missing_lines(dir)?;
    if let Some(missing) = missing {
        tell(format_args!("{missing}; `drumlin resume {}` first", dir.display()));
    }
    Ok(missing.is_some())
}

/// A crawl that runs says something of itself more often than this.
const FRESH_MS: u64 = 20_000;

/// What is known of the crawl in a directory, running or not.
pub(crate) fn standing(dir: &Path) -> anyhow::Result<Standing> {
    let mut looks = 0;
    loop {
        let told = told::read(dir)?;
        if let Some(directory) = Directory::look_into(dir)? {
            return at_rest(directory, told);
        }
        match running(dir, told) {
            Err(_) if looks < LOOKS => look::wait(),
            known => return known,
        }
        looks += 1;
    }
}

/// Times that it is waited for a moment: so long takes an order that is given to a crawl at rest, or a crawl to say its first word.
const LOOKS: u32 = 8;

/// What the last run said at its end is no news of this one. Where nobody has said anything of late and nobody listens, it is no crawl
/// that has the directory.
fn running(dir: &Path, told: Option<Told>) -> anyhow::Result<Standing> {
    let is_fresh = told.as_ref().is_some_and(|told| told.exit.is_none() && told.ago_ms() < FRESH_MS);
    if !is_fresh && !look::listens(dir) {
        return Err(bad_usage(format!(
            "another command is at work in {}, or a crawl that is just beginning or ending there",
            dir.display()
        )));
    }
    let told = told.filter(|told| told.exit.is_none());
    let told = told.with_context(|| {
        format!("the crawl in {} has just been started and says nothing yet", dir.display())
    })?;
    let state = State::Running { told_ago_ms: told.ago_ms() };
    Ok(Standing::new(state, told.snapshot))
}

fn at_rest(directory: Directory, told: Option<Told>) -> anyhow::Result<Standing> {
    let prepared = crawl::at_rest(directory)?;
    let node = wiring::node_config(&prepared.config, prepared.scope)?;
    let mut work = Work::new(Format::Text);
    let survey = node::survey(&node, &prepared.directory.disk(), &mut |step| work.step(step))
        .with_context(|| format!("the crawl in {} can't be read", prepared.directory.path().display()))?;
    let node::Survey { mut snapshot, waiting, suspects } = survey;
    // Only the run itself counts them.
    snapshot.resources.handed_back = told.as_ref().map_or(0, |told| told.snapshot.resources.handed_back);
    let state = told.and_then(|told| told.exit).map_or(State::Stopped, |exit| State::Ended { exit });
    Ok(Standing { waiting, suspects, ..Standing::new(state, snapshot) })
}
