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

fn export(crawl: &Crawl, what: &str) -> String {
    let mut drumlin = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    output(drumlin.args(["export", what, "--dir"]).arg(crawl.dir()))
}

/// Of twelve bytes there are no links.
#[test]
fn as_much_of_a_page_is_read_as_the_crawl_reads() {
    let config = WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(3, 20).calm() };
    let server = start(config, ServerOptions::default()).expect("a free port");
    let crawl = Crawl::new(server.dns, &[&server.web.seeds(1)[0]]);
    let crawl = crawl.flag("--limit", "1").config("[page]\nparse = 12\n");
    assert_eq!(crawl.run().end["summary"]["pages"], 1);
    let said = export(&crawl, "graph");
    assert!(said.starts_with("0 links of 1 page,"), "{said}");
}

/// warcio and `FastWARC` read the WET, whose texts are those of the corpus.
const WET: &str = "
import duckdb, glob, json, sys
from fastwarc.warc import ArchiveIterator as Fast, WarcRecordType
from warcio.archiveiterator import ArchiveIterator
rows = duckdb.sql(f\"select '<' || id || '>', url, text from '{sys.argv[1]}/corpus/pages-*.parquet' where text != ''\").fetchall()
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

/// `DuckDB` reads the table: the lines of the index, in its order, in Common Crawl's columns.
const CC_INDEX: &str = "
import duckdb, json, sys
table_ = duckdb.sql(f\"select * from '{sys.argv[1]}/export/index/cc-index.parquet'\")
rows = [dict(zip(table_.columns, row)) for row in table_.fetchall()]
lines = []
for line in open(f'{sys.argv[1]}/archive/index.cdxj'):
    key, time, fields = line.rstrip('\\n').split(' ', 2)
    lines.append((key, time, json.loads(fields)))
same = len(rows) == len(lines) and all(
    (row['url_surtkey'], row['fetch_time'].strftime('%Y%m%d%H%M%S'), row['url'], str(row['fetch_status'])) ==
    (key, time, fields['url'], fields['status'])
    and (row['warc_filename'], row['warc_record_offset'], row['warc_record_length']) ==
    (fields['filename'], int(fields['offset']), int(fields['length']))
    and row['url_host_name_reversed'] == '.'.join(reversed(row['url_host_name'].split('.')))
    for row, (key, time, fields) in zip(rows, lines))
print(json.dumps({'rows': len(rows), 'same': same, 'columns': table_.columns,
    'pages': duckdb.sql(\"select count(*) from table_ where subset = 'warc'\").fetchall()[0][0]}))
";

const CC_COLUMNS: &str = "url_surtkey url url_host_name url_host_tld url_host_2nd_last_part url_host_3rd_last_part \
    url_host_4th_last_part url_host_5th_last_part url_host_registry_suffix url_host_registered_domain \
    url_host_private_suffix url_host_private_domain url_host_name_reversed url_protocol url_port url_path url_query \
    fetch_time fetch_status fetch_redirect content_digest content_mime_type content_mime_detected content_charset \
    content_languages content_truncated warc_filename warc_record_offset warc_record_length warc_segment crawl subset";

#[test]
fn duckdb_reads_the_index_as_a_table() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    export(&crawl, "index");
    let said: Value =
        serde_json::from_str(&output(python.args(["-c", CC_INDEX]).arg(crawl.dir()))).expect("JSON");
    assert_eq!(said["rows"].as_u64(), Some(holdings.captures.len() as u64), "{said}");
    assert_eq!(said["same"], Value::Bool(true), "{said}");
    let columns: Vec<&str> = CC_COLUMNS.split_whitespace().collect();
    assert_eq!(said["columns"], Value::from(columns));
    assert!(said["pages"].as_u64() > Some(0), "{said}");
}

/// Another program's graph: the host graph anew from the links of the pages, the lists of the `BVGraph` by its definition, distances by
/// search, ranks by iteration.
const GRAPH: &str = r#"
import collections, duckdb, json, sys
from urllib.parse import urlsplit
at = sys.argv[1] + '/export/graph/'
def reversed_host(url):
    return '.'.join(reversed(urlsplit(url).hostname.split('.')))
links = duckdb.sql(f"select source, target from '{at}page-edges.parquet'").fetchall()
count = collections.Counter((reversed_host(s), reversed_host(t)) for s, t in links)
wanted = {pair: n for pair, n in count.items() if pair[0] != pair[1]}
vertices = [line.rstrip('\n').split('\t') for line in open(at + 'vertices.txt')]
names = [name for _, name in vertices]
edges = [tuple(map(int, line.split('\t'))) for line in open(at + 'edges.txt')]
rows = duckdb.sql(f"select source, target, links from '{at}host-edges.parquet'").fetchall()
bits = ''.join(f'{byte:08b}' for byte in open(at + 'hosts.graph', 'rb').read())
place = 0
def take(width):
    global place
    place += width
    return int(bits[place - width:place] or '0', 2)
def unary():
    global place
    zeros = bits.index('1', place) - place
    place += zeros + 1
    return zeros
def gamma():
    length = unary()
    return (1 << length | take(length)) - 1
def zeta(k=3):
    step = unary() * k
    short = take(step + k - 1)
    return (short + (1 << step) if short < 1 << step else short << 1 | take(1)) - 1
lists = []
for node in range(len(names)):
    last = None
    for _ in range(gamma()):
        code = zeta()
        last = last + 1 + code if last is not None else node + code // 2 if code % 2 == 0 else node - (code + 1) // 2
        lists.append((node, last))
out = collections.defaultdict(list)
for s, t in edges:
    out[s].append(t)
harmonic = [0.0] * len(names)
for start in range(len(names)):
    known, ring, far = {start}, [start], 0
    while ring:
        far += 1
        ring = list(dict.fromkeys(t for s in ring for t in out[s] if t not in known))
        known.update(ring)
        for t in ring:
            harmonic[t] += 1 / far
n = len(names)
rank = [1 / n] * n
for _ in range(150):
    idle = sum(rank[v] for v in range(n) if not out[v])
    new = [(0.15 + 0.85 * idle) / n] * n
    for s in range(n):
        for t in out[s]:
            new[t] += 0.85 * rank[s] / len(out[s])
    rank = new
ranks = [line.rstrip('\n').split('\t') for line in open(at + 'ranks.txt')][1:]
of = {name: at for at, name in enumerate(names)}
error = max(max(abs(float(h) - harmonic[of[v]]), abs(float(p) - rank[of[v]])) for _, h, _, p, v in ranks)
print(json.dumps({
    'links': len(links), 'hosts': n, 'edges': len(edges),
    'vertices': names == sorted(set(names), key=str.encode) and [int(i) for i, _ in vertices] == list(range(n)),
    'all': set(names) >= {reversed_host(url) for pair in links for url in pair},
    'sorted': edges == sorted(set(edges)),
    'same': {(names[s], names[t]) for s, t in edges} == set(wanted),
    'rows': {(s, t): n for s, t, n in rows} == wanted,
    'bvgraph': lists == edges,
    'ranked': len(ranks) == n and [int(row[0]) for row in ranks] == list(range(1, n + 1)),
    'error': error,
}))
"#;

#[test]
fn a_graph_read_back_is_that_of_the_links() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    export(&crawl, "graph");
    let said: Value =
        serde_json::from_str(&output(python.args(["-c", GRAPH]).arg(crawl.dir()))).expect("JSON");
    for name in ["vertices", "all", "sorted", "same", "rows", "bvgraph", "ranked"] {
        assert_eq!(said[name], Value::Bool(true), "{name}: {said}");
    }
    assert!(said["links"].as_u64() >= Some(holdings.captures.len() as u64), "{said}");
    assert!(said["edges"].as_u64() > Some(5), "{said}");
    assert!(said["error"].as_f64() < Some(1e-8), "{said}");
}

/// warcio reads the WAT beside the WARC, and Python's own parser finds the same references.
const WAT: &str = r"
import glob, json, sys
from html.parser import HTMLParser
from warcio.archiveiterator import ArchiveIterator
class Anchors(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
    def handle_starttag(self, tag, attributes):
        url = dict(attributes).get('href')
        if tag == 'a' and url is not None:
            self.found.append(url)
said, digests = {}, 0
for name in glob.glob(sys.argv[1] + '/export/wat/*.warc.wat.gz'):
    for record in ArchiveIterator(open(name, 'rb'), check_digests='raise'):
        if record.rec_type == 'metadata':
            assert record.rec_headers.get_header('Content-Type') == 'application/json'
            said[record.rec_headers.get_header('WARC-Refers-To')] = json.loads(record.content_stream().read())
records = pages = links = wrong = 0
for name in glob.glob(sys.argv[1] + '/archive/*.warc.gz'):
    for record in ArchiveIterator(open(name, 'rb')):
        header = record.rec_headers.get_header
        if record.rec_type == 'warcinfo':
            continue
        records += 1
        about = said[header('WARC-Record-ID')]
        envelope = about['Envelope']
        wrong += envelope['WARC-Header-Metadata']['WARC-Type'] != record.rec_type
        wrong += envelope['Payload-Metadata']['Actual-Content-Length'] != header('Content-Length')
        wrong += about['Container']['Filename'] != name.split('/')[-1]
        if record.rec_type != 'response':
            continue
        response = envelope['Payload-Metadata']['HTTP-Response-Metadata']
        wrong += response['Response-Message']['Status'] != record.http_headers.get_statuscode()
        headers = {name.lower(): value for name, value in response['Headers'].items()}
        wrong += headers.get('content-type') != record.http_headers.get_header('Content-Type')
        body = record.content_stream().read()
        if 'html' in (record.http_headers.get_header('Content-Type') or '') and body and header('WARC-Truncated') is None:
            pages += 1
            anchors = Anchors()
            anchors.feed(body.decode('utf-8', 'replace'))
            ours = [link['url'] for link in response['HTML-Metadata']['Links'] if link['path'] == 'A@/href']
            links += len(ours)
            wrong += ours != anchors.found
print(json.dumps({'records': records, 'said': len(said), 'pages': pages, 'links': links, 'wrong': wrong}))
";

#[test]
fn the_records_are_described_as_others_read_them() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    export(&crawl, "wat");
    let said: Value = serde_json::from_str(&output(python.args(["-c", WAT]).arg(crawl.dir()))).expect("JSON");
    assert_eq!(said["records"].as_u64(), Some(3 * holdings.captures.len() as u64), "{said}");
    assert_eq!((&said["said"], said["wrong"].as_u64()), (&said["records"], Some(0)), "{said}");
    assert!(said["pages"].as_u64() >= Some(50) && said["links"].as_u64() > said["pages"].as_u64(), "{said}");
}

#[test]
fn py_wacz_finds_the_package_valid() {
    let Some(mut wacz) = judge("wacz") else { return };
    let (crawl, _) = crawled();
    export(&crawl, "wacz");
    let said = output(wacz.args(["validate", "-f"]).arg(crawl.dir().join("export/crawl.wacz")));
    assert!(said.contains("Validation succeeded"), "{said}");
}

/// datatrove, which `FineWeb` is made with, reads the archive and both forms of the corpus; `DuckDB` finds the same rows in all of them.
const DATATROVE: &str = r#"
import duckdb, json, sys
from datatrove.pipeline.readers import JsonlReader, ParquetReader, WarcReader
at = sys.argv[1]
def read(reader, path, pattern):
    documents = list(reader(f'{at}/{path}', glob_pattern=pattern)())
    return {document.id.strip('<>'): document for document in documents}
table = read(ParquetReader, 'export/fineweb', 'pages-*.parquet')
lines = read(JsonlReader, 'export/jsonl', 'pages-*.jsonl.gz')
own = read(ParquetReader, 'corpus', 'pages-*.parquet')
warcs = read(WarcReader, 'archive', '*.warc.gz')
columns = duckdb.sql(f"select * from '{at}/export/fineweb/pages-*.parquet' limit 0").columns
def same(one, other):
    keys = set(columns) - {'text', 'id', 'file_path', 'language_score'}
    return one.text == other.text and all(one.metadata[key] == other.metadata[key] for key in keys)
print(json.dumps({
    'rows': len(own), 'columns': columns[:9],
    'table': {id: document.text for id, document in table.items()} == {id: document.text for id, document in own.items() if document.text},
    'lines': table.keys() == lines.keys() and all(same(table[id], lines[id]) for id in table),
    'in_archive': len(warcs) > 0 and sum(id in warcs for id in table) >= len(warcs) / 2,
    'duckdb': duckdb.sql(f"select count(*) from '{at}/export/jsonl/pages-*.jsonl.gz'").fetchall()[0][0],
}))
"#;

#[test]
fn datatrove_reads_archive_and_corpus() {
    let Some(mut python) = judge("python") else { return };
    let (crawl, holdings) = crawled();
    export(&crawl, "fineweb");
    export(&crawl, "jsonl");
    let said: Value =
        serde_json::from_str(&output(python.args(["-c", DATATROVE]).arg(crawl.dir()))).expect("JSON");
    assert!(said["rows"].as_u64() >= Some(50), "{said}");
    assert!(said["rows"].as_u64() <= Some(holdings.captures.len() as u64), "{said}");
    assert_eq!(said["duckdb"], said["rows"], "{said}");
    for name in ["table", "lines", "in_archive"] {
        assert_eq!(said[name], Value::Bool(true), "{name}: {said}");
    }
    let columns = "text id dump url date file_path language language_score token_count";
    assert_eq!(said["columns"], Value::from(columns.split(' ').collect::<Vec<_>>()));
}
