use super::{Asked, Listings};
use crate::explain::{Account, Answer, Known, Neighbours};
use crawler::{Crawler, clock_of};
use disk::SharedDisk;
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Mutex;
use ui::{Subject, Unanswered};
use weburl::Url;

/// What `drumlin explain` would print, of a crawl that may be running.
pub(super) fn explain(
    asked: &Asked,
    listings: &Listings,
    disk: &SharedDisk,
    subject: &Subject,
) -> Result<Value, Unanswered> {
    let text = match subject {
        Subject::Url(url) => url.clone(),
        Subject::Host(host) => format!("http://{host}/"),
    };
    let url = Url::parse(&text).map_err(|error| Unanswered::Malformed(error.to_string()))?;
    let text = account(asked, listings, disk, &url)?;
    Ok(json!({ "url": url.as_str(), "text": text }))
}

/// The same as text, of a crawl that does not run.
pub(crate) fn explain_still(crawler: Crawler, disk: &SharedDisk, url: &Url) -> Result<String, Unanswered> {
    account(&Asked::Still(Mutex::new(Box::new(crawler))), &Listings::default(), disk, url)
}

fn account(asked: &Asked, listings: &Listings, disk: &SharedDisk, url: &Url) -> Result<String, Unanswered> {
    let asked_of = url.clone();
    let known = asked.look(move |crawler, now| Known::of(crawler, &asked_of, now))?;
    let known = known.map_err(|error| Unanswered::Unreadable(error.to_string()))?;
    let neighbours = known.server().map(|server| neighbours(asked, listings, server.ip)).transpose()?;
    let answer = known.place().map(|place| Answer::at(disk, place));
    Ok(Account { url, known: &known, answer, neighbours }.to_string())
}

/// Who else was contacted at this server last.
fn neighbours(asked: &Asked, listings: &Listings, server: IpAddr) -> Result<Neighbours, Unanswered> {
    let listing = listings.get(asked)?;
    let addresses = listing.hosts.iter().filter_map(|host| host.facts.address);
    let there = addresses.filter(|address| clock_of(*address) == server).count() as u64;
    Ok(Neighbours { there, of: listing.hosts.len() as u64 })
}
