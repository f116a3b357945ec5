use super::{About, Fact};
use crate::html::{Bar, Series, Tone, bars, card, columns, escape, series};
use crate::limits::BARS;
use crate::{Bin, Figures, Held, Histogram, Pattern, Requests, Stretch, TakenDown, Tally, Traps};
use stdx::{count_of, format_bytes, format_count, format_duration_ms};

/// All charts, in the order in which a reader asks.
pub(super) fn charts(about: &About, figures: &Figures) -> String {
    let Figures { requests, pages, archive, .. } = figures;
    let all = [
        over_time(requests),
        mix(requests),
        sizes(figures),
        card("Hosts by pages", &bound(&requests.hosts), &tally(&requests.hosts)),
        spread(requests),
        depths(requests),
        card("Languages", "Of rows whose language is known.", &tally(&pages.languages)),
        card("Media types", "Of what is in the archive, as servers said.", &tally(&archive.types)),
        card("Encodings", "", &tally(&pages.charsets)),
        repeats(figures),
        politeness(about, requests),
        card("URLs", &urls_note(about.unmerged), &facts(&about.urls)),
        card("Not fetched, by rule", "", &facts(&about.excluded)),
        card("Links not taken in, by rule", "A link found twice counts twice.", &facts(&about.out_of_scope)),
        traps(&about.traps),
        soft_404s(about.soft_404s),
        taken_down(&figures.taken_down),
    ];
    format!("<div class=cards>\n{}</div>\n", all.concat())
}

fn urls_note(unmerged: u64) -> String {
    let known = "Every URL that is known is in one state.";
    match unmerged {
        0 => known.to_owned(),
        _ => format!("{known} {} not merged with what is known yet.", count_of(unmerged, "discovery")),
    }
}

fn over_time(requests: &Requests) -> String {
    let timeline = &requests.timeline;
    let seconds = timeline.stretch_ms as f64 / 1e3;
    let chart = |title, tone, of: fn(&Stretch) -> u64, say: fn(f64) -> String| {
        let values = timeline.stretches.iter().map(|stretch| of(stretch) as f64 / seconds).collect();
        let drawn = Series { title, from_ms: timeline.from_ms, step_ms: timeline.stretch_ms, values, tone };
        card(title, "", &series(&drawn, say))
    };
    [
        chart("Pages a second", Tone::Good, |stretch| stretch.pages, rate),
        chart("Requests a second", Tone::Plain, |stretch| stretch.requests, rate),
        chart(
            "Bytes a second",
            Tone::Plain,
            |stretch| stretch.bytes,
            |bytes| format!("{}/s", format_bytes(bytes as u64)),
        ),
        chart("Failures and answers from 400 on, a second", Tone::Bad, |stretch| stretch.failed, rate),
    ]
    .concat()
}

fn rate(value: f64) -> String {
    if value >= 10.0 { format_count(value.round() as u64) } else { format!("{value:.1}") }
}

fn mix(requests: &Requests) -> String {
    let statuses: Vec<Bar> = requests
        .statuses
        .iter()
        .map(|(status, count)| Bar::new(status.to_string(), *count, tone_of(*status)))
        .collect();
    let failures: Vec<Bar> = requests
        .failures
        .iter()
        .map(|(cause, failed)| Bar::new(format!("{cause} ({})", failed.blame), failed.count, Tone::Bad))
        .collect();
    let answers = requests.statuses.values().sum();
    [
        card("Answers by status", "robots.txt and sitemaps too.", &bars(&first(statuses), answers)),
        card(
            "What failed",
            "Attempts without an answer, and answers of which nothing is known (original-gone, parser-panicked): by cause, and whose fault it was.",
            &bars(&first(failures), requests.failed()),
        ),
    ]
    .concat()
}

fn tone_of(status: u16) -> Tone {
    match status {
        200..=299 => Tone::Good,
        300..=399 => Tone::Plain,
        400..=499 => Tone::Odd,
        _ => Tone::Bad,
    }
}

fn sizes(figures: &Figures) -> String {
    let Figures { requests, archive, .. } = figures;
    let chart = |title: &str, values: &Histogram, say: fn(u64) -> String| {
        let note = match values.count() {
            0 => String::new(),
            _ => format!(
                "Mean {}, half at most {}, 99 of 100 at most {}, largest {}.",
                say(values.mean()),
                say(values.quantile(0.5)),
                say(values.quantile(0.99)),
                say(values.most())
            ),
        };
        card(title, &note, &columns(title, &values.bins(), Tone::Plain, say))
    };
    [
        chart("Sizes of bodies", &requests.body_bytes, format_bytes),
        chart("Sizes in the archive", &archive.record_bytes, format_bytes),
        chart("How long requests took", &requests.took_ms, format_duration_ms),
    ]
    .concat()
}

fn spread(requests: &Requests) -> String {
    let title = "Hosts by how many pages they were asked for";
    match requests.pages_a_host() {
        Some(spread) => card(title, "", &columns(title, &spread.bins(), Tone::Plain, format_count)),
        None => String::new(),
    }
}

fn depths(requests: &Requests) -> String {
    let title = "Links from a seed";
    let deepest = requests.depths.keys().next_back().copied().unwrap_or(0);
    let bin = |depth| {
        let count = requests.depths.get(&depth).copied().unwrap_or(0);
        Bin { from: u64::from(depth), to: u64::from(depth), count }
    };
    let bins: Vec<Bin> =
        if requests.depths.is_empty() { Vec::new() } else { (0..=deepest).map(bin).collect() };
    card(title, "Requests for pages, by depth.", &columns(title, &bins, Tone::Plain, format_count))
}

fn repeats(figures: &Figures) -> String {
    let mut all = vec![
        Bar::new("responses", figures.archive.records - figures.archive.revisits, Tone::Good),
        Bar::new("revisits: the same body again", figures.archive.revisits, Tone::Plain),
    ];
    let mut note = "Run drumlin duplicates to find pages that say nearly the same.".to_owned();
    if let Some(why) = &figures.duplicates_unreadable {
        note = format!("Near-duplicates are not among them. {why}.");
    }
    if let Some(found) = figures.duplicates {
        let share = 100.0 * found.similarity;
        note = format!("Near-duplicates share {share:.0} % of their word 5-grams with an earlier page.");
        all.push(Bar::new("pages that say something new", found.rows - found.duplicates, Tone::Good));
        all.push(Bar::new("near-duplicates", found.duplicates, Tone::Odd));
    }
    let total = figures.archive.records.max(figures.duplicates.map_or(0, |found| found.rows));
    card("What repeats", &note, &bars(&all, total))
}

fn politeness(about: &About, requests: &Requests) -> String {
    let gaps = &requests.gaps;
    let between = "Between two contacts with a host";
    let late = "How long after it was allowed a contact was made";
    let clauses: Vec<Bar> =
        gaps.clauses.iter().map(|(clause, count)| Bar::new(*clause, *count, Tone::Plain)).collect();
    let kept = match gaps.broken {
        0 => "No delay was broken.".to_owned(),
        broken => format!("{} broken: see drumlin audit.", count_of(broken, "delay")),
    };
    let late_note = match about.handed_back {
        0 => kept,
        turns => format!(
            "{kept} {} of the last run handed back: the machine was too busy to begin in time, and nobody was contacted.",
            count_of(turns, "turn")
        ),
    };
    [
        card(
            between,
            "From the end of one to the start of the next.",
            &columns(between, &gaps.between_ms.bins(), Tone::Good, format_duration_ms),
        ),
        card(late, &late_note, &columns(late, &gaps.late_ms.bins(), Tone::Plain, format_duration_ms)),
        card(
            "Which delay a contact waited for",
            "The last of those that applied to it.",
            &bars(&first(clauses), requests.contacts),
        ),
    ]
    .concat()
}

/// The largest bars.
fn first(mut all: Vec<Bar>) -> Vec<Bar> {
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    all.truncate(BARS);
    all
}

fn tally(tally: &Tally) -> String {
    let named = tally.largest(BARS);
    let all: Vec<Bar> = named.into_iter().map(|one| Bar::new(one.name, one.count, Tone::Plain)).collect();
    bars(&all, tally.total())
}

/// What is not exact of counts says so.
fn bound(tally: &Tally) -> String {
    match tally.missed() {
        0 => String::new(),
        missed => format!(
            "Counts may be up to {} too small: there are more names than are remembered.",
            format_count(missed)
        ),
    }
}

fn traps(traps: &Traps) -> String {
    let Traps { rules, patterns } = traps;
    let bar = |held: &Held| Bar::new(format!("{}: {}", held.rule, held.about), held.held_back, Tone::Odd);
    let all = first(rules.iter().map(bar).collect());
    let total = rules.iter().map(|held| held.held_back).sum();
    let note = "URLs since the crawl began, each counted once, when it was found. None is dropped: some may have been fetched since.";
    let mut cards = card("Traps: held back, by rule", note, &bars(&all, total));
    if !patterns.is_empty() {
        let rows: String = patterns.iter().take(BARS).map(pattern).collect();
        let table = format!(
            "<div class=table><table>\n<tr><th>pattern</th><th>host</th><th>rule</th><th>fetched</th><th>with something new</th><th>held back</th></tr>\n\
             {rows}</table></div>"
        );
        cards += &card("Traps: patterns held back most", "", &table);
    }
    cards
}

fn pattern(pattern: &Pattern) -> String {
    let Pattern { host, form, rule, fetches, fresh, held_back } = pattern;
    let [fetches, fresh, held_back] = [u64::from(*fetches), u64::from(*fresh), *held_back].map(format_count);
    format!(
        "<tr><td class=wide>{}</td><td class=wide>{}</td><td>{}</td><td>{fetches}</td><td>{fresh}</td><td>{held_back}</td></tr>\n",
        escape(form),
        escape(host),
        escape(rule)
    )
}

/// Nothing where none is known.
fn soft_404s(pages: u64) -> String {
    if pages == 0 {
        return String::new();
    }
    let note = "Answered with a 200, in the words in which their hosts say that there is no page. At least so many: what was answered before a host had said so \
                with a 404 is not among them.";
    card("Soft 404s", note, &format!("<p>{}.</p>", count_of(pages, "page")))
}

/// Nothing where nobody had anything taken down.
fn taken_down(taken_down: &TakenDown) -> String {
    let TakenDown { withheld, purged, pages } = *taken_down;
    if withheld + purged == 0 {
        return String::new();
    }
    let [withheld, purged] = [withheld, purged].map(|count| count_of(count, "takedown"));
    let pages = count_of(pages, "page");
    let words = format!(
        "<p>Withheld from every export: {pages} of the corpus, by {withheld}. \
         Purged, so that nothing of their pages is left in the files: {purged}.</p>"
    );
    card("Taken down", "", &words)
}

fn facts(facts: &[Fact]) -> String {
    let all = facts.iter().map(|fact| Bar::new(fact.name.clone(), fact.count, Tone::Plain)).collect();
    bars(&first(all), facts.iter().map(|fact| fact.count).sum())
}
