//! Near-duplicates of a whole crawl, against another program's idea of them.

use crate::support::crawl::Crawl;
use crate::support::tools::{judge, output};
use serde_json::Value;
use simweb::server::{ServerOptions, start};
use simweb::{HostMix, LeafMix, WebConfig};
use std::process::Command;

/// Reads corpus and table, compares all pages with all, and joins the one with the other as a reader of the corpus would.
const JUDGE: &str = "
import duckdb, json, re, sys
pages = f\"'{sys.argv[1]}/corpus/pages-*.parquet'\"
table = f\"'{sys.argv[1]}/corpus/duplicates.parquet'\"
rows = duckdb.sql(f'select capture, text from {pages}').fetchall()
said = dict(duckdb.sql(f'select capture, duplicate_of from {table}').fetchall())
def shingles(text):
    words = re.findall(r'[^\\W_]+', text.lower())
    return frozenset(tuple(words[at:at + 5]) for at in range(max(1, len(words) - 4))) if words else frozenset()
sets = [(capture, shingles(text)) for capture, text in rows]
near = wrong = missed = 0
for at, (a, mine) in enumerate(sets):
    for b, theirs in sets[:at]:
        together = said.get(a, a) == said.get(b, b)
        alike = bool(mine) and len(mine & theirs) >= 0.9 * len(mine | theirs)
        near += alike
        missed += alike and not together
        wrong += together and not len(mine & theirs) >= 0.5 * len(mine | theirs)
kept = duckdb.sql(f'select count(*) from {pages} anti join {table} using (id)').fetchall()[0][0]
print(json.dumps({'rows': len(rows), 'listed': len(said), 'kept': kept, 'near': near, 'missed': missed, 'wrong': wrong}))
";

#[test]
fn another_program_finds_the_same_duplicates() {
    let Some(mut python) = judge("python") else { return };
    let hosts = HostMix { mirrors: 400, ..HostMix::default() };
    let leaves = LeafMix { copies: 200, ..LeafMix::default() };
    let config = WebConfig {
        http_port: 0,
        https_port: 0,
        crawl_delay_s: 0,
        hosts,
        leaves,
        ..WebConfig::small(17, 150)
    };
    let server = start(config, ServerOptions::default()).expect("a free port");
    let seeds = server.web.seeds(1);
    let crawl = Crawl::new(server.dns, &[&seeds[0]]);
    crawl.run_to_the_end();
    let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let said = output(drumlin.args(["duplicates", "--json", "--dir"]).arg(crawl.dir()));
    let ours: Value = serde_json::from_str(&said).expect("JSON");
    let said = output(python.args(["-c", JUDGE]).arg(crawl.dir()));
    let theirs: Value = serde_json::from_str(&said).expect("JSON");
    let number = |name: &str| theirs[name].as_u64().expect("a number");
    assert!(number("near") > 0, "a web without duplicates shows nothing: {theirs}");
    assert_eq!(number("wrong"), 0, "{theirs}");
    assert!(number("missed") * 100 <= number("near"), "{theirs}");
    assert_eq!(
        (ours["pages"].as_u64(), ours["duplicates"].as_u64()),
        (theirs["rows"].as_u64(), theirs["listed"].as_u64())
    );
    assert_eq!(number("kept"), number("rows") - number("listed"));
}

/// The table stays as it is while rows come.
#[test]
fn an_export_says_among_how_many_rows_they_were_looked_for() {
    let config = WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(3, 40).calm() };
    let server = start(config, ServerOptions::default()).expect("a free port");
    let crawl = Crawl::new(server.dns, &[&server.web.seeds(1)[0]]).flag("--limit", "10");
    assert_eq!(crawl.run().end["exit"], "limit");
    let dir = crawl.dir();
    let said = |command: &[&str]| {
        let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        output(drumlin.args(command).arg("--dir").arg(&dir))
    };
    said(&["duplicates"]);
    assert!(!said(&["export", "jsonl"]).contains("looked for"));
    let crawl = crawl.flag("--limit", "20");
    assert_eq!(crawl.run().end["exit"], "limit");
    let told = said(&["export", "fineweb"]);
    assert!(told.contains("duplicates were looked for among ") && told.ends_with(" first\n"), "{told}");
    said(&["duplicates"]);
    assert!(!said(&["export", "fineweb"]).contains("looked for"));
}
