use crate::log::ServerLog;
use crate::operator::Said;
use control::{Command, Target};
use stdx::Timestamp;
use weburl::{Bans, Url};

/// Judges from the server's log whether a crawl did what it was told: from the receipt of a pause to the next word of
/// resuming nobody is contacted, and from the receipt of an exclusion or a takedown to the next word of taking it back nobody it names,
/// crashes or not.
pub fn obeyed(said: &[Said], log: &ServerLog) -> Vec<String> {
    let mut wrong = Vec::new();
    for (index, order) in said.iter().enumerate() {
        let Some(from) = order.acknowledged else { continue };
        let later = &said[index + 1..];
        match &order.command {
            Command::Pause => {
                let until = next(later, |command| *command == Command::Resume);
                wrong.extend(contacts(log, from, until, |_| true).map(|url| format!("paused: {url}")));
            }
            Command::Exclude(target) | Command::Takedown(target) => {
                let until = next(later, |command| *command == Command::Readmit(target.clone()));
                let bans = bans(target);
                let is_excluded = |url: &str| Url::parse(url).is_ok_and(|url| bans.ban_of(&url).is_some());
                wrong.extend(contacts(log, from, until, is_excluded).map(|url| format!("excluded: {url}")));
            }
            _ => {}
        }
    }
    wrong
}

/// When something like this is said next.
fn next(later: &[Said], is: impl Fn(&Command) -> bool) -> Timestamp {
    later.iter().find(|said| is(&said.command)).map_or(Timestamp::NEVER, |said| said.given)
}

fn bans(target: &Target) -> Bans {
    let mut bans = Bans::default();
    target.ban(&mut bans);
    bans
}

/// URLs that were asked for between two moments.
fn contacts(
    log: &ServerLog,
    from: Timestamp,
    until: Timestamp,
    is: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &str> {
    let between = log.contacts.iter().filter(move |contact| (from..until).contains(&contact.started));
    between.map(|contact| contact.url.as_str()).filter(move |url| is(url))
}
