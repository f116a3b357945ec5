use crate::directory::SEEDS;
use crate::exit::BadUsage;
use disk::{Appender, Disk, Mode, SequentialReader, SharedDisk};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, ErrorKind, Lines, Write};
use std::path::Path;
use std::rc::Rc;
use stdx::Set;
use weburl::{Folding, Key, KeyHash, ScopeRules, Url, Verdict, site};

/// Written in full before it takes the place of the list.
const NEW_LIST: &str = "state/seeds.txt.new";

/// Seeds handed to the crawl at once. The next come when these are durable: a tenth of a second, and more where much else is.
const CHUNK: usize = 4000;

/// What became of a crawl's seeds.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// All seeds, old ones too.
    pub(crate) seeds: u64,
    /// Of these, the ones that were not there before.
    pub(crate) added: u64,
    /// Whether they lie in more than one registrable domain.
    pub(crate) several_sites: bool,
    /// The first one's host.
    pub(crate) host: String,
    /// How many are never fetched, by the rule that excludes them.
    pub(crate) excluded: BTreeMap<String, u64>,
}

/// The list that is being written: old seeds first, each once.
struct NewList<'a> {
    rules: &'a mut ScopeRules,
    list: Appender,
    known: Set<KeyHash>,
    first: Option<Url>,
    several_sites: bool,
    excluded: BTreeMap<String, u64>,
}

/// Lists new seeds behind those that are there, and lets each widen the scope. The crawl's own list is as it was until [`keep_list`].
pub(crate) fn write_list(
    disk: &dyn Disk,
    new: impl Iterator<Item = Result<Url, BadUsage>>,
    rules: &mut ScopeRules,
) -> anyhow::Result<Taken> {
    let taken = write_new(disk, new, rules);
    if taken.is_err() {
        drop_list(disk);
    }
    taken
}

/// Makes it the crawl's own.
pub(crate) fn keep_list(disk: &dyn Disk, taken: &Taken) -> io::Result<()> {
    if taken.added == 0 {
        drop_list(disk);
        return Ok(());
    }
    disk.rename(Path::new(NEW_LIST), Path::new(SEEDS))?;
    disk.sync_dir(Path::new("state"))
}

/// Nothing comes of it.
pub(crate) fn drop_list(disk: &dyn Disk) {
    // A leftover is overwritten by the next attempt.
    let _ = disk.remove(Path::new(NEW_LIST));
}

fn write_new(
    disk: &dyn Disk,
    new: impl Iterator<Item = Result<Url, BadUsage>>,
    rules: &mut ScopeRules,
) -> anyhow::Result<Taken> {
    let list = Appender::new(disk.open(Path::new(NEW_LIST), Mode::Truncate)?, 0);
    let mut new_list = NewList {
        rules,
        list,
        known: stdx::set(),
        first: None,
        several_sites: false,
        excluded: BTreeMap::new(),
    };
    for seed in stored(disk)?.into_iter().flatten() {
        new_list.add(&seed?)?;
    }
    let before = new_list.known.len() as u64;
    for seed in new {
        new_list.add(&seed?)?;
    }
    new_list.list.sync()?;
    let seeds = new_list.known.len() as u64;
    let NewList { first, several_sites, excluded, .. } = new_list;
    let host = first.map_or_else(String::new, |url| url.host().to_owned());
    Ok(Taken { seeds, added: seeds - before, several_sites, host, excluded })
}

impl NewList<'_> {
    fn add(&mut self, url: &Url) -> io::Result<()> {
        // Forms of one page are several seeds here: whether they are one page is for the crawl to say.
        if !self.known.insert(Key::of(url, &Folding::NONE).hash(0)) {
            return Ok(());
        }
        self.rules.add_seed(url);
        if let Verdict::Out(rule) = self.rules.judge_seed(url) {
            *self.excluded.entry(rule.to_string()).or_default() += 1;
        }
        let first = self.first.get_or_insert_with(|| url.clone());
        self.several_sites |= site(first.host()) != site(url.host());
        writeln!(self.list, "{url}")
    }
}

/// The seeds of a crawl, some thousands at a time. A list that cannot be read ends early and says so in `fault`.
pub(crate) struct Chunks {
    stored: Option<Stored>,
    fault: Rc<RefCell<Option<io::Error>>>,
}

impl Chunks {
    /// Reads the list from its beginning.
    pub(crate) fn open(disk: &SharedDisk) -> io::Result<Self> {
        Ok(Self { stored: stored(disk.as_ref())?, fault: Rc::default() })
    }

    /// Where a fault will be told, after the chunks have gone elsewhere.
    pub(crate) fn fault(&self) -> Rc<RefCell<Option<io::Error>>> {
        Rc::clone(&self.fault)
    }
}

impl Iterator for Chunks {
    type Item = Vec<Url>;
    fn next(&mut self) -> Option<Vec<Url>> {
        let chunk: io::Result<Vec<Url>> = self.stored.as_mut()?.take(CHUNK).collect();
        match chunk {
            Ok(urls) => (!urls.is_empty()).then_some(urls),
            Err(error) => {
                *self.fault.borrow_mut() = Some(error);
                self.stored = None;
                None
            }
        }
    }
}

/// The seeds in the list.
struct Stored {
    lines: Lines<SequentialReader>,
    /// That were read.
    count: u64,
}

fn stored(disk: &dyn Disk) -> io::Result<Option<Stored>> {
    let path = Path::new(SEEDS);
    if disk.stat(path)?.is_none() {
        return Ok(None);
    }
    let lines = SequentialReader::whole(disk.open(path, Mode::Read)?)?.lines();
    Ok(Some(Stored { lines, count: 0 }))
}

impl Iterator for Stored {
    type Item = io::Result<Url>;

    fn next(&mut self) -> Option<io::Result<Url>> {
        let line = self.lines.next()?;
        self.count += 1;
        let invalid = |what: String| {
            let what = format!("{SEEDS}, line {}: {what}; put it back from a backup", self.count);
            io::Error::new(ErrorKind::InvalidData, what)
        };
        Some(match line {
            Ok(line) => Url::parse(&line).map_err(|error| invalid(error.to_string())),
            Err(error) if error.kind() == ErrorKind::InvalidData => Err(invalid("not UTF-8".to_owned())),
            Err(error) => Err(error),
        })
    }
}
