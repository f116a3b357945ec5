//! `drumlin robots`: what one robots.txt means for some URLs.

use super::{print, read_input};
use robots::{Robots, Rule, RuleKind};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt::Write;
use std::process::ExitCode;
use weburl::Url;

/// Whose rules, and about what.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who asks; only the product token counts, `drumlin` of `drumlin/0.1 (+…)`.
    #[arg(long, value_name = "UA", default_value = "drumlin")]
    agent: String,
    /// A JSON object a line instead of lines for people.
    #[arg(long)]
    json: bool,
    /// The robots.txt, `-` for standard input.
    file: String,
    /// URLs (or paths) to judge; without any, only crawl delay and sitemaps are shown.
    urls: Vec<String>,
}

/// Judges the URLs and prints the verdicts.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let robots = Robots::parse(&read_input(&args.file)?, &args.agent);
    print(&if args.json { as_json(&robots, &args.urls) } else { as_text(&robots, &args.urls) })
}

/// Path and query of a URL as the crawler would request it; of another scheme, what follows the host; a text
/// that is no URL is taken for a path.
pub(super) fn requested(url: &str) -> Cow<'_, str> {
    if let Ok(url) = Url::parse(url) {
        return Cow::Owned(url.request_target().to_owned());
    }
    match url.split_once("://") {
        Some((_, rest)) => Cow::Borrowed(rest.find(['/', '?']).map_or("/", |path| &rest[path..])),
        None => Cow::Borrowed(url),
    }
}

fn as_text(robots: &Robots, urls: &[String]) -> String {
    let mut out = String::new();
    for url in urls {
        let verdict = robots.verdict(&requested(url));
        let word = if verdict.allowed { "allowed  " } else { "forbidden" };
        let reason = verdict.rule.as_ref().map_or("no rule matches".to_owned(), rule_as_text);
        writeln!(out, "{word} {url} ({reason})").expect("a string takes any text");
    }
    if let Some(delay_ms) = robots.crawl_delay_ms() {
        writeln!(out, "crawl delay {} s", seconds(delay_ms)).expect("a string takes any text");
    }
    for sitemap in robots.sitemaps() {
        writeln!(out, "sitemap {sitemap}").expect("a string takes any text");
    }
    out
}

fn as_json(robots: &Robots, urls: &[String]) -> String {
    let mut out = String::new();
    for url in urls {
        let verdict = robots.verdict(&requested(url));
        let rule = verdict.rule.as_ref().map(rule_as_json);
        writeln!(out, "{}", json!({"url": url, "allow": verdict.allowed, "rule": rule}))
            .expect("a string takes any text");
    }
    let delay = robots.crawl_delay_ms().map(seconds);
    out + &json!({"delay": delay, "sitemaps": robots.sitemaps()}).to_string() + "\n"
}

fn rule_as_text(rule: &Rule) -> String {
    format!("line {}: {}: {}", rule.line, directive(rule.kind), rule.text)
}

fn rule_as_json(rule: &Rule) -> Value {
    json!({"line": rule.line, "directive": directive(rule.kind), "path": rule.text})
}

fn directive(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Allow => "Allow",
        RuleKind::Disallow => "Disallow",
    }
}

/// Milliseconds as seconds.
pub(super) fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}
