//! `drumlin robots`: what one robots.txt means for some URLs.

mod live;

use super::{print, read_input};
use crate::exit::bad_usage;
use crate::settings;
use ipnet::IpNet;
use live::Served;
use robots::{Access, Robots, Rule, RuleKind};
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
    /// A range of private addresses that may be contacted; an address is the range of itself.
    #[arg(long = "allow-ip", value_name = "CIDR", value_parser = settings::range)]
    allow_ip: Vec<IpNet>,
    /// A JSON object a line instead of lines for people.
    #[arg(long)]
    json: bool,
    /// The robots.txt: a file, `-` for standard input, or a URL of its site, from which it is fetched.
    #[arg(value_name = "FILE|URL")]
    source: String,
    /// URLs (or paths) to judge; without any, only crawl delay and sitemaps are shown.
    urls: Vec<String>,
}

/// Judges the URLs and prints the verdicts.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = Rules::read(args)?;
    print(&if args.json { rules.as_json(&args.urls) } else { rules.as_text(&args.urls) })
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

/// Milliseconds as seconds.
pub(super) fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

/// The rules for one agent, and the response they came with if they were fetched.
struct Rules {
    robots: Robots,
    served: Option<Served>,
}

/// Whether a URL may be fetched, and the rule that says so.
struct Judgement {
    allowed: bool,
    rule: Option<Rule>,
}

impl Judgement {
    fn reason(&self) -> String {
        match &self.rule {
            Some(rule) => rule_as_text(rule),
            None if self.allowed => "no rule matches".to_owned(),
            None => "the rules can't be had".to_owned(),
        }
    }
}

impl Rules {
    fn read(args: &Args) -> anyhow::Result<Self> {
        let Some(url) = site_of(&args.source) else {
            return Ok(Self { robots: Robots::parse(&read_input(&args.source)?, &args.agent), served: None });
        };
        let url = url.map_err(|error| bad_usage(error.to_string()))?;
        refuse_of_other_sites(&url, &args.urls)?;
        let served = live::get(&url, &args.allow_ip)?;
        Ok(Self { robots: Robots::parse(&served.body, &args.agent), served: Some(served) })
    }

    fn judge(&self, url: &str) -> Judgement {
        if self.served.as_ref().is_some_and(|served| served.access == Access::DisallowAll) {
            return Judgement { allowed: false, rule: None };
        }
        let verdict = self.robots.verdict(&requested(url));
        Judgement { allowed: verdict.allowed, rule: verdict.rule }
    }

    fn as_text(&self, urls: &[String]) -> String {
        let mut out = String::new();
        if let Some(served) = &self.served {
            writeln!(out, "status {}: {}", served.status, meaning(served.access))
                .expect("a string takes any text");
        }
        for url in urls {
            let judgement = self.judge(url);
            let word = if judgement.allowed { "allowed  " } else { "forbidden" };
            let reason = judgement.reason();
            writeln!(out, "{word} {url} ({reason})").expect("a string takes any text");
        }
        if let Some(delay_ms) = self.robots.crawl_delay_ms() {
            writeln!(out, "crawl delay {} s", seconds(delay_ms)).expect("a string takes any text");
        }
        for sitemap in self.robots.sitemaps() {
            writeln!(out, "sitemap {sitemap}").expect("a string takes any text");
        }
        out
    }

    /// A line a URL, then one about the file.
    fn as_json(&self, urls: &[String]) -> String {
        let mut out = String::new();
        for url in urls {
            let judgement = self.judge(url);
            let rule = judgement.rule.as_ref().map(rule_as_json);
            writeln!(out, "{}", json!({"url": url, "allow": judgement.allowed, "rule": rule}))
                .expect("a string takes any text");
        }
        let delay = self.robots.crawl_delay_ms().map(seconds);
        let status = self.served.as_ref().map(|served| served.status);
        out + &json!({"status": status, "delay": delay, "sitemaps": self.robots.sitemaps()}).to_string()
            + "\n"
    }
}

/// The URL of the robots.txt of the site that a source names; nothing for a file.
fn site_of(source: &str) -> Option<Result<Url, weburl::UrlError>> {
    let is_url = source.starts_with("http://") || source.starts_with("https://");
    is_url.then(|| Url::parse(source).and_then(|url| url.join("/robots.txt")))
}

/// The rules of a site say nothing of others, and not of its other scheme or port (RFC 9309, section 2.3).
fn refuse_of_other_sites(robots: &Url, urls: &[String]) -> anyhow::Result<()> {
    let mut parsed = urls.iter().filter_map(|url| Url::parse(url).ok());
    parsed.find(|url| url.authority() != robots.authority()).map_or(Ok(()), |url| {
        Err(bad_usage(format!(
            "{url}: the rules for it are in {}/robots.txt, not in {robots}",
            url.authority()
        )))
    })
}

fn meaning(access: Access) -> &'static str {
    match access {
        Access::Rules => "these rules hold",
        Access::AllowAll => "there are no rules, everything may be fetched",
        Access::DisallowAll => "the rules can't be had, nothing may be fetched",
    }
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
