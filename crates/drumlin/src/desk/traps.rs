use super::Asked;
use super::slices::{Visitor, show_all};
use crawler::{Crawler, ListedHost, SuspectTemplate, TrapRule};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use stdx::Timestamp;
use ui::{TemplateRow, Trap, TrapRow, Traps, Unanswered};

/// As many as anybody reads.
const SHOWN: usize = 100;

/// What is counted, and the worst of it; so many URLs are put off now.
pub(super) fn found(asked: &Asked, put_off: u64) -> Result<Traps, Unanswered> {
    let (rules, templates) = asked.look(|crawler, _| (rules(crawler), templates(crawler)))?;
    let traps = show_all(asked, Suspects::default())?.0.into_values().collect();
    Ok(Traps { put_off, rules, templates, traps })
}

fn rules(crawler: &Crawler) -> Vec<TrapRow> {
    let row = |rule: TrapRule| TrapRow {
        rule: rule.name(),
        what: about(rule),
        held_back: crawler.held_back_by(rule),
    };
    TrapRule::ALL.into_iter().map(row).collect()
}

fn templates(crawler: &Crawler) -> Vec<TemplateRow> {
    let mut suspects: Vec<&SuspectTemplate> = crawler.suspect_templates().collect();
    suspects.sort_by_key(|suspect| (Reverse(suspect.held_back), &suspect.host, &suspect.form));
    suspects.truncate(SHOWN);
    suspects.into_iter().map(template_row).collect()
}

fn template_row(suspect: &SuspectTemplate) -> TemplateRow {
    TemplateRow {
        host: suspect.host.clone(),
        form: suspect.form.clone(),
        rule: suspect.rule.name(),
        fetches: suspect.fetches,
        fresh: suspect.fresh,
        held_back: suspect.held_back,
    }
}

/// What a rule is about, in words.
pub(crate) fn about(rule: TrapRule) -> &'static str {
    match rule {
        TrapRule::Depth => "paths with very many segments",
        TrapRule::Length => "very long URLs",
        TrapRule::Encoded => "what is percent-encoded over and over",
        TrapRule::Repeats => "paths that repeat a part of themselves",
        TrapRule::Parameters => "queries with very many parameters",
        TrapRule::SameParameter => "queries with one parameter very often",
        TrapRule::Calendar => "calendars far from now",
        TrapRule::Barren => "patterns that give nothing new",
        TrapRule::Flood => "sitemaps that name far more than pages link to",
        TrapRule::Redirects => "redirects on redirects",
        TrapRule::Farm => "more new hosts of a domain than it has a name for",
    }
}

/// The heaviest penalties first, and of those the most URLs.
#[derive(Default)]
struct Suspects(BTreeMap<(Reverse<u8>, Reverse<u64>, String), Trap>);

impl Visitor for Suspects {
    fn visit(&mut self, host: &ListedHost<'_>, _: Timestamp) {
        let Some(suspicion) = host.suspicion() else { return };
        let queues = suspicion.penalty.get();
        let rank = (Reverse(queues), Reverse(host.pending()), host.name().to_owned());
        let trap = Trap {
            host: host.name().to_owned(),
            reason: suspicion.reason.to_string(),
            queues,
            pending: host.pending(),
            deferred: host.deferred(),
        };
        self.0.insert(rank, trap);
        if self.0.len() > SHOWN {
            self.0.pop_last();
        }
    }
}
