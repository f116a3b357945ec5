//! What files and flags may say: everything optional, nothing checked beyond its shape. The same layout is read from
//! `--config` files, made from flags, and kept as a crawl's `drumlin.toml` (drawn in docs/formats/drumlin-toml.md).

mod defaults;
mod draft;
mod group;
mod keys;
mod layout;
mod limit;
mod pace;
mod read;
mod secret;
mod units;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;

pub(crate) use draft::faults;
pub(crate) use group::Group;
pub(crate) use keys::explained;
pub(crate) use limit::{Amount, Limit, Pages};
pub(crate) use pace::Profile;
pub(crate) use read::{FORMAT, read};
pub(crate) use units::{Size, Span, each, range};

use crate::exit::BadUsage;
use control::limits::BOUND;
use control::{Bound, Changes};
use crawler::PageText;
use ipnet::IpNet;
use logs::Level;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use weburl::{Folding, Scope};

/// One layer of settings. Later layers go over earlier ones: defaults, the crawl's own file, `--config`, flags.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Version of this layout.
    pub(crate) format: Option<u32>,
    /// The crawl's random seed: 16 hexadecimal digits.
    pub(crate) seed: Option<String>,
    pub(crate) contact: Option<String>,
    pub(crate) user_agent: Option<String>,
    pub(crate) scope: Option<Scope>,
    pub(crate) depth: Option<u32>,
    #[serde(deserialize_with = "units::whole")]
    pub(crate) limit: Option<u64>,
    pub(crate) size_limit: Option<Size>,
    pub(crate) time_limit: Option<Span>,
    pub(crate) patience: Option<Span>,
    /// Delays by name; those below go over it.
    pub(crate) profile: Option<Profile>,
    pub(crate) delay: Option<Span>,
    pub(crate) ip_delay: Option<Span>,
    /// Between two requests to one registrable domain, start to start.
    pub(crate) domain_delay: Option<Span>,
    /// Hosts of domains that nobody links to wait this many times longer.
    pub(crate) stranger_factor: Option<u32>,
    /// Hosts under one clock, whatever their domains.
    pub(crate) groups: Option<Vec<Group>>,
    pub(crate) concurrency: Option<u32>,
    pub(crate) memory: Option<Size>,
    /// Bytes that must stay free on the disk for fetching to go on.
    pub(crate) low_disk: Option<Size>,
    pub(crate) include: Option<Vec<String>>,
    pub(crate) exclude: Option<Vec<String>>,
    pub(crate) exclude_hosts: Option<PathBuf>,
    /// Whether sitemaps are followed; unless said, where neither depth nor scope `page` bounds the crawl.
    pub(crate) sitemaps: Option<bool>,
    /// Whether `/.well-known/tdmrep.json` and `/ai.txt` of each host are fetched.
    pub(crate) preference_files: Option<bool>,
    pub(crate) archive: Option<Keeping>,
    pub(crate) text: Option<TextSetting>,
    /// The crawl to look back on.
    pub(crate) earlier: Option<PathBuf>,
    /// DNS servers; none means the system's.
    pub(crate) dns: Option<Vec<String>>,
    pub(crate) ca_file: Option<PathBuf>,
    pub(crate) insecure: Option<bool>,
    pub(crate) http2: Option<bool>,
    pub(crate) cookies: Option<bool>,
    /// Addresses that connections leave from.
    #[serde(deserialize_with = "units::addresses")]
    pub(crate) bind: Option<Vec<IpAddr>>,
    /// Who makes connections in our place.
    pub(crate) proxy: Option<String>,
    #[serde(deserialize_with = "units::ranges")]
    pub(crate) allow_ip: Option<Vec<IpNet>>,
    pub(crate) retry: Option<RetrySettings>,
    pub(crate) page: Option<PageSettings>,
    pub(crate) folding: Option<Folding>,
    pub(crate) signature: Option<SignatureSettings>,
    pub(crate) log: Option<LogSettings>,
    /// Keys of which this layer says that there is none, whatever the layers below say. No file does.
    #[serde(skip)]
    pub(crate) lifted: Vec<&'static str>,
}

/// What a run writes of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LogSettings {
    pub(crate) level: Option<Threshold>,
    /// Of one file.
    pub(crate) size: Option<Size>,
    pub(crate) files: Option<u32>,
}

/// Who signs requests (Web Bot Auth).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SignatureSettings {
    /// Private key, in PEM.
    pub(crate) key: Option<PathBuf>,
    /// Origin whose key directory has the public key.
    pub(crate) agent: Option<String>,
}

/// When failed requests are made again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RetrySettings {
    /// Wait after the first failure.
    pub(crate) base: Option<Span>,
    /// Each further wait is this many times the last.
    #[serde(deserialize_with = "units::whole")]
    pub(crate) factor: Option<u64>,
    /// Attempts before a URL is parked.
    pub(crate) attempts: Option<u8>,
    /// No wait is longer, unless the server asks for it.
    pub(crate) max: Option<Span>,
    /// Wait after a 429 or 503 that names none.
    pub(crate) overload: Option<Span>,
}

/// What is kept of one response.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct PageSettings {
    /// Media types whose bodies are kept: `type/subtype`, `type/*`, `type/*+suffix`, `*/*`.
    pub(crate) types: Option<Vec<String>>,
    /// Body bytes kept.
    pub(crate) body: Option<Size>,
    /// Decoded bytes parsed.
    pub(crate) parse: Option<Size>,
    /// Time a response may take.
    pub(crate) time: Option<Span>,
}

/// What becomes of raw captures (`--archive`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Keeping {
    /// They stay.
    Keep,
    /// They go when their links and their rows are durable; what is exported later has no part of them.
    Expire,
}

/// Which text of an HTML page the corpus gets (`--text`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TextSetting {
    /// All that a reader would see.
    #[default]
    Visible,
    /// The article, without what surrounds it.
    Main,
    /// The same as Markdown.
    Markdown,
    /// None.
    None,
}

/// The least that is worth a line (`--log-level`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Threshold {
    /// No log.
    Off,
    /// Failures of this program and its machine.
    Error,
    /// And what a rule or a setting stood in the way of.
    Warn,
    /// And failures of hosts, and the course of the run.
    #[default]
    Info,
    /// And failures of single URLs.
    Debug,
}

impl Threshold {
    /// The level up to which lines are written.
    pub(crate) const fn level(self) -> Option<Level> {
        match self {
            Self::Off => None,
            Self::Error => Some(Level::Error),
            Self::Warn => Some(Level::Warn),
            Self::Info => Some(Level::Info),
            Self::Debug => Some(Level::Debug),
        }
    }
}

impl From<TextSetting> for PageText {
    fn from(setting: TextSetting) -> Self {
        match setting {
            TextSetting::Visible => Self::Visible,
            TextSetting::Main => Self::Main,
            TextSetting::Markdown => Self::Markdown,
            TextSetting::None => Self::None,
        }
    }
}

impl Settings {
    /// These settings, with `over` laid over them key by key.
    pub(crate) fn overlaid(&self, over: &Self) -> Self {
        let mut table = self.to_table();
        table.retain(|key, _| !over.lifted.contains(&key));
        lay_over(&mut table, over.to_table());
        let laid = table.try_into().expect("a table of settings is settings");
        Self { lifted: over.lifted.clone(), ..laid }
    }

    /// As TOML.
    pub(crate) fn to_table(&self) -> Table {
        Table::try_from(self).expect("settings are tables, lists, texts and small numbers")
    }

    /// Paths in a file are relative to the file.
    #[must_use]
    pub(crate) fn rooted_at(mut self, dir: &Path) -> Self {
        let root = |path: Option<PathBuf>| path.map(|path| dir.join(path));
        self.exclude_hosts = root(self.exclude_hosts);
        self.ca_file = root(self.ca_file);
        self.earlier = root(self.earlier);
        if let Some(signature) = &mut self.signature {
            signature.key = root(signature.key.take());
        }
        self
    }

    /// A file of settings is text, and so are the paths in it: refused if one that is named cannot be, in `dir` if it is
    /// relative or will be copied there.
    pub(crate) fn require_text(&self, dir: &Path) -> Result<(), BadUsage> {
        let key = self.signature.as_ref().and_then(|signature| signature.key.as_ref());
        let paths = [self.exclude_hosts.as_ref(), self.earlier.as_ref(), self.ca_file.as_ref(), key];
        let copied = [&self.exclude_hosts, &self.ca_file].iter().any(|path| path.is_some());
        let named = paths.into_iter().flatten().map(|path| dir.join(path));
        let wrong = named.chain(copied.then(|| dir.to_owned())).find(|path| path.to_str().is_none());
        match wrong {
            None => Ok(()),
            Some(path) => Err(BadUsage(format!(
                "{} is not UTF-8, and drumlin.toml is: it can name no such file; give it another name",
                path.display()
            ))),
        }
    }

    /// These settings, with what commands have set in their place.
    #[must_use]
    pub(crate) fn set_to(self, set: &Changes) -> Self {
        let span = |ms: Option<u64>| ms.map(Span);
        let most = |bound: Option<Bound>, own: Option<u64>| {
            bound.map_or(own, Bound::most).map(|most| most.min(BOUND))
        };
        Self {
            delay: span(set.delay_ms).or(self.delay),
            ip_delay: span(set.ip_delay_ms).or(self.ip_delay),
            domain_delay: span(set.domain_delay_ms).or(self.domain_delay),
            concurrency: set.concurrency.map(|slots| slots as u32).or(self.concurrency),
            limit: most(set.limit, self.limit),
            size_limit: most(set.size_limit, self.size_limit.map(|size| size.0)).map(Size),
            time_limit: most(set.time_limit_ms, self.time_limit.map(|span| span.0)).map(Span),
            ..self
        }
    }

    /// Whether they hold a password.
    pub(crate) fn has_password(&self) -> bool {
        self.proxy.as_deref().and_then(secret::masked).is_some()
    }

    /// As they are shown to people: without a password.
    #[must_use]
    pub(crate) fn masked(self) -> Self {
        let masked = self.proxy.as_deref().and_then(secret::masked);
        Self { proxy: masked.or(self.proxy), ..self }
    }

    /// The keys that have a default and are not said, with it. A crawl's own file is written with all of them, up to its last line.
    pub(crate) fn left_to_defaults(&self) -> Vec<String> {
        self.changes_to(&Self::defaults().overlaid(self))
    }

    /// The keys whose values differ, as `key: before → after`; of a password only that there is one.
    pub(crate) fn changes_to(&self, after: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        compare("", &self.to_table(), &after.to_table(), &mut changes);
        changes
    }
}

fn lay_over(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(over)) => lay_over(inner, over),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn compare(prefix: &str, before: &Table, after: &Table, changes: &mut Vec<String>) {
    for (key, new) in after {
        match (before.get(key), new) {
            (Some(Value::Table(old)), Value::Table(new)) => {
                compare(&format!("{prefix}{key}."), old, new, changes);
            }
            (Some(old), new) if old == new => {}
            (old, new) => {
                let old = old.map_or_else(|| "unset".to_owned(), shown);
                changes.push(format!("{prefix}{key}: {old} → {}", shown(new)));
            }
        }
    }
    for (key, old) in before.iter().filter(|(key, _)| !after.contains_key(*key)) {
        changes.push(format!("{prefix}{key}: {} → unset", shown(old)));
    }
}

fn shown(value: &Value) -> String {
    value
        .as_str()
        .and_then(secret::masked)
        .map_or_else(|| value.to_string(), |masked| Value::from(masked).to_string())
}
