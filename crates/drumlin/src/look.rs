//! `drumlin ui`: a crawl in a browser, running or not.

use crate::ctl::Client;
use crate::desk::{Asked, CrawlDesk, Seen};
use crate::directory::{Directory, SOCKET};
use crate::exit::bad_usage;
use crate::listening::{Gate, SocketPath};
use crate::terminal::tell;
use crate::work::{Format, Work};
use crate::{crawl, overruled, wiring};
use anyhow::Context;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;
use ui::Server;

#[cfg(test)]
mod tests;

/// Which crawl, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The directory of a crawl; it may be running
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Where to listen [default: 127.0.0.1:8378, or any free port]
    #[arg(long, value_name = "ADDR", default_value = "", hide_default_value = true)]
    listen: String,
    /// Listen on an address that other machines can reach; then the token is needed to look, too
    #[arg(long = "ui-allow-remote")]
    allow_remote: bool,
}

/// Serves until it is interrupted: a crawl that runs by its socket, one that does not as it was left. Whoever begins to crawl there
/// meanwhile is not kept from it, and is shown from then on.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut shown = Shown::find(&args.dir)?;
    let gate = Gate::open(&args.listen, args.allow_remote)?;
    gate.announce();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    loop {
        let server = shown.serve(&gate)?;
        tell(format_args!("{}; Ctrl-C ends the showing", shown.words()));
        if runtime.block_on(next(&args.dir, &shown))? == Next::End {
            return Ok(ExitCode::SUCCESS);
        }
        drop(server);
        shown = Shown::find(&args.dir)?;
    }
}

/// How often it is looked whether somebody has begun to crawl, or has ended.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// What is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Somebody has begun to crawl, or has ended.
    Changes,
    /// Nothing: whoever looked has had enough.
    End,
}

async fn next(dir: &Path, shown: &Shown) -> anyhow::Result<Next> {
    let change = async {
        while listens(dir) == shown.is_running() {
            sleep(LOOK_EVERY).await;
        }
    };
    tokio::select! {
        interrupt = tokio::signal::ctrl_c() => Ok(interrupt.map(|()| Next::End)?),
        () = change => Ok(Next::Changes),
    }
}

/// A crawl, as it is shown.
enum Shown {
    /// It does not run: as it was left. Nobody is kept from going on with it, so what lies on disk may have gone by the time
    /// that somebody asks.
    Still(Arc<CrawlDesk>),
    /// It runs, and serves this socket.
    Running(SocketPath),
}

impl Shown {
    fn find(dir: &Path) -> anyhow::Result<Self> {
        let mut waited = Duration::ZERO;
        loop {
            if let Some(directory) = Directory::look_into(dir)? {
                return Ok(Self::Still(read(directory)?));
            }
            if Client::connect(dir)?.is_some() {
                return Ok(Self::Running(SocketPath::of(dir)?));
            }
            if waited >= PATIENCE {
                return Err(deaf(dir));
            }
            wait();
            waited += LOOK_EVERY;
        }
    }

    fn is_running(&self) -> bool {
        matches!(self, Self::Running(_))
    }

    fn words(&self) -> &'static str {
        match self {
            Self::Still(_) => "the crawl is not running and is shown as it was left",
            Self::Running(_) => "the crawl is running and goes on",
        }
    }

    fn serve(&self, gate: &Gate) -> io::Result<Server> {
        let entrances = vec![gate.entrance()?];
        match self {
            Self::Still(desk) => ui::serve(desk.clone(), entrances),
            Self::Running(socket) => ui::serve_through(socket.as_path().to_owned(), entrances),
        }
    }
}

/// Reads a crawl that does not run, which nobody begins to change meanwhile.
pub(crate) fn read(directory: Directory) -> anyhow::Result<Arc<CrawlDesk>> {
    let prepared = crawl::at_rest(directory)?;
    let promise = wiring::promise(&prepared.config);
    let node = wiring::node_config(&prepared.config, prepared.scope)?;
    let path = prepared.directory.path().to_owned();
    let mut work = Work::new(Format::Text);
    let crawler = node::revive(&node, &prepared.directory.disk(), &mut |step| work.step(step))
        .with_context(|| format!("the crawl in {} can't be read", path.display()))?;
    let snapshot = crawler.survey(crawler.latest());
    let asked = Asked::Still(Mutex::new(Box::new(crawler)));
    let (disk, told) = (prepared.directory.disk(), overruled::goes_by(&node.crawl));
    let desk = Arc::new(CrawlDesk::new(path, disk, asked, Arc::new(Seen::default()), promise, told));
    desk.show(snapshot);
    Ok(desk)
}

/// How long a crawl that begins or ends may take to listen or to be gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether a crawl that runs listens there. Its lock is not touched, so that nobody who is about to begin finds it taken.
pub(crate) fn listens(dir: &Path) -> bool {
    SocketPath::of(dir).and_then(|socket| socket.connect()).is_ok()
}

fn deaf(dir: &Path) -> anyhow::Error {
    let (dir, socket) = (dir.display(), dir.join(SOCKET));
    bad_usage(format!(
        "another command is at work in {dir}, or a crawl that does not listen at {}",
        socket.display()
    ))
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, and nothing else is to be done meanwhile"
)]
pub(crate) fn wait() {
    std::thread::sleep(LOOK_EVERY);
}
