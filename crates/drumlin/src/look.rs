//! `drumlin ui`: a crawl in a browser, running or not.

use crate::crawl::prepare;
use crate::desk::{Asked, CrawlDesk, Seen};
use crate::directory::{Directory, SOCKET};
use crate::exit::bad_usage;
use crate::listening::entrance;
use crate::seeds::Seeds;
use crate::settings::Settings;
use crate::wiring;
use crate::work::{Format, Work};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use ui::{Entrance, Server};

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

/// Serves until it is interrupted.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = Directory::look_into(&args.dir)?;
    let still = directory.map(Still::read).transpose()?;
    let entrance = entrance(&args.listen, args.allow_remote)?;
    let _server = match &still {
        Some(still) => ui::serve(still.desk.clone(), vec![entrance])?,
        None => through(&args.dir, entrance)?,
    };
    eprintln!("drumlin: {}; Ctrl-C ends the showing", if still.is_some() { STILL } else { RUNNING });
    wait_for_interrupt()?;
    Ok(ExitCode::SUCCESS)
}

const STILL: &str = "the crawl is not running and is shown as it was left; nobody can crawl there meanwhile";
const RUNNING: &str = "the crawl is running and goes on";

/// A crawl that does not run, as it was left.
struct Still {
    desk: Arc<CrawlDesk>,
    /// What is looked at must not change meanwhile: this holds its lock.
    _directory: Directory,
}

impl Still {
    fn read(directory: Directory) -> anyhow::Result<Self> {
        let prepared = prepare(directory, &Settings::default(), Seeds::of(Vec::new()))?;
        let promise = wiring::promise(&prepared.config);
        let node = wiring::node_config(&prepared.config, prepared.scope)?;
        let path = prepared.directory.path().to_owned();
        let mut work = Work::new(Format::Text);
        let crawler = node::revive(&node, &prepared.directory.disk(), &mut |step| work.step(step))
            .with_context(|| format!("the crawl in {} can't be read", path.display()))?;
        let snapshot = crawler.survey(crawler.latest());
        let asked = Asked::Still(Mutex::new(Box::new(crawler)));
        let desk = Arc::new(CrawlDesk::new(path, asked, Arc::new(Seen::default()), promise));
        desk.show(snapshot);
        Ok(Self { desk, _directory: prepared.directory })
    }
}

/// A crawl that runs serves its socket; this process only carries it to a browser.
fn through(dir: &Path, entrance: Entrance) -> anyhow::Result<Server> {
    let socket = dir.join(SOCKET);
    std::os::unix::net::UnixStream::connect(&socket).map_err(|error| {
        bad_usage(format!(
            "the crawl in {} runs, but does not listen at {}: {error}",
            dir.display(),
            socket.display()
        ))
    })?;
    Ok(ui::serve_through(socket, vec![entrance])?)
}

fn wait_for_interrupt() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    Ok(runtime.block_on(tokio::signal::ctrl_c())?)
}
