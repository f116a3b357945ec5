//! What a page of a real crawl costs: over TLS, everything on, the web served by another process.
//!
//! `cargo xtask bench crawl [--pages N] [--rounds N] [--answers LIST] [--rivals yes|no] [--program FILE] [--dir DIR]`, or with `--growth PAGES`
//!
//! **The web**: simweb, pages with a median of 138 KB and a mean of 240 KB, gzip on the wire (made once, before anything is
//! measured, and kept), P-256 chains with one intermediate, 60 links a page; an answer comes at once. The server closes a connection
//! after so many answers as `--answers` (1, 5 and 20) says, one column each. Hosts have a hundred pages in the mean, so that a connection
//! may carry so many; a link in eight says `http`, whose answer leads to `https`: those are fetches, and connections, beside the pages.
//!
//! **The crawl**: the program as it is shipped (or `--program`), with a new directory: archive, links, text, fingerprints, language, corpus,
//! robots.txt, frontier on disk, clocks. Delays are 0, which only loopback may have. Figures are of the best of `--rounds` (3), rivals' too: processor
//! time of the process, user and system, a page; its threads' shares, by name; its largest resident memory. Digests, revisits and fingerprints
//! are on, as they always are: `copies` has how many there are, and what each takes of a page, with the search for near-duplicates after the crawl.
//! What looking for a payload takes is in `bench revisits`.
//!
//! **Growth**: `--growth PAGES`, alone, is one crawl with twenty answers a connection, of a web of twice as many pages, whose bodies the server makes meanwhile (compressed less, for that reason):
//! what a page took from each doubling to the next, from a thousand on. Files of the archive are verified and removed as they close.
//!
//! **Rivals**: wget2 (`apt install wget2`), scrapy, and the crawler that Python's fast parts make in sixty lines (aiohttp on uvloop, lexbor's
//! parser: `bench_crawl/lexbor.py`), where they are installed (`cargo xtask judges && cargo xtask rivals`) and a mount namespace may be
//! made, in which `/etc/hosts` names the web's hosts. Set up for speed as their guides say: no delays, robots.txt left aside,
//! bodies not kept, no cookies, for scrapy the asyncio reactor, lxml links, no retries, no logs. The server's log says what each has fetched:
//! whoever has missed a page that Drumlin had is void. curl is there too, as a yardstick of machine and server: it is given the
//! list of pages, in order of hosts, and does nothing but fetch and unpack them. Who takes two URLs of one page for two pages fetches more; figures are by pages.
#![expect(clippy::disallowed_methods, reason = "a measurement reads its environment")]

#[path = "bench_crawl/copies.rs"]
mod copies;
#[path = "bench_crawl/crawl.rs"]
mod crawl;
#[path = "bench_crawl/growth.rs"]
mod growth;
#[path = "bench_crawl/options.rs"]
mod options;
#[path = "bench_crawl/process.rs"]
mod process;
#[path = "bench_crawl/rivals.rs"]
mod rivals;
#[path = "bench_crawl/web.rs"]
mod web;

use crawl::Crawl;
use options::Options;
use serde_json::{Value, json};
use std::fs;
use web::Served;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, rest @ ..] = &words[..]
        && word == web::SERVE
    {
        return web::serve(rest);
    }
    let options = Options::parse(words.into_iter());
    let program = options.program.clone().unwrap_or_else(crawl::build);
    let place = options.dir.join(format!("bench-crawl-{}", std::process::id()));
    fs::create_dir_all(&place).expect("a directory to work in");
    if let Some(pages) = options.growth {
        let growth = growth::run(&program, &place, pages);
        fs::remove_dir_all(&place).expect("our own directory");
        return println!("{growth}");
    }
    let mut columns = Vec::new();
    for answers in &options.answers {
        let web = Served::start(&place, options.pages, *answers, web::LEVEL);
        columns.push(column(&options, &Crawl { program: &program, place: &place, web: &web }));
    }
    fs::remove_dir_all(&place).expect("our own directory");
    println!("{}", json!({"bench": "crawl", "pages": options.pages, "columns": columns}));
}

/// One web, and everybody who crawls it.
fn column(options: &Options, crawl: &Crawl<'_>) -> Value {
    // The server makes its bodies now.
    crawl.run();
    let best =
        (0..options.rounds).map(|_| crawl.run()).min_by(|a, b| a.spent.cpu_s().total_cmp(&b.spent.cpu_s()));
    let best = best.expect("a round at least");
    println!("{} answers a connection: {}", crawl.web.answers, best.json());
    println!("  of that, and after it, to know what comes again: {}", best.copies);
    let mut column = json!({"answers_a_connection": crawl.web.answers, "drumlin": best.json()});
    column["drumlin"]["copies"] = best.copies.clone();
    if options.rivals {
        for rival in rivals::ALL {
            let outcome = rival.run(crawl, &best, options.rounds);
            println!("  {}: {outcome}", rival.name);
            column[rival.name] = outcome;
        }
    }
    column
}
