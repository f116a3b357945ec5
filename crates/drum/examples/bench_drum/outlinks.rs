//! URL text: the outlinks of saved pages in the order in which they stand there, or made-up ones.

use data_encoding::BASE64;
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use stdx::Rng;
use weburl::{Url, pld};

/// Files with saved pages: one JSON value a line, with `url` and `html` or `html_b64`.
const FILES: [&str; 3] =
    ["cases/html-links-real.jsonl.gz", "extract/articles.jsonl.gz", "extract/snippets.jsonl.gz"];
/// b: the mean length that IRLbot reckons with.
const MEAN_BYTES: f64 = 110.0;
/// Longer links are data in disguise.
const LONGEST_BYTES: usize = 1000;

/// A page's outlinks that lead to its own domain, and how many lead elsewhere.
pub(crate) struct Page {
    pub(crate) home: Vec<usize>,
    pub(crate) away: usize,
}

/// All texts; pages and links elsewhere name them by their place.
pub(crate) struct Outlinks {
    pub(crate) source: String,
    pub(crate) texts: Vec<String>,
    pub(crate) pages: Vec<Page>,
    /// Links that lead elsewhere.
    pub(crate) away: Vec<usize>,
}

impl Outlinks {
    /// Of the saved pages below `data`; made up if there are none.
    pub(crate) fn read(data: Option<&Path>) -> Self {
        let found: Vec<Vec<String>> = data.map(saved_pages).unwrap_or_default();
        if found.is_empty() {
            return Self::of(&made_up(), "made up, since there are no saved pages here");
        }
        let shortest = shortest_for_mean(&found);
        let long = found.iter().map(|page| fitting(page, shortest)).collect::<Vec<_>>();
        Self::of(
            &long,
            &format!("outlinks of {} saved pages, those of {shortest} bytes and more", found.len()),
        )
    }

    /// The mean length of a text.
    pub(crate) fn mean_bytes(&self) -> f64 {
        self.texts.iter().map(String::len).sum::<usize>() as f64 / self.texts.len() as f64
    }

    fn of(pages: &[Vec<String>], source: &str) -> Self {
        let mut outlinks =
            Self { source: source.to_owned(), texts: Vec::new(), pages: Vec::new(), away: Vec::new() };
        pages.iter().filter(|links| !links.is_empty()).for_each(|links| outlinks.add(links));
        outlinks
    }

    fn add(&mut self, links: &[String]) {
        let home = home_of(links);
        let mut page = Page { home: Vec::new(), away: 0 };
        for link in links {
            if pld(host(link)) == home {
                page.home.push(self.texts.len());
            } else {
                page.away += 1;
                self.away.push(self.texts.len());
            }
            self.texts.push(link.clone());
        }
        self.pages.push(page);
    }
}

/// The domain that most links of a page lead to.
fn home_of(links: &[String]) -> &str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for link in links {
        *counts.entry(pld(host(link))).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or("", |(home, _)| home)
}

fn host(link: &str) -> &str {
    let behind_scheme = link.split_once("://").map_or(link, |(_, rest)| rest);
    behind_scheme.split(['/', '?', ':']).next().unwrap_or_default()
}

/// Links shorter than what this returns are left out, so that the mean is [`MEAN_BYTES`].
fn shortest_for_mean(pages: &[Vec<String>]) -> usize {
    let mean = |shortest: usize| {
        let lengths: Vec<usize> =
            pages.iter().flat_map(|page| fitting(page, shortest)).map(|l| l.len()).collect();
        lengths.iter().sum::<usize>() as f64 / lengths.len().max(1) as f64
    };
    (0..LONGEST_BYTES).find(|shortest| mean(*shortest) >= MEAN_BYTES).expect("some links are long")
}

fn fitting(page: &[String], shortest: usize) -> Vec<String> {
    page.iter().filter(|link| (shortest..LONGEST_BYTES).contains(&link.len())).cloned().collect()
}

fn saved_pages(data: &Path) -> Vec<Vec<String>> {
    FILES.iter().flat_map(|file| lines(&data.join(file))).filter_map(|page| outlinks(&page)).collect()
}

fn lines(file: &Path) -> Vec<Value> {
    let Ok(bytes) = std::fs::read(file) else { return Vec::new() };
    let mut text = String::new();
    MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("gzipped UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON value a line")).collect()
}

/// The distinct outlinks of one saved page, in order.
fn outlinks(page: &Value) -> Option<Vec<String>> {
    let base = Url::parse(page["url"].as_str()?).ok()?;
    let coded = || page["html_b64"].as_str().and_then(|coded| BASE64.decode(coded.as_bytes()).ok());
    let html = match page["html"].as_str() {
        Some(html) => html.to_owned(),
        None => String::from_utf8_lossy(&coded()?).into_owned(),
    };
    let mut seen = BTreeSet::new();
    let links = references(&html).filter_map(|reference| base.join(&reference).ok());
    let texts = links.map(|link| link.as_str().split('#').next().unwrap_or_default().to_owned());
    Some(texts.filter(|text| seen.insert(text.clone())).collect())
}

/// What the anchors of a page refer to. Good enough for saved pages; `page` has the real thing.
fn references(html: &str) -> impl Iterator<Item = String> {
    let anchors = html.split("<a ").skip(1).filter_map(|rest| rest.split('>').next());
    let quoted = anchors.filter_map(|anchor| {
        let value = anchor.split_once("href=")?.1;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        value[1..].split(quote).next()
    });
    quoted.map(|value| value.trim().replace("&amp;", "&"))
}

/// Pages of a few hundred sites, whose paths are made of a few thousand syllables.
fn made_up() -> Vec<Vec<String>> {
    let mut rng = Rng::new(110);
    (0..300).map(|site| (0..25).map(|link| made_up_link(&mut rng, site, link)).collect()).collect()
}

fn made_up_link(rng: &mut Rng, site: u64, link: u64) -> String {
    let site = if link % 5 == 4 { rng.below(5000) } else { site };
    let section = word(&mut Rng::new(site * 10 + rng.below(4)), 3);
    let mut text = format!("https://www.{}.test/{section}/", word(&mut Rng::new(site), 4));
    let length = 74 + rng.below(74) as usize;
    while text.len() < length {
        let syllables = 1 + rng.below(4);
        text.push_str(&word(rng, syllables));
        text.push('-');
    }
    text + &rng.below(1_000_000).to_string()
}

fn word(rng: &mut Rng, syllables: u64) -> String {
    const ONSETS: [&str; 16] =
        ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "st", "pr", "ch"];
    const RIMES: [&str; 16] =
        ["a", "e", "i", "o", "u", "an", "en", "er", "in", "on", "or", "ing", "tion", "al", "es", "y"];
    let of = |rng: &mut Rng, parts: [&'static str; 16]| parts[rng.below(16) as usize];
    (0..syllables).map(|_| of(rng, ONSETS).to_owned() + of(rng, RIMES)).collect()
}
