//! Trees of files behind nginx: the set of captured pages against the truth, and nginx's log against the manners.

use crate::support::crawl::Crawl;
use crate::support::edge::{is_nightly, now, skip};
use crate::support::gaps::{Seen, too_close};
use crate::support::holdings::{Capture, Holdings};
use crate::support::names;
use crate::support::nginx::{Nginx, Site};
use crate::support::tools::{output, system};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// nginx's clock has milliseconds, and it looks at it once a round of events.
const CLOCK_MS: u64 = 5;

fn crawl(sites: &[Site], nginx: &Nginx) -> Crawl {
    let addresses: Vec<(&str, Ipv4Addr)> = sites.iter().map(|site| (site.name, site.address)).collect();
    let addresses: BTreeMap<String, Ipv4Addr> =
        addresses.into_iter().map(|(name, address)| (name.to_owned(), address)).collect();
    let dns = names::serve(move |name| addresses.get(name).copied());
    let seeds: Vec<String> =
        sites.iter().map(|site| format!("http://{}:{}/", site.name, nginx.port)).collect();
    Crawl::new(dns, &seeds.iter().map(String::as_str).collect::<Vec<_>>()).flag("--scope", "host")
}

/// A tree with an index, folders with and without one, a text, an image, what is missing and what is forbidden.
const TREE: [(&str, &str); 10] = [
    (
        "index.html",
        "<a href=guide>guide</a> <a href=/guide/index.html>again</a> <a href='notes/one.rst.txt'>notes</a>
         <a href=missing.html>missing</a> <a href=private/cellar.html>cellar</a> <a href=empty/>empty</a>
         <a href=/away>away</a> <img src=logo.png> <!-- <a href=ghost.html>ghost</a> -->",
    ),
    ("guide/index.html", "<a href=part%201.html>1</a> <a href='./part2.html#end'>2</a> <a href=../>up</a>"),
    ("guide/part 1.html", "<base href=/deep/er/><a href=page.html>page</a>"),
    ("guide/part2.html", "<a href='?page=2'>itself</a> <a href='mailto:a@b.test'>write</a>"),
    ("deep/er/page.html", "<p>The end."),
    ("notes/one.rst.txt", "A text, with <a href=/ghost.html>no link</a>.\n"),
    ("private/cellar.html", "<p>Nobody should read this."),
    ("empty/readme.html", "<p>Nothing links here."),
    ("ghost.html", "<p>Nor here."),
    ("robots.txt", "User-agent: *\nDisallow: /private/\n"),
];

/// What a crawl of the tree has to hold.
const TREE_TRUTH: [(&str, u16); 11] = [
    ("/", 200),
    ("/away", 302),
    ("/deep/er/page.html", 200),
    ("/empty/", 403),
    ("/guide", 301),
    ("/guide/", 200),
    ("/guide/index.html", 200),
    ("/guide/part%201.html", 200),
    ("/guide/part2.html", 200),
    ("/guide/part2.html?page=2", 200),
    ("/missing.html", 404),
];

fn plant(root: &Path) {
    for (path, content) in TREE {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a temporary directory");
        fs::write(path, content).expect("a temporary directory");
    }
}

/// The tree three times, the first two on one address, and a neighbour that is out of scope.
fn groves(root: &Path) -> [Site; 4] {
    let lines = "location = /away { return 302 http://elsewhere.test:$server_port/; }";
    let site =
        |name, last| Site { name, address: Ipv4Addr::new(127, 0, 0, last), root: root.to_owned(), lines };
    [site("ash.test", 31), site("birch.test", 31), site("cedar.test", 32), site("elsewhere.test", 33)]
}

#[test]
fn a_tree_is_captured_exactly() {
    let room = TempDir::with_prefix("drumlin-tree-").expect("a temporary directory");
    plant(room.path());
    let sites = groves(room.path());
    let Some(nginx) = Nginx::start(&sites) else { return };
    let holdings = crawl(&sites[..3], &nginx).run_to_the_end();
    for site in &sites[..3] {
        let front = format!("http://{}:{}", site.name, nginx.port);
        let found: Vec<(&str, u16)> = holdings
            .statuses()
            .into_iter()
            .filter_map(|(url, status)| Some((url.strip_prefix(&front)?, status)))
            .filter(|(path, _)| !matches!(*path, "/logo.png" | "/notes/one.rst.txt"))
            .collect();
        assert_eq!(found, TREE_TRUTH);
        let notes = holdings.pages().find(|page| page.url == format!("{front}/notes/one.rst.txt"));
        assert_eq!(notes.expect("the notes").payload, TREE[5].1.as_bytes());
    }
    assert_well_behaved(&nginx.log());
}

#[test]
fn the_delays_show_in_the_log_of_the_server() {
    let room = TempDir::with_prefix("drumlin-tree-").expect("a temporary directory");
    plant(room.path());
    let sites = groves(room.path());
    let Some(nginx) = Nginx::start(&sites) else { return };
    let crawl = crawl(&sites[..3], &nginx).flag("--delay", "0.3").flag("--ip-delay", "0.1");
    crawl.run_to_the_end();
    let log = nginx.log();
    assert_well_behaved(&log);
    assert_eq!(too_close(&log, |seen| &seen.host, 300 - CLOCK_MS), [""; 0]);
    assert_eq!(too_close(&log, |seen| &seen.address, 100 - CLOCK_MS), [""; 0]);
}

fn assert_well_behaved(log: &[Seen]) {
    let bad: Vec<&Seen> = log
        .iter()
        .filter(|seen| {
            seen.target.starts_with("/private")
                || seen.target.contains("ghost")
                || seen.host == "elsewhere.test"
        })
        .collect();
    assert_eq!(bad, Vec::<&Seen>::new());
    assert!(log.iter().any(|seen| seen.target == "/robots.txt" && seen.status == 200));
}

/// The truth knows no release notes of Django before 3.0, and neither their index, though pages lead to all of them.
const OLD_RELEASES: &str = "location = /robots.txt { default_type text/plain;
    return 200 'User-agent: *\nDisallow: /releases/\nAllow: /releases/3.\n'; }";

/// The documentation of six Debian packages, as the shared truth has it.
fn documentation() -> [Site; 6] {
    let site = |name, last, root, lines| {
        let root = Path::new("/usr/share/doc").join(root);
        Site { name, address: Ipv4Addr::new(127, 0, 0, last), root, lines }
    };
    [
        site("python.test", 11, "python3.11/html", ""),
        site("postgres.test", 12, "postgresql-doc-15/html", ""),
        site("git.test", 13, "git-doc", "location = / { return 302 /git.html; }"),
        site("policy.test", 14, "debian-policy/policy.html", ""),
        site("django.test", 15, "python-django-doc/html", OLD_RELEASES),
        site("octave.test", 16, "octave/octave.html", ""),
    ]
}

/// One URL of the truth.
struct Known {
    status: u16,
    kind: String,
    length: Option<usize>,
    sha256: Option<String>,
}

impl Known {
    fn is_page(&self) -> bool {
        self.status == 200 && self.kind.starts_with("text/")
    }
}

/// The truth about `sites` as served on `port`; nothing where the shared data is absent.
fn truth(sites: &[Site], port: u16) -> Option<BTreeMap<String, Known>> {
    let text = testdata::text("sites/truth.jsonl.gz")?;
    let fronts: Vec<String> = sites.iter().map(|site| format!("http://{}:8080/", site.name)).collect();
    let known = text.lines().map(|line| read_known(line, port)).filter(|(url, _)| {
        fronts.iter().any(|front| url.starts_with(&front.replace(":8080", &format!(":{port}"))))
    });
    Some(known.collect())
}

fn read_known(line: &str, port: u16) -> (String, Known) {
    let line: Value = serde_json::from_str(line).expect("a line is JSON");
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let known = Known {
        status: line["status"].as_u64().expect("a status") as u16,
        kind: text("type").unwrap_or_default(),
        length: line["len"].as_u64().map(|length| length as usize),
        sha256: text("sha256"),
    };
    (text("url").expect("a URL").replacen(":8080", &format!(":{port}"), 1), known)
}

#[test]
fn documentation_is_captured_exactly() {
    let all = documentation();
    let sites = if is_nightly() { &all[..] } else { &all[3..4] };
    let Some(nginx) = Nginx::start(sites) else { return };
    let Some(truth) = truth(sites, nginx.port) else { return println!("skipped: the truth is not here") };
    if sites.iter().any(|site| !site.root.join("index.html").exists()) {
        return if is_nightly() {
            skip("documentation package");
        } else {
            println!("skipped: no debian-policy");
        };
    }
    let crawl = crawl(sites, &nginx);
    let begun = now();
    let holdings = crawl.run_to_the_end();
    let took = begun.elapsed();
    compare(&truth, &holdings);
    let log = nginx.log();
    let is_forbidden =
        |seen: &&Seen| seen.target.starts_with("/releases/") && !seen.target.starts_with("/releases/3.");
    assert_eq!(log.iter().find(is_forbidden), None);
    print_rate("drumlin", &log, took);
    if is_nightly() {
        race_wget(sites, &nginx, log.len());
    }
}

/// Equal sets of URLs with their statuses, and of the pages equal bytes.
fn compare(truth: &BTreeMap<String, Known>, holdings: &Holdings) {
    let found: BTreeMap<&str, &Capture> = holdings.pages().map(|page| (page.url.as_str(), page)).collect();
    assert_eq!(found.len(), holdings.pages().count(), "something was captured twice");
    let is_right = |url: &str, known: &Known| found.get(url).is_some_and(|page| page.status == known.status);
    let missing: Vec<&String> =
        truth.iter().filter(|(url, known)| !is_right(url, known)).map(|(url, _)| url).collect();
    let extra: Vec<&&str> = found.keys().filter(|url| !truth.contains_key(**url)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, too much {extra:?}");
    let pages: Vec<(&Known, &Capture)> = truth
        .iter()
        .filter(|(_, known)| known.is_page())
        .map(|(url, known)| (known, found[url.as_str()]))
        .collect();
    for (known, page) in &pages {
        assert_eq!(Some(page.payload.len()), known.length, "{}", page.url);
    }
    compare_digests(&pages);
    println!("{} URLs, {} of them pages: recall 1.000, nothing else", truth.len(), pages.len());
}

/// `sha256sum` decides.
fn compare_digests(pages: &[(&Known, &Capture)]) {
    let room = TempDir::with_prefix("drumlin-sums-").expect("a temporary directory");
    let mut list = String::new();
    for (number, (known, page)) in pages.iter().enumerate() {
        let path = room.path().join(number.to_string());
        fs::write(&path, &page.payload).expect("a temporary directory");
        let _ = writeln!(list, "{}  {}", known.sha256.as_deref().expect("a digest"), path.display());
    }
    let sums = room.path().join("sums");
    fs::write(&sums, list).expect("a temporary directory");
    output(Command::new("sha256sum").args(["--check", "--quiet", "--strict"]).arg(sums));
}

/// `wget -r` on the same trees: one after the other in one process, and as many processes as trees.
fn race_wget(sites: &[Site], nginx: &Nginx, mut logged: usize) {
    let Some(wget) = system("wget") else { return };
    let room = TempDir::with_prefix("drumlin-wget-").expect("a temporary directory");
    let start = |sites: &[Site], dir: &str| {
        let mut command = Command::new(&wget);
        command.args(["--recursive", "--level=inf", "--quiet", "--reject=css,js,png,gif,ico,jpg,inv"]);
        command.arg("--directory-prefix").arg(room.path().join(dir)).stdout(Stdio::null());
        command.args(sites.iter().map(|site| format!("http://{}:{}/", site.address, nginx.port)));
        command.spawn().expect("wget starts")
    };
    for (what, share) in [("wget", sites.len()), ("a wget a tree", 1)] {
        let begun = now();
        let mut children: Vec<_> = sites.chunks(share).map(|sites| start(sites, what)).collect();
        // It ends with 8 where a link leads to nothing.
        for child in &mut children {
            child.wait().expect("a child");
        }
        let log = nginx.log();
        print_rate(what, &log[logged..], begun.elapsed());
        logged = log.len();
    }
}

fn print_rate(who: &str, log: &[Seen], took: Duration) {
    let is_page = |seen: &&Seen| seen.status == 200 && seen.target != "/robots.txt";
    let (pages, seconds) = (log.iter().filter(is_page).count(), took.as_secs_f64());
    println!(
        "{who}: {pages} pages of {} requests in {seconds:.2} s, {:.0} pages/s",
        log.len(),
        pages as f64 / seconds
    );
}
