//! The web, in a process of its own.

use serde_json::{Value, json};
use simweb::server::{ServerOptions, start};
use simweb::{Sizes, Web, WebConfig};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The word by which this program serves: domains, pages.
pub(crate) const SERVE: &str = "--serve";

/// Of everything.
const SEED: u64 = 5;

/// Pages of the web for each that is fetched before anything is measured, so that the crawl goes on meanwhile.
const TIMES: u64 = 3;

pub(crate) fn serve(words: &[String]) {
    let [domains, pages] = words else { panic!("two words after {SERVE}") };
    let config = config(domains.parse().expect("domains"), pages.parse().expect("pages"), 0);
    let running = start(config, ServerOptions::default()).expect("free ports");
    println!("{}", json!({"dns": running.dns.to_string(), "port": running.http_port()}));
    loop {
        std::thread::park();
    }
}

fn config(domains: u32, pages: u64, http_port: u16) -> WebConfig {
    // As small as pages can be that lead on: a million of them are to be there soon, and what is measured is who looks.
    let sizes = Sizes { median: 300, mean: 400 };
    let pages = (pages * TIMES).max(u64::from(domains) * 2);
    WebConfig { domains, sizes, links: 6, http_port, ..WebConfig::small(SEED, pages).calm() }
}

/// A web that is being served until this is dropped.
pub(crate) struct Served {
    pub(crate) dns: String,
    /// The front page of each domain.
    pub(crate) seeds: Vec<String>,
    process: Child,
}

impl Served {
    pub(crate) fn start(domains: u32, pages: u64) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .arg(SERVE)
            .args([domains.to_string(), pages.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let ready: Value = serde_json::from_str(&line).expect("the web is served");
        let web = Web::new(config(domains, pages, ready["port"].as_u64().expect("a port") as u16));
        let dns = ready["dns"].as_str().expect("an address").to_owned();
        Self { dns, seeds: web.seeds(domains), process }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}
