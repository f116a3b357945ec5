use super::archives::{Answer, answer, archive, dangling, page};
use super::read;
use crate::{Dangling, Graph, GraphConfig, graph};
use arrow_array::cast::AsArray;
use disk::{Disk, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, read_all};
use page::LinkKinds;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::path::Path;

pub(super) fn config() -> GraphConfig<'static> {
    GraphConfig {
        archive: Path::new("archive"),
        scratch: Path::new("state/export"),
        memory_bytes: 1 << 20,
        parsed_bytes: 2 << 20,
        kinds: LinkKinds::ALL,
        with_redirects: true,
        taken: super::nothing_taken(),
    }
}

fn four_hosts() -> MemDisk {
    archive(&[
        page(
            "http://a.example/",
            "<a href='/x' rel='nofollow ugc'>x</a><a href='http://www.b.example/'>b <b>bold</b></a>\
             <img src='http://www.b.example/i.png'><template><a href='http://e.example/'>never</a></template>",
        ),
        answer("http://www.b.example/", "HTTP/1.1 301 Moved\r\nLocation: http://c.example/\r\n"),
        page("http://c.example/", "<a href='http://a.example/y'>y</a>"),
        Answer { hops: "P", ..page("http://c.example/robots.txt", "<a href='http://d.example/'>no</a>") },
        page(
            "http://d.example/",
            "<a href='mailto:d@d.example'>d</a><link rel=alternate hreflang=de href=/de>",
        ),
    ])
}

fn text(disk: &MemDisk, name: &str) -> String {
    String::from_utf8(read(disk, &format!("out/{name}"))).unwrap()
}

#[test]
fn hosts_and_edges_are_those_of_the_links() {
    let disk = four_hosts();
    let made = graph(&disk, &config(), Path::new("out")).unwrap();
    assert_eq!(
        made,
        Graph { pages: 4, page_edges: 6, hosts: 4, host_edges: 3, dangling: Dangling::default() }
    );
    assert_eq!(text(&disk, "vertices.txt"), "0\texample.a\n1\texample.b.www\n2\texample.c\n3\texample.d\n");
    assert_eq!(text(&disk, "edges.txt"), "0\t1\n1\t2\n2\t0\n");
    assert_eq!(disk.list(Path::new("state/export")).unwrap(), Vec::<String>::new());
}

#[test]
fn an_edge_says_what_it_is() {
    let disk = four_hosts();
    graph(&disk, &config(), Path::new("out")).unwrap();
    let rows = strings(&disk, "page-edges.parquet", &["source", "target", "kind", "rel", "text", "hreflang"]);
    assert_eq!(
        rows,
        [
            "http://a.example/ http://a.example/x anchor nofollow ugc x -",
            "http://a.example/ http://www.b.example/ anchor - b bold -",
            "http://a.example/ http://www.b.example/i.png image - - -",
            "http://www.b.example/ http://c.example/ redirect - - -",
            "http://c.example/ http://a.example/y anchor - y -",
            "http://d.example/ http://d.example/de alternate alternate - de",
        ]
    );
    let hosts = strings(&disk, "host-edges.parquet", &["source", "target"]);
    assert_eq!(hosts, ["example.a example.b.www", "example.b.www example.c", "example.c example.a"]);
}

#[test]
fn a_redirect_leads_where_the_crawl_goes() {
    let head = "HTTP/1.1 302 Found\r\nX-A: b\r\n Location: http://no.example/\r\nLocation:\r\n http://b.example/\r\n";
    let disk = archive(&[answer("http://a.example/", head)]);
    graph(&disk, &config(), Path::new("out")).unwrap();
    let rows = strings(&disk, "page-edges.parquet", &["source", "target", "kind"]);
    assert_eq!(rows, ["http://a.example/ http://b.example/ redirect"]);
}

#[test]
fn a_page_whose_original_is_gone_is_left_out() {
    let to_b = "<a href='http://b.example/'>b</a>";
    let disk = archive(&[page("http://a.example/", to_b), dangling("http://c.example/")]);
    let made = graph(&disk, &config(), Path::new("out")).unwrap();
    assert_eq!((made.pages, made.page_edges, made.hosts, made.host_edges), (1, 1, 2, 1));
    assert_eq!(made.dangling.captures, 1);
    assert_eq!(text(&disk, "vertices.txt"), "0\texample.a\n1\texample.b\n");
}

/// A link behind ten megabytes: the crawl that parses as much follows it.
#[test]
fn as_much_of_a_page_is_read_as_the_crawl_reads() {
    let long = format!("{}<a href='http://b.example/'>b</a>", "<p>sand</p>\n".repeat(900_000));
    let disk = archive(&[page("http://a.example/", &long)]);
    for (parsed_bytes, links) in [(2 << 20, 0), (12 << 20, 1)] {
        let config = GraphConfig { parsed_bytes, ..config() };
        assert_eq!(graph(&disk, &config, Path::new("out")).unwrap().page_edges, links);
    }
}

#[test]
fn kinds_can_be_chosen() {
    let disk = four_hosts();
    let config = GraphConfig { kinds: LinkKinds::of(&[page::LinkKind::Image]), ..config() };
    assert_eq!(graph(&disk, &config, Path::new("out")).unwrap().page_edges, 2, "the image and the redirect");
    let without = GraphConfig { with_redirects: false, ..config };
    assert_eq!(graph(&disk, &without, Path::new("out")).unwrap().page_edges, 1, "the image");
    let alone = GraphConfig { kinds: LinkKinds::of(&[]), ..self::config() };
    graph(&disk, &alone, Path::new("out")).unwrap();
    assert_eq!(strings(&disk, "page-edges.parquet", &["kind"]), ["redirect"]);
}

fn strings(disk: &MemDisk, name: &str, columns: &[&str]) -> Vec<String> {
    let bytes = read_all(disk, &Path::new("out").join(name)).unwrap();
    let batches =
        ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap().build().unwrap();
    let mut rows = Vec::new();
    for batch in batches.map(Result::unwrap) {
        let value = |name: &str, at: usize| {
            let column = batch.column_by_name(name).unwrap().as_string::<i32>();
            column.iter().nth(at).unwrap().unwrap_or("-").to_owned()
        };
        rows.extend(
            (0..batch.num_rows())
                .map(|at| columns.iter().map(|name| value(name, at)).collect::<Vec<_>>().join(" ")),
        );
    }
    rows
}

/// Of a star, a ring and a lone host: values worked out by hand.
#[test]
fn ranks_are_those_of_the_definitions() {
    let to_hub = "<a href='http://hub.example/'>hub</a>";
    let disk = archive(&[
        page("http://a.example/", to_hub),
        page("http://b.example/", to_hub),
        page("http://hub.example/", "<a href='http://next.example/'>next</a>"),
    ]);
    graph(&disk, &config(), Path::new("out")).unwrap();
    let ranks = text(&disk, "ranks.txt");
    let lines: Vec<Vec<&str>> = ranks.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let row = |host: &str| lines.iter().find(|line| line[4] == host).unwrap();
    // next: the hub at 1, a and b at 2; hub: a and b at 1.
    assert_eq!([row("example.hub")[1], row("example.next")[1], row("example.a")[1]], ["2", "2", "0"]);
    assert_eq!([row("example.hub")[0], row("example.next")[0]], ["1", "2"], "of equals the first by name");
    let value = |host: &str| row(host)[3].parse::<f64>().unwrap();
    let sum: f64 = ["a", "b", "hub", "next"].map(|host| value(&format!("example.{host}"))).iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    // r(a) = 0.15/4 + 0.85 r(next)/4, r(hub) = r(a) + 2·0.85 r(a), r(next) = r(a) + 0.85 r(hub).
    assert!((value("example.hub") - 2.7 * value("example.a")).abs() < 1e-9);
    assert!((value("example.next") - value("example.a") - 0.85 * value("example.hub")).abs() < 1e-9);
    assert_eq!(row("example.next")[2], "1");
}

#[test]
fn memory_changes_nothing() {
    let (much, little) = (four_hosts(), four_hosts());
    graph(&much, &config(), Path::new("out")).unwrap();
    graph(&little, &GraphConfig { memory_bytes: 1, ..config() }, Path::new("out")).unwrap();
    for name in much.list(Path::new("out")).unwrap() {
        let path = format!("out/{name}");
        assert!(read(&much, &path) == read(&little, &path), "{name}");
    }
}

/// The disk fails at each call in turn: what has its final name is whole, and the summary stands only where all is.
#[test]
fn an_interrupted_graph_has_no_summary() {
    let whole = four_hosts();
    let counting = FaultyDisk::counting(whole.kill());
    graph(&counting, &config(), Path::new("out")).unwrap();
    graph(&whole, &config(), Path::new("out")).unwrap();
    for call in (0..counting.calls()).step_by(7) {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Forever };
        let faulty = FaultyDisk::new(four_hosts(), plan);
        if graph(&faulty, &config(), Path::new("out")).is_ok() {
            continue; // Only what is removed at the end had failed.
        }
        let left = faulty.inner().kill();
        let names = left.list(Path::new("out")).unwrap_or_default();
        assert!(!names.contains(&"graph.json".to_owned()), "call {call}");
        for name in names.iter().filter(|name| super::is_final(name)) {
            let path = format!("out/{name}");
            assert!(read(&left, &path) == read(&whole, &path), "call {call}: {name}");
        }
    }
}

#[test]
fn the_root_dot_is_no_part_of_a_name() {
    let disk = archive(&[page(
        "http://a.example./",
        "<a href='http://a.example/x'>x</a><a href='http://b.example./'>b</a>",
    )]);
    graph(&disk, &config(), Path::new("out")).unwrap();
    assert_eq!(text(&disk, "vertices.txt"), "0\texample.a\n1\texample.b\n");
    assert_eq!(text(&disk, "edges.txt"), "0\t1\n");
}

/// The second file is broken: what was made of the first is not finished.
#[test]
fn a_failed_export_leaves_nothing_behind() {
    let disk = four_hosts();
    let broken = Path::new("archive/test-20261120102805-00001-here.warc.gz");
    disk::replace_file(&disk, broken, b"no record").unwrap();
    let error = graph(&disk, &config(), Path::new("out")).unwrap_err();
    assert_eq!(disk.list(Path::new("out")).unwrap(), Vec::<String>::new());
    assert!(
        error.to_string().ends_with("00001-here.warc.gz; `drumlin warc check` says more"),
        "the cause is said by the cause: {error}"
    );
}
