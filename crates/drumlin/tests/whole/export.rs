//! What a crawl is exported to, in the hands of those it is for.

use crate::support::crawl::Crawl;
use crate::support::holdings::Holdings;
use crate::support::tools::{judge, output};
use serde_json::Value;
use simweb::server::{ServerOptions, start};
use simweb::{HostMix, LeafMix, WebConfig};
use std::process::Command;

fn crawled() -> (Crawl, Holdings) {
    let (hosts, leaves) = (HostMix::default(), LeafMix::default());
    let config = WebConfig {
        http_port: 0,
        https_port: 0,
        crawl_delay_s: 0,
        hosts,
        leaves,
        ..WebConfig::small(23, 100)
    };
    let server = start(config, ServerOptions::default()).expect("a free port");
    let seeds = server.web.seeds(1);
    let crawl = Crawl::new(server.dns, &[&seeds[0]]);
    let holdings = crawl.run_to_the_end();
    (crawl, holdings)
}

fn export(crawl: &Crawl, what: &str) {
    let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    output(drumlin.args(["export", what, "--dir"]).arg(crawl.dir()));
}

/// warcio and `FastWARC` read the WET, whose texts are those of the corpus.
const WET: &str = "
import duckdb, glob, json, sys
from fastwarc.warc import ArchiveIterator as Fast, WarcRecordType
from warcio.archiveiterator import ArchiveIterator
rows = duckdb.sql(f\"select id, url, text from '{sys.argv[1]}/corpus/pages-*.parquet' where text != ''\").fetchall()
wanted = {id: (url, text) for id, url, text in rows}
found, digests = {}, 0
for name in glob.glob(f'{sys.argv[1]}/export/wet/*.warc.wet.gz'):
    for record in ArchiveIterator(open(name, 'rb'), check_digests='raise'):
        if record.rec_type == 'conversion':
            header = record.rec_headers.get_header
            text = record.content_stream().read().decode()
            found[header('WARC-Refers-To')] = (header('WARC-Target-URI'), text)
    for record in Fast(open(name, 'rb'), parse_http=False, record_types=WarcRecordType.conversion):
        digests += record.verify_block_digest(consume=False)
print(json.dumps({'rows': len(rows), 'same': found == wanted, 'digests': digests}))
";

#[test]
fn warcio_and_fastwarc_read_the_texts() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, _) = crawled();
    export(&crawl, "wet");
    let said: Value = serde_json::from_str(&output(python.args(["-c", WET]).arg(crawl.dir()))).expect("JSON");
    assert!(said["rows"].as_u64() >= Some(50), "{said}");
    assert_eq!((&said["same"], &said["digests"]), (&Value::Bool(true), &said["rows"]), "{said}");
}

/// pywb looks every URL up through `cluster.idx`.
const CLUSTER: &str = "
import json, sys
from pywb.warcserver.index.zipnum import ZipNumIndexSource
source = ZipNumIndexSource(f'{sys.argv[1]}/export/cdxj/cluster.idx')
lines = missed = 0
for line in open(f'{sys.argv[1]}/archive/index.cdxj', 'rb'):
    key = line.split(b' ')[0]
    url = json.loads(line[line.index(b'{'):])['url']
    found = source.load_index({'url': url, 'key': key, 'end_key': key + b'!', 'limit': 100})
    lines += 1
    missed += not any(one['url'] == url for one in found)
print(json.dumps({'lines': lines, 'missed': missed}))
";

#[test]
fn pywb_finds_every_capture_through_the_cluster() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    export(&crawl, "cdxj");
    let said: Value =
        serde_json::from_str(&output(python.args(["-c", CLUSTER]).arg(crawl.dir()))).expect("JSON");
    assert_eq!(said["lines"].as_u64(), Some(holdings.captures.len() as u64));
    assert_eq!(said["missed"].as_u64(), Some(0));
}
