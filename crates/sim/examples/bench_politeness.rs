//! How near a crawl that politeness alone holds up comes to the least that politeness asks for: the largest n·d over hosts,
//! servers and domains, robots.txt counted. All URLs are known at the start; time is virtual, so that the machine does not matter.
//!
//! `cargo xtask bench politeness [--pages N] [--seed N]`.

use clap::Parser;
use crawler::Exit;
use sim::{Contact, Network, Setup, Site, Trial};
use simweb::{Plan, WebConfig};
use std::collections::BTreeMap;
use weburl::{Scope, Url};

/// Crawls of small webs, each with another bottleneck.
#[derive(Parser)]
struct Arguments {
    /// Pages of each web, about.
    #[arg(long, default_value_t = 600)]
    pages: u64,
    /// The seed of the webs.
    #[arg(long, default_value_t = 91)]
    seed: u64,
}

/// A web and where its bottleneck is.
struct Case {
    name: &'static str,
    addresses: u32,
    domains: u32,
    skew: f64,
    /// Start to start within a domain.
    domain_ms: u64,
}

const CASES: [Case; 7] = [
    case("busiest_host", 1_000, 30, 0.3, 250),
    case("busiest_server", 2, 40, 0.1, 250),
    case("busiest_domain", 1_000, 2, 0.0, 1_000),
    case("host_in_crowded_domain_and_server", 1, 1, 0.0, 250),
    case("host_on_crowded_server", 1, 4, 4.0, 250),
    case("host_in_crowded_domain", 1_000, 1, 0.0, 250),
    // The host needs about as long as its server: no schedule of whole turns gives both what they need.
    case("tie_of_host_and_server", 1, 6, 2.5, 250),
];

const fn case(name: &'static str, addresses: u32, domains: u32, skew: f64, domain_ms: u64) -> Case {
    Case { name, addresses, domains, skew, domain_ms }
}

/// Every answer takes this long.
const LATENCY_MS: u64 = 50;
/// The defaults of a host and of a server, from the end of a contact to the start of the next.
const HOST_MS: u64 = 1_000;
const SERVER_MS: u64 = 250;

fn main() {
    let arguments = Arguments::parse();
    let over = |case: &Case| {
        let contacts = crawl(case, &arguments);
        let optimum_ms = optimum_ms(&contacts, case.domain_ms);
        let took_ms = took_ms(&contacts);
        let over = took_ms as f64 / optimum_ms as f64 - 1.0;
        let count = contacts.len();
        println!(
            "{:<34} {count:>6} contacts in {took_ms:>8} ms, {optimum_ms:>8} at least: {:>5.2} % over",
            case.name,
            100.0 * over
        );
        format!("\"{}\":{over:.4}", case.name)
    };
    let figures: Vec<String> = CASES.iter().map(over).collect();
    println!("{{\"bench\":\"politeness\",{}}}", figures.join(","));
}

fn crawl(case: &Case, arguments: &Arguments) -> Vec<Contact> {
    let small = WebConfig::small(arguments.seed, arguments.pages).without_traps().calm();
    let Case { addresses, domains, skew, .. } = *case;
    let roots = Site::new(WebConfig { addresses, domains, skew, ..small }, domains);
    let names: Vec<String> = roots.seeds.iter().map(ToString::to_string).collect();
    let truth = roots.web.truth(&Plan { seeds: &names, scope: simweb::Scope::Any, depth: None });
    let seeds = truth.pages().map(|url| Url::parse(url).expect("simweb's URLs are URLs")).collect();
    let site = Site { web: roots.web.clone(), seeds };
    let mut setup = Setup::new(&site, Scope::Any, arguments.seed);
    setup.crawl.frontier.delay.group_ms = case.domain_ms;
    let network = Network::steady(site.web.clone(), LATENCY_MS);
    let mut trial = Trial::new(&site, setup, network, arguments.seed);
    assert_eq!(trial.finish(), Exit::Done);
    let wrong = trial.judge_done();
    assert!(wrong.is_empty(), "{wrong:#?}");
    std::mem::take(&mut trial.network.log.contacts)
}

/// From the first start to the last.
fn took_ms(contacts: &[Contact]) -> u64 {
    let starts = || contacts.iter().map(|contact| contact.started);
    let (first, last) = (starts().min(), starts().max());
    last.zip(first).map_or(0, |(last, first)| last.since_ms(first))
}

fn optimum_ms(contacts: &[Contact], domain_ms: u64) -> u64 {
    let domain = |contact: &Contact| contact.host.rsplitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    let bounds = [
        longest_ms(contacts, HOST_MS + LATENCY_MS, |contact| contact.host.clone()),
        longest_ms(contacts, SERVER_MS + LATENCY_MS, |contact| contact.address.to_string()),
        longest_ms(contacts, domain_ms, domain),
    ];
    bounds.into_iter().fold(1, u64::max)
}

/// What the busiest of them needs: n − 1 distances between n starts.
fn longest_ms(contacts: &[Contact], distance_ms: u64, subject: impl Fn(&Contact) -> String) -> u64 {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for contact in contacts {
        *counts.entry(subject(contact)).or_default() += 1;
    }
    counts.values().map(|count| (count - 1) * distance_ms).max().unwrap_or(0)
}
