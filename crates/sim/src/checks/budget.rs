use super::politeness::domain_of;
use crate::log::{Purpose, ServerLog};
use std::collections::BTreeMap;

/// Judges the budgets of a crawl in which others always had work within theirs: no domain was asked for more than so many
/// pages. For webs in which every URL answers at once, so that none is asked for twice.
pub fn within_budget(log: &ServerLog, pages: u64) -> Vec<String> {
    let mut asked: BTreeMap<&str, u64> = BTreeMap::new();
    for contact in log.contacts.iter().filter(|contact| contact.purpose == Purpose::Content) {
        *asked.entry(domain_of(&contact.host)).or_default() += 1;
    }
    let beyond = asked.into_iter().filter(|(_, asked)| *asked > pages);
    beyond.map(|(domain, asked)| format!("{asked} pages of {domain}, whose budget is {pages}")).collect()
}
