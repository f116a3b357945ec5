//! What is typed, or named with `--config`, goes over what `drumlin ctl DIR set` said before, which holds as long as nobody says otherwise, and goes over
//! `drumlin.toml`.

use crate::crawl::base;
use crate::ctl::Client;
use crate::directory::{self, Directory, in_use};
use crate::exit::whole;
use crate::look;
use crate::settings::{Settings, Span};
use crate::terminal::tell;
use control::{Bound, Changes, Command};
use crawler::{CrawlConfig, Crawler};
use crossbeam_channel::Sender;
use node::Control;
use std::path::Path;
use ui::Desk;

#[cfg(test)]
mod tests;

/// What a command line says of the settings that commands may change while a crawl runs: the file that `--config` names, and flags over it.
pub(crate) fn typed(asked: &Settings) -> Changes {
    let ms = |span: Option<Span>| span.map(|span| span.0);
    let bound = |key: &str, most: Option<u64>| {
        let none = asked.lifted.contains(&key).then_some(Bound::Unlimited);
        most.map(Bound::AtMost).or(none)
    };
    Changes {
        delay_ms: ms(asked.delay),
        ip_delay_ms: ms(asked.ip_delay),
        domain_delay_ms: ms(asked.domain_delay),
        concurrency: asked.concurrency.map(u64::from),
        limit: bound("limit", asked.limit),
        size_limit: bound("size_limit", asked.size_limit.map(|size| size.0)),
        time_limit_ms: bound("time_limit", ms(asked.time_limit)),
        ..Changes::default()
    }
}

/// Has a crawl that is about to run let go of what was set of these, and says so. The first word that it hears.
pub(crate) fn insist(typed: Changes, config: &CrawlConfig, sender: &Sender<Control>) {
    if typed.is_empty() {
        return;
    }
    let (told, again) = (goes_by(config), sender.clone());
    let look = Control::Look(Box::new(move |crawler, _| {
        let overruled = overruled(&typed.same_of(&told), &held_by(crawler), pages(crawler));
        if overruled.is_empty() {
            return;
        }
        for name in names(&overruled) {
            tell(format_args!("{name}: as it is given now, and no more as `drumlin ctl` has set it"));
        }
        let _ = again.try_send(Control::Command { command: Command::Set(overruled), reply: Box::new(drop) });
    }));
    let _ = sender.try_send(look);
}

/// What a crawl with this configuration goes by where nobody has set anything.
pub(crate) fn goes_by(config: &CrawlConfig) -> Changes {
    Changes {
        delay_ms: Some(config.frontier.delay.host_ms),
        ip_delay_ms: Some(config.server_delay_ms),
        domain_delay_ms: Some(config.frontier.delay.group_ms),
        concurrency: Some(config.concurrency as u64),
        limit: Some(Bound::from(config.limit)),
        size_limit: Some(Bound::from(config.size_limit)),
        time_limit_ms: Some(Bound::from(config.time_limit_ms)),
        ..Changes::default()
    }
}

/// What has been set and holds, beside a configuration that says what is `told`.
pub(crate) fn set(crawler: &Crawler, told: &Changes) -> Changes {
    other_than(&held_by(crawler), told)
}

/// What this one does go by.
fn held_by(crawler: &Crawler) -> Changes {
    let slots = crawler.survey(crawler.latest()).strain.slots;
    Changes { concurrency: Some(slots), ..goes_by(crawler.config()) }
}

fn pages(crawler: &Crawler) -> u64 {
    crawler.survey(crawler.latest()).pages
}

/// Those of the settings that are `given` which something else `holds` for. Pages that have been fetched count, however low
/// a limit is.
fn overruled(given: &Changes, holds: &Changes, pages: u64) -> Changes {
    let at_least = |bound: Bound| bound.most().map_or(bound, |most| Bound::AtMost(most.max(pages)));
    let counted = |changes: &Changes| Changes { limit: changes.limit.map(at_least), ..*changes };
    let differing = other_than(&counted(given), &counted(holds));
    differing.same_of(given)
}

/// Those that `others` say otherwise, or not at all.
fn other_than(changes: &Changes, others: &Changes) -> Changes {
    changes.without(&changes.holding(changes, others))
}

/// What the crawl in a directory goes by, running or not: its own file, and what has been set since.
pub(crate) fn settings_of(dir: &Path) -> anyhow::Result<Settings> {
    let saved = base(Some(&directory::read_configuration(dir)?));
    if !directory::has_begun(dir) {
        return Ok(saved);
    }
    // Whoever asks is to have an answer, however busy or damaged the crawl is.
    let set = set_in(dir).unwrap_or_else(|error| {
        let why = whole(&error);
        tell(format_args!("what `drumlin ctl` has set is not known, so this is by drumlin.toml: {why}"));
        Changes::default()
    });
    Ok(saved.set_to(&set))
}

fn set_in(dir: &Path) -> anyhow::Result<Changes> {
    match Client::connect(dir)? {
        Some(client) => Ok(serde_json::from_value(client.get("/api/v1/settings")?["set"].take())?),
        None => Ok(look::read(Directory::look_into(dir)?.ok_or_else(|| in_use(dir))?)?.settings()?),
    }
}

/// As drumlin.toml has them.
fn names(changes: &Changes) -> Vec<String> {
    let named = serde_json::to_value(changes).expect("settings are plain data");
    let named = named.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    named.map(|(name, _)| name.trim_end_matches("_ms").to_owned()).collect()
}
