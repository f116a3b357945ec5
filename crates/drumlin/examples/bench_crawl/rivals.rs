//! Other people's crawlers, on the same web.

use crate::crawl::{Crawl, Crawled};
use crate::process::{self, Spent};
use crate::web::Visited;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) struct Rival {
    pub(crate) name: &'static str,
    program: fn() -> PathBuf,
    arguments: fn(&Crawl<'_>) -> Vec<String>,
}

pub(crate) const ALL: [Rival; 4] = [
    Rival { name: "curl", program: || "curl".into(), arguments: curl },
    Rival { name: "wget2", program: || "wget2".into(), arguments: wget2 },
    Rival { name: "lexbor", program: python, arguments: lexbor },
    Rival { name: "scrapy", program: || "scrapy".into(), arguments: scrapy },
];

/// Enough to see what they have in common.
const MISSED_SHOWN: usize = 12;

/// The web's names.
const HOSTS: &str = "hosts";

/// The pages that Drumlin had.
const LIST: &str = "list";

/// It sees the web's names by way of the file `$0`, where nobody else does.
const IN_A_NAMESPACE: &str = "mount --bind \"$0\" /etc/hosts && exec \"$@\"";

impl Rival {
    /// Its figures of the best of so many rounds, or why there are none.
    pub(crate) fn run(&self, crawl: &Crawl<'_>, drumlin: &Crawled, rounds: u32) -> Value {
        let program = (self.program)();
        if Command::new(&program).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err()
        {
            return json!({"void": "not installed"});
        }
        fs::write(crawl.place.join(HOSTS), hosts_file(drumlin)).expect("a file");
        fs::write(crawl.place.join(LIST), list_file(drumlin)).expect("a file");
        let rounds: Vec<Round> = (0..rounds).map(|_| self.round(crawl, &program)).collect();
        let wanted = &drumlin.visited.pages;
        let complete = rounds.iter().filter(|round| wanted.is_subset(&round.visited.pages));
        let Some(Round { spent, visited }) =
            complete.min_by(|a, b| a.spent.cpu_s().total_cmp(&b.spent.cpu_s()))
        else {
            return rounds.last().expect("a round at least").void(wanted);
        };
        json!({
            "cpu_us_a_page": (spent.cpu_s() / wanted.len() as f64 * 1e6).round(),
            "times_drumlin": spent.cpu_s() / drumlin.spent.cpu_s(),
            "fetches": visited.fetches,
            "wall_s": spent.wall_s,
            "connections": visited.connections.len(),
            "peak_memory_bytes": spent.peak_bytes,
        })
    }

    fn round(&self, crawl: &Crawl<'_>, program: &Path) -> Round {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", IN_A_NAMESPACE]).arg(crawl.place.join(HOSTS)).arg(program);
        command.args((self.arguments)(crawl)).current_dir(crawl.place).stderr(Stdio::null());
        let mark = crawl.web.mark();
        let spent = process::run(&mut command);
        Round { spent, visited: crawl.web.since(mark) }
    }
}

/// A crawl of a rival's.
struct Round {
    spent: Spent,
    visited: Visited,
}

impl Round {
    /// Why it does not count.
    fn void(&self, wanted: &BTreeSet<String>) -> Value {
        let missed: Vec<_> = wanted.difference(&self.visited.pages).collect();
        let (count, some) = (missed.len(), &missed[..missed.len().min(MISSED_SHOWN)]);
        json!({"void": "pages missed", "missed": count, "of": wanted.len(), "some": some, "cpu_s": self.spent.cpu_s()})
    }
}

fn hosts_file(drumlin: &Crawled) -> String {
    let mut text = String::from("127.0.0.1 localhost\n");
    for (host, address) in &drumlin.visited.hosts {
        writeln!(text, "{address} {host}").expect("text");
    }
    text
}

/// What curl reads: the pages, and nowhere to put them.
fn list_file(drumlin: &Crawled) -> String {
    let mut text = String::new();
    for page in &drumlin.visited.pages {
        writeln!(text, "url = \"{page}\"\noutput = /dev/null").expect("text");
    }
    text
}

/// No crawler: it fetches a list that another made, host by host, and unpacks. What machine and server take anyway.
fn curl(crawl: &Crawl<'_>) -> Vec<String> {
    let words = ["--silent", "--compressed", "--http1.1", "--config", LIST, "--cacert"];
    words.map(str::to_owned).into_iter().chain([crawl.web.authority.display().to_string()]).collect()
}

fn wget2(crawl: &Crawl<'_>) -> Vec<String> {
    let fixed = [
        "--recursive",
        "--level=0",
        "--span-hosts",
        "--no-robots",
        "--output-document=/dev/null",
        "--quiet",
        "--max-threads=32",
        "--compression=gzip",
        "--no-ocsp",
        "--no-http2",
        "--tries=20",
        "--waitretry=0",
        "--no-hsts",
        "--no-config",
        "--filter-mime-type=text/html",
    ];
    let certificate = format!("--ca-certificate={}", crawl.web.authority.display());
    fixed.map(str::to_owned).into_iter().chain([certificate, crawl.web.seed.clone()]).collect()
}

/// The rivals' own, which has what the script needs.
fn python() -> PathBuf {
    PathBuf::from(std::env::var_os("DRUMLIN_TOOLS").unwrap_or_default()).join("rivals/bin/python")
}

fn lexbor(crawl: &Crawl<'_>) -> Vec<String> {
    fs::write(crawl.place.join("lexbor.py"), include_str!("lexbor.py")).expect("a file");
    ["lexbor.py".to_owned(), crawl.web.seed.clone(), crawl.web.authority.display().to_string()].into()
}

const SPIDER: &str = r#"
import scrapy
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor

class Bench(scrapy.Spider):
    name = "bench"
    links = LxmlLinkExtractor(tags=("a", "area"), attrs=("href",), deny_extensions=[])

    def __init__(self, seed=None, **rest):
        super().__init__(**rest)
        self.start_urls = [seed]

    def parse(self, response):
        if not hasattr(response, "text"):
            return
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)
"#;

fn scrapy(crawl: &Crawl<'_>) -> Vec<String> {
    fs::write(crawl.place.join("spider.py"), SPIDER).expect("a file");
    let settings = [
        "ROBOTSTXT_OBEY=0",
        "CONCURRENT_REQUESTS=64",
        "CONCURRENT_REQUESTS_PER_DOMAIN=8",
        "DOWNLOAD_DELAY=0",
        "COOKIES_ENABLED=0",
        "RETRY_ENABLED=0",
        "TELNETCONSOLE_ENABLED=0",
        "LOG_ENABLED=0",
        "LOGSTATS_INTERVAL=0",
        "TWISTED_REACTOR=twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "REACTOR_THREADPOOL_MAXSIZE=20",
    ];
    let mut words = vec![
        "runspider".to_owned(),
        "spider.py".to_owned(),
        "-a".to_owned(),
        format!("seed={}", crawl.web.seed),
    ];
    words.extend(settings.iter().flat_map(|setting| ["-s".to_owned(), (*setting).to_owned()]));
    words
}
