use super::{Args, write};
use crate::config::Config;
use crate::directory::open_to_read;
use crate::exit::bad_usage;
use crate::tools::print;
use crate::work::{Format, Work};
use crate::{overruled, wiring};
use crawler::Reach;
use fetch::AddressPolicy;
use ledger::{Attention, Judge, Terms};
use report::{Account, Who};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

#[cfg(test)]
mod tests;

/// What was done to a host, for whoever runs it.
pub(super) fn run(args: &Args, dir: &Path) -> anyhow::Result<ExitCode> {
    let host = host(&args.what)?;
    let config = Config::new(&overruled::settings_of(dir)?)?;
    let (who, judge) = (who(&config), Judge::new(Attention::Delays, Some(wiring::promise(&config))));
    let mut work = Work::new(Format::of(args.json));
    let disk = open_to_read(dir)?;
    let takedowns = node::taken_down(&disk)?;
    let account = Account::read(&disk, &host, judge, &takedowns, &mut |step| work.step(step))?;
    drop(work);
    if args.json {
        return print(&format!("{}\n", json!({ "format": 1, "who": who, "account": account })));
    }
    match &args.out {
        None => print(&account.text(&who)),
        Some(place) => {
            write(place, &account.page(&who))?;
            print(&format!("{}\n", place.display()))
        }
    }
}

/// Also of a URL that somebody complains about.
fn host(text: &str) -> anyhow::Result<String> {
    let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}/") };
    match weburl::Url::parse(&url) {
        Ok(url) => Ok(url.host().to_owned()),
        Err(error) => Err(bad_usage(format!("`{text}` is no host: {error}"))),
    }
}

/// Who crawls by this configuration, and how it treats servers; private ranges that were allowed have no floors.
pub(crate) fn who(config: &Config) -> Who {
    let is_public = config.addresses == AddressPolicy::public();
    let reach = if is_public { Reach::Public } else { Reach::Allowed };
    let terms = Terms::of(wiring::promise(config));
    Who {
        user_agent: config.identity.user_agent.clone(),
        token: config.identity.token.clone(),
        contact: config.identity.contact.clone(),
        keeps_cookies: config.keeps_cookies,
        signed_by: config.signing.as_ref().map(|signing| signing.agent.clone()),
        host_ms: terms.host_ms(reach),
        server_ms: terms.server_ms(reach).unwrap_or(0),
        domain_ms: terms.domain_ms(reach),
    }
}
