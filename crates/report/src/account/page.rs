use super::contact::cards;
use super::{Account, Order, Rules, Visit, Who};
use crate::html::{Bar, Tone, bars, card, columns, document, escape, moment};
use stdx::{count_of, format_bytes, format_count, format_duration_ms};

pub(super) fn page(account: &Account, who: &Who) -> String {
    let host = escape(&account.host);
    let body = format!(
        "<h1>What {} fetched from {host}</h1>\n<p class=lead>{}</p>\n{}<div class=cards>\n{}{}</div>\n{}{}{}",
        escape(&who.token),
        escape(&summary(account)),
        cards(who),
        answers(account),
        gaps(account),
        taken_down(account),
        rules(account),
        visits(account)
    );
    document(&format!("{}: what was fetched from {}", who.token, account.host), &body)
}

/// In a sentence.
pub(super) fn summary(account: &Account) -> String {
    let Account { contacts, bytes, visits, .. } = account;
    match (visits.front(), visits.back()) {
        (Some(first), Some(last)) => format!(
            "{}, {} of bodies; the newest {} from {} to {} UTC.",
            count_of(*contacts, "request"),
            format_bytes(*bytes),
            format_count(visits.len() as u64),
            moment(first.at_ms),
            moment(last.at_ms)
        ),
        _ => "Nothing was asked of it.".to_owned(),
    }
}

fn answers(account: &Account) -> String {
    let statuses = account.statuses.iter();
    let answered = statuses.map(|(status, count)| Bar::new(status.to_string(), *count, Tone::Plain));
    let failed = account.failures.iter().map(|(cause, count)| Bar::new(cause.clone(), *count, Tone::Bad));
    let all: Vec<Bar> = answered.chain(failed).collect();
    card("What came of it", "", &bars(&all, account.contacts))
}

fn gaps(account: &Account) -> String {
    let title = "Between two requests to a host";
    let note = match account.gaps_ms.count() {
        0 => String::new(),
        _ => format!("The shortest was {}.", format_duration_ms(account.gaps_ms.least())),
    };
    card(title, &note, &columns(title, &account.gaps_ms.bins(), Tone::Good, format_duration_ms))
}

fn taken_down(account: &Account) -> String {
    if account.taken_down.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = orders(account).map(|line| format!("<li>{}</li>", escape(&line))).collect();
    card("What was taken down", "", &format!("<ul>\n{}</ul>", lines.join("\n")))
}

/// In a sentence each.
pub(super) fn orders(account: &Account) -> impl Iterator<Item = String> {
    account.taken_down.iter().map(|(order, Order { answers, is_purged })| {
        let stage = if *is_purged { "gone from our files" } else { "withheld from all that leaves us" };
        format!("{order}: {} {stage}", count_of(*answers, "answer"))
    })
}

fn rules(account: &Account) -> String {
    let one = |(authority, rules): (&String, &Rules)| {
        let lines = if rules.lines.is_empty() {
            String::new()
        } else {
            format!("<pre>{}</pre>", escape(&rules.lines.join("\n")))
        };
        let told = format!("{authority}/robots.txt, {} UTC: {}", moment(rules.fetched_ms), rules.told());
        format!("<p>{}</p>{lines}\n", escape(&told))
    };
    let all: String = account.rules.iter().map(one).collect();
    card(
        "Which rules applied",
        "As each robots.txt was read last; only lines that concern this crawler.",
        &all,
    )
}

fn visits(account: &Account) -> String {
    let row = |visit: &Visit| {
        let gap = visit.gap_ms.map_or("–".to_owned(), format_duration_ms);
        format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=wide>{}</td></tr>\n",
            moment(visit.at_ms),
            escape(&visit.outcome),
            format_bytes(visit.bytes),
            format_duration_ms(visit.took_ms),
            gap,
            visit.waited_for,
            escape(&visit.url)
        )
    };
    let rows: String = account.visits.iter().rev().map(row).collect();
    let table = format!(
        "<div class=table><table>\n<tr><th>began (UTC)</th><th>answer</th><th>bytes</th><th>took</th><th>gap</th><th>waited for</th><th>URL</th></tr>\n{rows}</table></div>"
    );
    card("Requests, newest first", "", &table)
}
