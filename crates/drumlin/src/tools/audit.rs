//! `drumlin audit`: the crawl's contacts as a ledger, and whether its promises to servers were kept.

mod lines;
mod outputs;
mod show;

use crate::crawl::configuration_of;
use crate::directory::open_to_read;
use crate::exit::{Exit, bad_usage};
use crate::export::Sight;
use crate::settings::Span;
use crate::tools::print;
use crate::wiring;
use crate::work::{Format, Work};
use archive::ReplayEntry;
use crawler::Promise;
use disk::{Disk, Observed, SharedDisk};
use ledger::{Attention, Audit, AuditError, Comparison, Judge, Line, Pass, ServerLog};
use lines::Lines;
use outputs::Outputs;
use std::cell::RefCell;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use stdx::Step;
use weburl::Url;

#[cfg(test)]
mod tests;

/// Which crawl, and which log.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit codes:
  0    no promise was broken, as far as journal and log reach
  1    a file of the crawl cannot be read, so nothing is proven
  2    there is no journal, or no contact of it in the log, so nothing can be proven; or other bad usage
  6    at least one was; the answer says which and where")]
pub(crate) struct Args {
    /// The directory of a crawl; it may be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// What a server saw: a log of nginx in combined format (with the virtual host before it, or --log-host), or simweb's
    #[arg(long, value_name = "FILE")]
    server_log: Option<PathBuf>,
    /// Whose log it is, where its lines do not say
    #[arg(long, value_name = "HOST", requires = "server_log")]
    log_host: Option<String>,
    /// How far the server's clock may run apart from ours while the log is written
    #[arg(long, value_name = "DUR", default_value = "1s", requires = "server_log")]
    clock_tolerance: Span,
    /// Every contact, with the delay that applied to it, and no judgement
    #[arg(long, conflicts_with = "server_log")]
    contacts: bool,
    /// One JSON object, or with --contacts one a line
    #[arg(long)]
    json: bool,
}

/// What was found out.
pub(crate) struct Verdict {
    pub(crate) audit: Audit,
    pub(crate) comparison: Option<Comparison>,
    outputs: Outputs,
}

impl Verdict {
    /// Promises that were broken.
    pub(crate) fn broken(&self) -> u64 {
        let by_log = self.comparison.as_ref().map_or(0, |comparison| comparison.findings.total());
        self.audit.findings.total() + by_log + self.outputs.findings.total()
    }
}

/// Judges, and says what was found.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let disk = open_to_read(&args.dir)?;
    let assumed = wiring::promise(&configuration_of(&args.dir)?);
    require_journal(&args.dir, &*disk)?;
    if args.contacts {
        return list(args, &disk, assumed);
    }
    let format = Format::of(args.json);
    let work = RefCell::new(Work::new(format));
    let audit = ledger::audit(|pass| Watched::pass(&disk, &work, pass), Some(&assumed));
    let audit = audit.map_err(|error| judged_by_nothing(&args.dir, error))?;
    let comparison = match &args.server_log {
        Some(path) => Some(compare(args, path, &|| Watched::journal(&disk, &work, "comparing"), &assumed)?),
        None => None,
    };
    drop(work);
    let verdict = Verdict { audit, comparison, outputs: outputs(&disk, format)? };
    print(&if args.json { show::json(&verdict) } else { show::text(&verdict) })?;
    if verdict.broken() > 0 {
        return Ok(Exit::BrokenPromise.into());
    }
    match &args.server_log {
        Some(path) if verdict.comparison.is_some_and(|comparison| comparison.proves_nothing()) => {
            Err(bad_usage(format!(
                "{}: nothing can be proven by it: it has no contact of this crawl",
                path.display()
            )))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Whether the crawl's files hold what was purged from them.
pub(crate) fn finds_what_was_purged(disk: &SharedDisk) -> anyhow::Result<bool> {
    Ok(Outputs::of(disk)?.findings.total() > 0)
}

/// Where there is a checkpoint, too, which would have it that a segment is missing.
fn require_journal(dir: &Path, disk: &dyn Disk) -> anyhow::Result<()> {
    if archive::has_journal(disk)? { Ok(()) } else { Err(judged_by_nothing(dir, AuditError::NoJournal)) }
}

/// Without a journal there is no answer; that is no kept promise.
fn judged_by_nothing(dir: &Path, error: AuditError) -> anyhow::Error {
    match error {
        AuditError::NoJournal => bad_usage(format!("{}: {error}", dir.display())),
        error => error.into(),
    }
}

fn outputs(disk: &SharedDisk, format: Format) -> anyhow::Result<Outputs> {
    let sight = Arc::new(Sight::new(&**disk, format)?);
    let outputs = Outputs::of(&(Arc::new(Observed::new(Arc::clone(disk), sight.clone())) as SharedDisk));
    sight.clear();
    outputs
}

fn journal(disk: &SharedDisk) -> Result<archive::Replay, archive::Error> {
    archive::ledger(Arc::clone(disk))
}

/// The journal while somebody watches how far it has been read.
struct Watched<'a> {
    entries: archive::Replay,
    /// Read before.
    before: u64,
    /// Of all that is to be read.
    of: u64,
    stage: &'static str,
    work: &'a RefCell<Work>,
}

impl<'a> Watched<'a> {
    fn journal(
        disk: &SharedDisk,
        work: &'a RefCell<Work>,
        stage: &'static str,
    ) -> Result<Self, archive::Error> {
        let of = archive::ledger_bytes(disk.as_ref())?;
        Ok(Self { entries: journal(disk)?, before: 0, of, stage, work })
    }

    /// One of several readings.
    fn pass(disk: &SharedDisk, work: &'a RefCell<Work>, pass: Pass) -> Result<Self, archive::Error> {
        let stage = if pass.of == 1 { "reading the journal" } else { "reading the journal, share by share" };
        let once = Self::journal(disk, work, stage)?;
        Ok(Self { before: pass.index * once.of, of: pass.of * once.of, ..once })
    }
}

impl Iterator for Watched<'_> {
    type Item = Result<ReplayEntry, archive::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let done = self.before + self.entries.bytes_read();
        self.work.borrow_mut().step(Step::bytes(self.stage, done, self.of));
        self.entries.next()
    }
}

fn compare<'a>(
    args: &Args,
    path: &Path,
    journal: &dyn Fn() -> Result<Watched<'a>, archive::Error>,
    assumed: &Promise,
) -> anyhow::Result<Comparison> {
    let name = path.display();
    let host = args.log_host.as_deref().map(host_of).transpose()?;
    let log =
        ServerLog { host: host.as_deref(), tolerance_ms: args.clock_tolerance.0, agent: &assumed.agent };
    let compared = ledger::compare(&log, journal, || Lines::open(path), Some(assumed));
    let compared = compared.map_err(|error| match error {
        AuditError::Log(error) => bad_usage(format!("cannot read {name}: {error}")),
        error => error.into(),
    })?;
    if compared.lines > 0 && compared.unreadable == compared.lines {
        return Err(bad_usage(format!("{name} is no log in combined format, nor one of simweb's")));
    }
    if compared.matched == 0 && compared.nameless > 0 {
        return Err(bad_usage(format!("{name} does not name its host: say whose log it is with --log-host")));
    }
    Ok(compared)
}

/// As the ledger has it: a host, whatever its port.
fn host_of(given: &str) -> anyhow::Result<String> {
    let front = Url::parse(&format!("http://{given}/"));
    front.map(|url| url.host().to_owned()).map_err(|_| bad_usage(format!("`{given}` is no name of a host")))
}

/// The ledger as it is, line by line.
fn list(args: &Args, disk: &SharedDisk, assumed: Promise) -> anyhow::Result<ExitCode> {
    let mut judge = Judge::new(Attention::Delays, Some(assumed));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut entries = journal(disk)?.peekable();
    if entries.peek().is_none() {
        return Err(judged_by_nothing(&args.dir, AuditError::NoJournal));
    }
    for entry in entries {
        let entry = entry?;
        let Some(line) = ledger::read(&entry)? else { continue };
        let Line::Contact(contact) = &line else {
            judge.take(line);
            continue;
        };
        let contact = contact.clone();
        let Some(applied) = judge.take(line) else { continue };
        let shown = if args.json {
            show::contact_as_json(&contact, applied)
        } else {
            show::contact(&contact, applied)
        };
        match out.write_all(shown.as_bytes()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            written => written?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
