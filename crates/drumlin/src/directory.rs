//! A crawl's directory: `drumlin.toml`, `crawl.log`, `archive/`, `corpus/`, `state/`.

use crate::exit::{BadUsage, bad_usage};
use crate::settings::{self, Settings};
use crate::{config, look, lookback};
use anyhow::Context;
use crawler::RecoveryError;
use disk::{Lock, OsDisk, Overlay, SharedDisk, read_all, replace_file};
use node::NodeError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod private;
#[cfg(test)]
mod tests;

/// The effective configuration; a directory with one is a crawl.
pub(crate) const CONFIG: &str = "drumlin.toml";
/// What becomes it when it is written anew.
const CONFIG_TEMP: &str = "drumlin.toml.tmp";
/// What it was called at first; carried over by whoever goes on with the crawl.
const FORMER_CONFIG: &str = "crawl.toml";
/// The seeds, normalised, one a line.
pub(crate) const SEEDS: &str = "state/seeds.txt";
/// Our copy of the file that `--exclude-hosts` named.
pub(crate) const EXCLUDED_HOSTS: &str = "state/exclude-hosts.txt";
/// Our copy of the file that `--ca-file` named.
pub(crate) const CA_FILE: &str = "state/ca.pem";
/// What these two gave where they were no regular files, until it is copied.
const GIVEN_HOSTS: &str = "state/exclude-hosts.txt.given";
const GIVEN_CA: &str = "state/ca.pem.given";
/// Where `drumlin demo` served its web.
pub(crate) const DEMO_PORTS: &str = "state/demo-ports";
/// One line an attempt.
pub(crate) const LOG: &str = "crawl.log";
/// What the crawl last said of itself.
pub(crate) const STATUS: &str = "state/status.json";
/// Where a crawl that runs listens to its owner.
pub(crate) const SOCKET: &str = "state/control.sock";
const STATE: &str = "state";
const ARCHIVE: &str = "archive";
const LOCK: &str = "crawl.lock";

/// What an attempt to begin a crawl may have left behind; a directory with nothing else is as good as empty.
const LEFTOVERS: [&str; 3] = [LOCK, STATE, CONFIG_TEMP];
const LEFTOVERS_IN_STATE: [&str; 10] = [
    "seeds.txt.new",
    "seeds.txt",
    "exclude-hosts.txt",
    "exclude-hosts.txt.given",
    "exclude-hosts.txt.tmp",
    "ca.pem",
    "ca.pem.given",
    "ca.pem.tmp",
    "demo-ports",
    "demo-ports.tmp",
];

/// A directory that is this process's alone, or that it looks into while nobody crawls there. Until [`Directory::settle`] it is put back as it was when dropped.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    os: OsDisk,
    disk: DiskHandle,
    saved: Option<Settings>,
    /// Made here, innermost last; removed again if nothing comes of it.
    made: Vec<PathBuf>,
    /// Whether this begins a crawl that nothing has come of yet: then its seeds go again, too.
    begins: bool,
    #[expect(dead_code, reason = "held, not used")]
    lock: Option<Lock>,
}

struct DiskHandle(SharedDisk);

impl std::fmt::Debug for DiskHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiskHandle")
    }
}

impl Directory {
    /// Takes a directory for a crawl, new or going on; `wrap` stands between the crawl and the disk.
    pub(crate) fn claim(path: &Path, wrap: impl FnOnce(SharedDisk) -> SharedDisk) -> anyhow::Result<Self> {
        refuse_foreign(path)?;
        let made = missing_ancestors(path);
        let os = OsDisk::new(path.to_owned()).map_err(unusable)?;
        let lock = Some(take_lock(&os, path)?);
        let saved = read_saved(&os, path)?;
        require_state(path)?;
        let begins = saved.is_none() || !has_begun(path);
        let disk = DiskHandle(lookback::looking_back(wrap(Arc::new(os.clone())), saved.as_ref())?);
        let mut directory = Self { path: path.to_owned(), os, disk, saved, made, begins, lock };
        directory.forget(&[GIVEN_HOSTS, GIVEN_CA]);
        if directory.saved.is_none() {
            directory.forget(&[SEEDS]);
        }
        if begins {
            directory.make_state()?;
        }
        Ok(directory)
    }

    /// The same for a crawl that must be there.
    pub(crate) fn claim_existing(
        path: &Path,
        wrap: impl FnOnce(SharedDisk) -> SharedDisk,
    ) -> anyhow::Result<Self> {
        require_crawl(path)?;
        Self::claim(path, wrap)
    }

    /// A crawl that must be there and is not running, to look at: nobody begins to crawl there meanwhile, others may look
    /// too, and whatever is written stays in memory. `None` if somebody is crawling there.
    pub(crate) fn look_into(path: &Path) -> anyhow::Result<Option<Self>> {
        require_crawl(path)?;
        require_state(path)?;
        require_begun(path)?;
        let os = OsDisk::new(path.to_owned()).map_err(unusable)?;
        let lock = match os.lock_shared(LOCK) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(unusable(error)),
        };
        let saved = read_saved(&os, path)?;
        let overlay = Arc::new(Overlay::new(Arc::new(os.clone())));
        let disk = DiskHandle(lookback::looking_back(overlay, saved.as_ref())?);
        Ok(Some(Self { path: path.to_owned(), os, disk, saved, made: Vec::new(), begins: false, lock }))
    }

    /// Where it is, as the user named it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes.
    pub(crate) fn disk(&self) -> SharedDisk {
        Arc::clone(&self.disk.0)
    }

    /// The configuration of the crawl that is there, if one is; paths in it are whole.
    pub(crate) fn saved(&self) -> Option<&Settings> {
        self.saved.as_ref()
    }

    /// Files that are named and can be read once only, pipes above all, are read; `settings` name what they gave instead.
    pub(crate) fn take_in(&self, mut settings: Settings) -> anyhow::Result<Settings> {
        self.take_in_file(&mut settings.exclude_hosts, GIVEN_HOSTS)?;
        self.take_in_file(&mut settings.ca_file, GIVEN_CA)?;
        Ok(settings)
    }

    /// Makes `settings` the crawl's own and stays as it is from now on. Files that they name are copied, so that the
    /// directory can be moved; what is given back names the copies.
    pub(crate) fn settle(&mut self, mut settings: Settings) -> anyhow::Result<Settings> {
        self.copy_in(&mut settings.exclude_hosts, EXCLUDED_HOSTS)?;
        self.copy_in(&mut settings.ca_file, CA_FILE)?;
        stay_outside(&mut settings)?;
        if self.saved.is_none() {
            self.disk = DiskHandle(lookback::looking_back(self.disk(), Some(&settings))?);
        }
        let text = format!("{HEADER}{}", settings::explained(&settings));
        let config = Path::new(CONFIG);
        let is_secret = settings.has_password();
        let is_as_it_was =
            self.disk.0.stat(config)?.is_some() && read_all(&self.os, config)? == text.as_bytes();
        if !is_as_it_was || is_secret && private::others_may_read(&self.path.join(CONFIG))? {
            if is_secret {
                private::make(&self.path.join(CONFIG_TEMP))?;
            }
            replace_file(self.disk.0.as_ref(), config, text.as_bytes())?;
        }
        self.forget_former()?;
        self.forget(&[GIVEN_HOSTS, GIVEN_CA]);
        self.made.clear();
        self.begins = false;
        Ok(settings.rooted_at(&self.path))
    }

    /// What an attempt left that was refused, or cut off before it had a configuration: nobody asked this crawl for it.
    fn forget(&self, names: &[&str]) {
        for name in names {
            let _ = fs::remove_file(self.path.join(name));
        }
    }

    fn take_in_file(&self, named: &mut Option<PathBuf>, given: &str) -> anyhow::Result<()> {
        let Some(path) = named else { return Ok(()) };
        if fs::metadata(&*path).map_or(true, |found| found.is_file() || found.is_dir()) {
            return Ok(());
        }
        let bytes = fs::read(&*path)
            .map_err(|error| bad_usage(format!("cannot read {}: {error}", path.display())))?;
        replace_file(self.disk.0.as_ref(), Path::new(given), &bytes)?;
        *named = Some(self.path.join(given));
        Ok(())
    }

    fn copy_in(&self, named: &mut Option<PathBuf>, ours: &str) -> anyhow::Result<()> {
        let Some(path) = named else { return Ok(()) };
        if *path != self.path.join(ours) {
            let bytes = fs::read(&*path).with_context(|| format!("cannot read {}", path.display()))?;
            replace_file(self.disk.0.as_ref(), Path::new(ours), &bytes)?;
        }
        *named = Some(PathBuf::from(ours));
        Ok(())
    }

    /// Its content is in the new file by now; two that differ would leave it open which one holds.
    fn forget_former(&self) -> io::Result<()> {
        let former = Path::new(FORMER_CONFIG);
        match self.disk.0.stat(former)? {
            Some(_) => self.disk.0.remove(former),
            None => Ok(()),
        }
    }

    fn make_state(&mut self) -> io::Result<()> {
        let state = self.path.join(STATE);
        if !state.exists() {
            self.made.push(state);
            self.disk.0.create_dir(Path::new(STATE))?;
        }
        Ok(())
    }
}

/// The configuration of a crawl that is there, whoever is crawling.
pub(crate) fn read_configuration(path: &Path) -> anyhow::Result<Settings> {
    require_crawl(path)?;
    let os = OsDisk::new(path.to_owned()).map_err(unusable)?;
    read_saved(&os, path)?.ok_or_else(|| no_crawl(path))
}

/// A crawl's bytes, to be read beside whoever is crawling there.
pub(crate) fn open_to_read(path: &Path) -> anyhow::Result<SharedDisk> {
    require_crawl(path)?;
    Ok(Arc::new(OsDisk::new(path.to_owned()).map_err(unusable)?))
}

/// What cannot be looked at is not taken for nothing.
pub(crate) fn is_crawl(path: &Path) -> Result<bool, BadUsage> {
    Ok(configuration_in(path)?.is_some())
}

fn require_crawl(path: &Path) -> anyhow::Result<()> {
    if is_crawl(path)? { Ok(()) } else { Err(no_crawl(path)) }
}

/// The name of the configuration that is there.
fn configuration_in(path: &Path) -> Result<Option<&'static str>, BadUsage> {
    for name in [CONFIG, FORMER_CONFIG] {
        let file = path.join(name);
        match fs::metadata(&file) {
            Ok(found) if found.is_file() => return Ok(Some(name)),
            Ok(_) => {}
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => return Err(BadUsage(format!("cannot look at {}: {error}", file.display()))),
        }
    }
    Ok(None)
}

fn no_crawl(path: &Path) -> anyhow::Error {
    let name = path.display();
    if !path.exists() {
        return bad_usage(format!("there is no directory {name}"));
    }
    bad_usage(format!("{name} is not a crawl: it has no {CONFIG}"))
}

/// Nothing came of it: what was made goes, innermost first, and only if nobody put anything there.
impl Drop for Directory {
    fn drop(&mut self) {
        if self.begins {
            self.forget(&[SEEDS]);
        }
        if self.made.is_empty() {
            return;
        }
        self.forget(&[EXCLUDED_HOSTS, GIVEN_HOSTS, CA_FILE, GIVEN_CA, DEMO_PORTS, LOCK]);
        for dir in self.made.iter().rev() {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// A private key is not copied to where others may read the crawl: its path is made whole instead.
fn stay_outside(settings: &mut Settings) -> io::Result<()> {
    settings.earlier = settings.earlier.take().map(std::path::absolute).transpose()?;
    let key = settings.signature.as_mut().and_then(|signature| signature.key.as_mut());
    if let Some(key) = key {
        *key = std::path::absolute(&*key)?;
    }
    Ok(())
}

const HEADER: &str = "\
# The effective configuration of this crawl. `drumlin resume` goes by it; edit it while the crawl is not running.
";

/// Takes the directory from everybody; who only looks is done in a moment, and waited for.
fn take_lock(os: &OsDisk, path: &Path) -> anyhow::Result<Lock> {
    for _ in 0..LOOKS {
        match os.lock(LOCK) {
            Ok(lock) => return Ok(lock),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(unusable(error)),
            Err(_) if !may_be_looked_into(os) => return Err(in_use(path)),
            Err(_) => look::wait(),
        }
    }
    anyhow::bail!("another drumlin looks into {} and does not come to an end", path.display())
}

/// Times that it is tried: whoever looks into a crawl reads its state, which takes seconds.
const LOOKS: u32 = 60;

/// Whether those who have it are there to look.
fn may_be_looked_into(os: &OsDisk) -> bool {
    os.lock_shared(LOCK).is_ok()
}

/// Whether somebody has the crawl there for themselves.
pub(crate) fn is_taken(path: &Path) -> bool {
    path.join(LOCK).exists() && OsDisk::new(path.to_owned()).is_ok_and(|os| !may_be_looked_into(&os))
}

/// Somebody is crawling there, or has it for a command of some length.
pub(crate) fn in_use(path: &Path) -> anyhow::Error {
    let name = path.display();
    bad_usage(format!(
        "{name} is in use: another drumlin is at work there (where it crawls, `drumlin status {name}` says how it goes, and `drumlin ctl {name} stop` ends it)"
    ))
}

/// A directory that may not be written is for the user to change; a full disk is not.
fn unusable(error: io::Error) -> anyhow::Error {
    if disk::is_full(&error) { error.into() } else { bad_usage(error.to_string()) }
}

pub(crate) fn read_saved(os: &OsDisk, path: &Path) -> anyhow::Result<Option<Settings>> {
    let Some(config) = configuration_in(path)? else { return Ok(None) };
    let name = path.join(config).display().to_string();
    let bytes = read_all(os, Path::new(config))?;
    let text = String::from_utf8(bytes).map_err(|_| bad_usage(format!("{name} is not text")))?;
    let saved = settings::read(&name, &text)?;
    if saved.seed.is_none() && has_begun(path) {
        return Err(bad_usage(format!(
            "{name} is damaged: it has no `seed`, by which the crawl in this directory goes; put a copy of the file back"
        )));
    }
    saved.require_text(path)?;
    require_own_checkpoint(os, &saved).with_context(|| format!("the crawl in {}", path.display()))?;
    Ok(Some(saved.rooted_at(path)))
}

/// That of another crawl is not believed, nor are our journal and archive called damaged where they are not what it covers. One that can't be
/// read is told by whoever goes by it.
fn require_own_checkpoint(os: &OsDisk, saved: &Settings) -> Result<(), NodeError> {
    let (Ok(seed), Ok(Some(checkpoint))) = (config::seed(saved), archive::last_checkpoint(os)) else {
        return Ok(());
    };
    match crawler::require_own(&checkpoint, seed) {
        Err(error @ RecoveryError::OtherCrawl) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Whether there is more than a configuration that somebody has laid there.
pub(crate) fn has_begun(path: &Path) -> bool {
    [SEEDS, ARCHIVE].iter().any(|name| path.join(name).exists())
}

/// Of a crawl that has not begun there is nothing to be told.
pub(crate) fn require_begun(path: &Path) -> anyhow::Result<()> {
    if has_begun(path) {
        return Ok(());
    }
    Err(bad_usage(format!("the crawl in {} has not begun: it has a {CONFIG} and no seeds", path.display())))
}

/// An archive without the state that tells of it is not begun anew.
fn require_state(path: &Path) -> anyhow::Result<()> {
    if !path.join(ARCHIVE).exists() || path.join(STATE).exists() {
        return Ok(());
    }
    let name = path.display();
    Err(bad_usage(format!(
        "{name} has {ARCHIVE}/ and no {STATE}/, in which it says what has been fetched: put {STATE}/ back, or crawl into another directory"
    )))
}

fn refuse_foreign(path: &Path) -> anyhow::Result<()> {
    if path.exists() && !path.is_dir() {
        return Err(bad_usage(format!("{} is not a directory", path.display())));
    }
    if is_crawl(path)? {
        return Ok(());
    }
    let stranger = stranger_in(path, &LEFTOVERS)?.or(stranger_in(&path.join(STATE), &LEFTOVERS_IN_STATE)?);
    match stranger {
        None => Ok(()),
        Some(name) => Err(bad_usage(format!(
            "{} holds something that is not a crawl (it has `{name}` and no {CONFIG}); name another directory with --dir",
            path.display()
        ))),
    }
}

fn stranger_in(dir: &Path, known: &[&str]) -> anyhow::Result<Option<String>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(bad_usage(format!("cannot look into {}: {error}", dir.display()))),
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !known.contains(&name.as_str()) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// The directories that have to be made for `path`, outermost first.
fn missing_ancestors(path: &Path) -> Vec<PathBuf> {
    let named = path.ancestors().filter(|dir| !dir.as_os_str().is_empty());
    let mut missing: Vec<PathBuf> = named.take_while(|dir| !dir.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}
