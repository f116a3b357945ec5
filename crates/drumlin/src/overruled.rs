//! What is typed goes over what `drumlin ctl DIR set` said before, which holds as long as nobody says otherwise.

use crate::settings::{Settings, Span};
use crate::terminal::tell;
use control::{Bound, Changes, Command};
use crawler::{CrawlConfig, Crawler};
use crossbeam_channel::Sender;
use node::Control;

#[cfg(test)]
mod tests;

/// What flags say of the settings that commands may change while a crawl runs.
pub(crate) fn typed(flags: &Settings) -> Changes {
    let ms = |span: Option<Span>| span.map(|span| span.0);
    Changes {
        delay_ms: ms(flags.delay),
        ip_delay_ms: ms(flags.ip_delay),
        domain_delay_ms: ms(flags.domain_delay),
        concurrency: flags.concurrency.map(u64::from),
        limit: flags.limit.map(Bound::AtMost),
        size_limit: flags.size_limit.map(|size| Bound::AtMost(size.0)),
        time_limit_ms: flags.time_limit.map(|span| Bound::AtMost(span.0)),
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
fn goes_by(config: &CrawlConfig) -> Changes {
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
    fn if_other<T: PartialEq + Copy>(given: Option<T>, holds: Option<T>) -> Option<T> {
        given.filter(|_| given != holds)
    }
    let at_least = |bound: Bound| bound.most().map_or(bound, |most| Bound::AtMost(most.max(pages)));
    let limit = if_other(given.limit.map(at_least), holds.limit.map(at_least));
    Changes {
        delay_ms: if_other(given.delay_ms, holds.delay_ms),
        ip_delay_ms: if_other(given.ip_delay_ms, holds.ip_delay_ms),
        domain_delay_ms: if_other(given.domain_delay_ms, holds.domain_delay_ms),
        concurrency: if_other(given.concurrency, holds.concurrency),
        limit: limit.and(given.limit),
        size_limit: if_other(given.size_limit, holds.size_limit),
        time_limit_ms: if_other(given.time_limit_ms, holds.time_limit_ms),
        ..Changes::default()
    }
}

/// As drumlin.toml has them.
fn names(changes: &Changes) -> impl Iterator<Item = &'static str> {
    let named = [
        ("delay", changes.delay_ms.is_some()),
        ("ip_delay", changes.ip_delay_ms.is_some()),
        ("domain_delay", changes.domain_delay_ms.is_some()),
        ("concurrency", changes.concurrency.is_some()),
        ("limit", changes.limit.is_some()),
        ("size_limit", changes.size_limit.is_some()),
        ("time_limit", changes.time_limit_ms.is_some()),
    ];
    named.into_iter().filter(|(_, is_named)| *is_named).map(|(name, _)| name)
}
