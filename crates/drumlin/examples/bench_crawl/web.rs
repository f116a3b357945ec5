//! The web, in a process of its own.

use serde_json::{Value, json};
use simweb::server::{ServerOptions, start};
use simweb::{Contact, Web, WebConfig};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The word by which this program serves: pages, answers a connection, the level of its compression, the file of its log, that of its authority.
pub(crate) const SERVE: &str = "--serve";

/// How hard bodies are compressed: as zlib does unless told otherwise.
pub(crate) const LEVEL: u8 = 6;

/// Of everything.
const SEED: u64 = 3;

/// Hosts have enough of them for twenty a connection, one connection after the other.
const HOST_PAGES: u64 = 400;

pub(crate) fn serve(words: &[String]) {
    let [pages, answers, level, log, authority] = words else { panic!("five words after {SERVE}") };
    let options = ServerOptions {
        log: Some(Box::new(File::create(log).expect("a log"))),
        answers_a_connection: Some(answers.parse().expect("answers")),
        level: Some(level.parse().expect("a level")),
        ..ServerOptions::default()
    };
    let running = start(config(pages.parse().expect("pages"), [0, 0]), options).expect("free ports");
    fs::write(authority, &running.ca_pem).expect("a file");
    let ready = json!({"dns": running.dns.to_string(), "ports": [running.http_port(), running.https_port()]});
    println!("{ready}");
    loop {
        std::thread::park();
    }
}

fn config(pages: u64, [http_port, https_port]: [u16; 2]) -> WebConfig {
    let mut config = WebConfig { http_port, https_port, ..WebConfig::realistic(SEED, pages).calm() };
    config.hosts.https = 1_000;
    config.host_pages = HOST_PAGES;
    config
}

/// A web that is being served until this is dropped.
pub(crate) struct Served {
    pub(crate) answers: u32,
    pub(crate) dns: String,
    pub(crate) seed: String,
    pub(crate) authority: PathBuf,
    web: Web,
    log: PathBuf,
    process: Child,
}

impl Served {
    pub(crate) fn start(place: &Path, pages: u64, answers: u32, level: u8) -> Self {
        let (log, authority) = (place.join("access.jsonl"), place.join("authority.pem"));
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .arg(SERVE)
            .args([pages.to_string(), answers.to_string(), level.to_string()])
            .args([&log, &authority])
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let ready: Value = serde_json::from_str(&line).expect("the web is served");
        let ports = [0, 1].map(|n| ready["ports"][n].as_u64().expect("a port") as u16);
        let web = Web::new(config(pages, ports));
        let (dns, seed) = (ready["dns"].as_str().expect("an address").to_owned(), web.seeds(1).remove(0));
        Self { answers, dns, seed, authority, web, log, process }
    }

    /// How long the log is now.
    pub(crate) fn mark(&self) -> u64 {
        fs::metadata(&self.log).expect("the log").len()
    }

    /// What has been asked for since then.
    pub(crate) fn since(&self, mark: u64) -> Visited {
        let log = fs::read(&self.log).expect("the log");
        let mut visited = Visited::default();
        for line in log[mark as usize..].lines() {
            let contact = Contact::parse(&line.expect("text")).expect("a contact");
            visited.hosts.insert(contact.host.clone(), contact.address);
            visited.connections.insert(contact.client_port);
            if contact.status == 200 {
                visited.fetches += 1;
                visited.body_bytes += contact.body_bytes;
                visited.pages.extend(self.page(&contact));
            }
        }
        visited
    }

    /// The page that was asked for, whatever its URL had to it that means nothing.
    fn page(&self, contact: &Contact) -> Option<String> {
        let url = format!("https://{}:{}{}", contact.host, self.web.config().https_port, contact.target);
        let is_page = !contact.target.starts_with("/robots.txt") && !contact.target.starts_with("/sitemap");
        self.web.canonical(&url).filter(|_| is_page)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

/// What somebody has had of the web.
#[derive(Default)]
pub(crate) struct Visited {
    pub(crate) pages: BTreeSet<String>,
    /// Of pages and whatever else, under all their URLs.
    pub(crate) fetches: u64,
    pub(crate) hosts: BTreeMap<String, Ipv4Addr>,
    /// By the client's port: at least so many.
    pub(crate) connections: BTreeSet<u16>,
    pub(crate) body_bytes: u64,
}
