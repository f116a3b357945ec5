use crate::ctl::Client;
use crate::desk::about_trap;
use crate::status::{Standing, State};
use anyhow::Context;
use crawler::{SuspectTemplate, TrapRule};
use report::limits::LISTED;
use report::{Held, Pattern, Traps};
use std::cmp::Reverse;
use std::path::Path;

/// What traps of the crawl have held back, running or not.
pub(super) fn found(dir: &Path, standing: &Standing) -> anyhow::Result<Traps> {
    let held = |rule: TrapRule| {
        let held_back = standing.snapshot.held_back.get(rule.name()).copied().filter(|count| *count > 0)?;
        Some(Held { rule: rule.name().to_owned(), about: about_trap(rule).to_owned(), held_back })
    };
    let rules = TrapRule::ALL.into_iter().filter_map(held).collect();
    let mut patterns = match standing.state {
        State::Running { .. } => of_one_that_runs(dir)?,
        _ => standing.suspects.iter().map(pattern).collect(),
    };
    patterns.sort_by(|a, b| rank(a).cmp(&rank(b)));
    patterns.truncate(LISTED);
    Ok(Traps { rules, patterns })
}

/// One that has ended since, or is only beginning, says nothing.
fn of_one_that_runs(dir: &Path) -> anyhow::Result<Vec<Pattern>> {
    let Some(client) = Client::connect(dir)? else { return Ok(Vec::new()) };
    let mut said = client.get("/api/v1/traps")?;
    serde_json::from_value(said["templates"].take()).context("the crawl's answer has no patterns")
}

fn pattern(suspect: &SuspectTemplate) -> Pattern {
    Pattern {
        host: suspect.host.clone(),
        form: suspect.form.clone(),
        rule: suspect.rule.name().to_owned(),
        fetches: suspect.fetches,
        fresh: suspect.fresh,
        held_back: suspect.held_back,
    }
}

/// The worst first.
fn rank(pattern: &Pattern) -> (Reverse<u64>, &str, &str) {
    (Reverse(pattern.held_back), &pattern.host, &pattern.form)
}
