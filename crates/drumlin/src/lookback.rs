//! The earlier crawl that a crawl looks back on (`--earlier`).

use crate::config::Config;
use crate::directory::{Directory, is_crawl, read_saved};
use crate::exit::bad_usage;
use crate::settings::Settings;
use anyhow::Context;
use archive::EARLIER_DIR;
use archive::limits::{EARLIER_CRAWLS, INDEX_BYTES};
use disk::{Beside, OsDisk, SharedDisk};
use std::path::Path;
use std::sync::Arc;
use stdx::Watch;

/// Makes the path that was asked for whole, and asks that a crawl is there, another than the one in `dir`.
pub(crate) fn settle_path(settings: &mut Settings, dir: &Path) -> anyhow::Result<()> {
    let Some(earlier) = &mut settings.earlier else { return Ok(()) };
    *earlier = std::path::absolute(&*earlier)?;
    require_crawl(earlier)?;
    let place = |path: &Path| path.canonicalize().ok();
    if place(dir).is_some_and(|dir| Some(dir) == place(earlier)) {
        return Err(bad_usage(
            "--earlier: a crawl cannot look back on itself; name another directory with -o",
        ));
    }
    Ok(())
}

/// Asks that the crawl is there that settings name as the earlier one.
pub(crate) fn require_crawl(earlier: &Path) -> anyhow::Result<()> {
    if is_crawl(earlier)? {
        return Ok(());
    }
    Err(bad_usage(format!("--earlier: there is no crawl in {}", earlier.display())))
}

/// A crawl's disk, with the crawl beneath it that its configuration names, and beneath that the one before; all of them are only read. What is
/// gone, or cannot be looked at, is not there.
pub(crate) fn looking_back(disk: SharedDisk, saved: Option<&Settings>) -> anyhow::Result<SharedDisk> {
    beside(disk, saved, EARLIER_CRAWLS)
}

fn beside(disk: SharedDisk, saved: Option<&Settings>, crawls: usize) -> anyhow::Result<SharedDisk> {
    let path =
        saved.and_then(|settings| settings.earlier.as_deref()).filter(|path| is_crawl(path) == Ok(true));
    let (Some(path), Some(further)) = (path, crawls.checked_sub(1)) else { return Ok(disk) };
    let os = OsDisk::new(path.to_owned())?;
    let its_own = read_saved(&os, path)?;
    let earlier = beside(Arc::new(os), its_own.as_ref(), further)?;
    Ok(Arc::new(Beside::new(disk, EARLIER_DIR, earlier)))
}

/// Asks that the earlier crawl is there, and those behind it: what is only away for a while is not to count as gone.
pub(crate) fn require(dir: &Path, earlier: Option<&Path>) -> anyhow::Result<()> {
    let (mut of, mut earlier) = (dir.to_owned(), earlier.map(Path::to_owned));
    for _ in 0..EARLIER_CRAWLS {
        let Some(path) = earlier else { break };
        if !is_crawl(&path)? {
            return Err(bad_usage(format!(
                "the earlier crawl in {} is gone, on which the one in {of} looks back; bring it back, or say in {of}/drumlin.toml where it is, or take \
                 `earlier` out of it to ask for everything as it is",
                path.display(),
                of = of.display()
            )));
        }
        earlier = read_saved(&OsDisk::new(path.clone())?, &path)?.and_then(|settings| settings.earlier);
        of = path;
    }
    Ok(())
}

/// Sees to it that the crawl in `directory` knows what the earlier one has.
pub(crate) fn note(directory: &Directory, config: &Config, watch: &mut Watch<'_>) -> anyhow::Result<()> {
    let Some(path) = &config.earlier else { return Ok(()) };
    require(directory.path(), Some(path))?;
    if node::is_noted(&directory.disk())? {
        return Ok(());
    }
    let name = path.display();
    let earlier = Directory::look_into(path)?.ok_or_else(|| {
        bad_usage(format!("the earlier crawl in {name} is running; it has to rest while this one begins"))
    })?;
    node::note(&directory.disk(), &earlier.disk(), INDEX_BYTES, watch)
        .with_context(|| format!("the earlier crawl in {name} can't be read"))
}
