//! What owners say of uses, in the corpus as it is written and in what is exported.

use crate::support::crawl::Crawl;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::{judge, output};
use serde_json::{Value, json};
use std::net::Ipv4Addr;

const ROBOTS: &str =
    "User-agent: *\nContent-Usage: /private train-ai=n, search=n\nContent-Signal: ai-input=yes\n";

/// A robots.txt that speaks of a part of the site, a page that speaks for itself in its head, and one of which nothing more is said.
fn crawled() -> Crawl {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text(ROBOTS),
        "/" => Reply::page(&["/private/a", "/reserved"]),
        "/private/a" => Reply::page(&[]).header("Content-Usage", "search=y"),
        "/reserved" => Reply::page(&[]).header("tdm-reservation", "1").header("X-Robots-Tag", "noai"),
        _ => Reply::status(404),
    });
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 2)));
    let crawl = Crawl::new(dns, &[&server.url("a.test", "/")]).flag("--text", "main");
    crawl.run_to_the_end();
    crawl
}

const DUCKDB: &str = "
import duckdb, json, sys
rows = duckdb.sql(f\"select url, preferences from '{sys.argv[1]}' order by url\").fetchall()
print(json.dumps([[url.split('/', 3)[3], said] for url, said in rows]))
columns = duckdb.sql(f\"describe from '{sys.argv[1]}'\").fetchall()
print(json.dumps([column[0] for column in columns[:9]]))
";

#[test]
fn duckdb_reads_what_owners_say_as_it_was_crawled() {
    let Some(mut python) = judge("python") else { return };
    let crawl = crawled();
    let said = output(python.args(["-c", DUCKDB]).arg(crawl.dir().join("corpus/pages-*.parquet")));
    let mut said = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let wanted = json!([
        ["", "ai-input=y"],
        ["private/a", "train-ai=n, ai-input=y, search=n"],
        ["reserved", "train-ai=n, ai-input=n, tdm=n"],
    ]);
    assert_eq!(said.next(), Some(wanted));
    let fineweb =
        ["text", "id", "dump", "url", "date", "file_path", "language", "language_score", "token_count"];
    assert_eq!(said.next(), Some(json!(fineweb)));
}
