use crate::{Contact, Purpose};
use simweb::{Verdict, Web};

/// Judges the server's log: nothing that robots.txt forbids was asked for.
pub fn robots_obeyed(log: &[Contact], web: &Web) -> Vec<String> {
    let content = log.iter().filter(|contact| contact.purpose == Purpose::Content);
    let forbidden = content.filter(|contact| web.verdict(&contact.url) == Verdict::Forbidden);
    forbidden.map(|contact| format!("forbidden: {}", contact.url)).collect()
}
