//! What the small tools print, and how they refuse.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};
use std::thread;

/// Runs the program in a directory of its own; standard input is closed.
fn run(directory: &tempfile::TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drumlin"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn directory_with(name: &str, content: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join(name), content).expect("a file");
    directory
}

fn check(file: &str, content: &str, arguments: &[&str], expected: &str) {
    let output = run(&directory_with(file, content), arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

const PAGE: &str = "<html lang=en><title>Hills</title><base href='/b/'><meta name=robots content=noarchive>\
    <link rel=canonical href=/hills><p>Hills of <a href='till#x' rel='nofollow me'>glacial till</a>.";

#[test]
fn parse_shows_what_the_crawler_reads() {
    let expected = "\
title       Hills
base        http://example.com/b/
canonical   http://example.com/hills
charset     windows-1252 (default)
html lang   en
directives  noarchive

2 links
canonical    http://example.com/hills [canonical]
anchor       http://example.com/b/till [nofollow, me] “glacial till”

Hills of glacial till.
";
    let page = run(&directory_with("page.html", PAGE), &["parse", "--url", "example.com/a", "page.html"]);
    let page = String::from_utf8_lossy(&page.stdout).into_owned();
    let shown: Vec<_> = page.lines().filter(|line| !line.starts_with("language")).collect();
    assert_eq!(shown.join("\n") + "\n", expected);
}

#[test]
fn parse_gives_one_json_object() {
    let arguments = ["parse", "--json", "--url", "http://example.com/", "page.html"];
    let output = run(&directory_with("page.html", PAGE), &arguments);
    let page: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(page["title"], "Hills");
    assert_eq!(page["links"][1]["kind"], "anchor");
    assert_eq!(page["links"][1]["rel"], serde_json::json!(["nofollow", "me"]));
    assert_eq!(page["directives"], serde_json::json!(["noarchive"]));
}

#[test]
fn parse_shows_the_article_and_what_is_said_about_it() {
    const ARTICLE: &str = "<title>Hills of till - The Post</title><meta property=og:site_name content='The Post'>\
        <meta name=author content='By A. Berg'><nav><a href=/>Home</a></nav><h1>Hills of till</h1><time datetime=2020-05-17></time>\
        <p>Hills of <b>glacial</b> till, which the ice left behind, lie all over the plain.";
    let directory = directory_with("page.html", ARTICLE);
    let parse =
        |what: &str| run(&directory, &["parse", "--json", "--text", what, "--url", "a.example", "page.html"]);
    let page: Value = serde_json::from_slice(&parse("main").stdout).expect("JSON");
    assert_eq!(page["text"], "Hills of glacial till, which the ice left behind, lie all over the plain.");
    assert_eq!(page["about"]["title"], "Hills of till");
    assert_eq!(page["about"]["author"], "A. Berg");
    assert_eq!(page["about"]["date"], "2020-05-17");
    assert_eq!(page["about"]["site"], "The Post");
    let page: Value = serde_json::from_slice(&parse("markdown").stdout).expect("JSON");
    assert_eq!(page["text"], "Hills of **glacial** till, which the ice left behind, lie all over the plain.");
    let page: Value = serde_json::from_slice(&parse("none").stdout).expect("JSON");
    assert_eq!(page["text"], "");
}

#[test]
fn parse_shows_the_links_of_a_feed_and_no_text_as_a_crawl_has_none() {
    const FEED: &str = "<rss><channel><item><link>http://a.example/1</link><description>&lt;p>Text</description></item></channel></rss>";
    let arguments =
        ["parse", "--json", "--url", "a.example", "--header", "Content-Type: text/xml", "feed.xml"];
    let output = run(&directory_with("feed.xml", FEED), &arguments);
    let page: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&page["links"][0]["url"], &page["text"]), (&"http://a.example/1".into(), &"".into()));
}

const ROBOTS: &str = "User-agent: *\nDisallow: /\n\nUser-agent: drumlin\nCrawl-delay: 2.5\nDisallow: /private\nAllow: /private/open\n\nSitemap: http://example.com/map.xml\n";

#[test]
fn robots_names_rule_and_line() {
    let urls = ["http://example.com/a", "http://example.com/private/x", "/private/open"];
    let expected = "\
allowed   http://example.com/a (no rule matches)
forbidden http://example.com/private/x (line 6: Disallow: /private)
allowed   /private/open (line 7: Allow: /private/open)
crawl delay 2.5 s
sitemap http://example.com/map.xml
";
    check("robots.txt", ROBOTS, &["robots", "robots.txt", urls[0], urls[1], urls[2]], expected);
    let others = "forbidden http://example.com/a (line 2: Disallow: /)\nsitemap http://example.com/map.xml\n";
    check("robots.txt", ROBOTS, &["robots", "robots.txt", "--agent", "other/1.0", urls[0]], others);
}

/// Serves these responses on loopback, a connection each, and returns the origin.
fn serve(responses: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for response in responses {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            stream.write_all(response.as_bytes()).expect("a reader");
        }
    });
    origin
}

#[test]
fn robots_is_fetched_from_its_site() {
    let origin = serve(&[
        "HTTP/1.1 301 Moved\r\nLocation: /there.txt\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 26\r\nConnection: close\r\n\r\nUser-agent: *\nDisallow: /a\n",
    ]);
    let directory = tempfile::tempdir().expect("a directory");
    let output = run(&directory, &["robots", "--allow-ip", "127.0.0.0/8", &origin, "/a", "/b"]);
    let expected =
        "status 200: these rules hold\nforbidden /a (line 2: Disallow: /a)\nallowed   /b (no rule matches)\n";
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_robots_txt_that_fails_forbids() {
    let origin = serve(&["HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"]);
    let directory = tempfile::tempdir().expect("a directory");
    let output = run(&directory, &["robots", "--allow-ip", "127.0.0.0/8", "--json", &origin, "/a"]);
    let first: Value =
        serde_json::from_slice(output.stdout.split(|b| *b == b'\n').next().unwrap()).expect("JSON");
    assert_eq!(first["allow"], false);
    let refused = run(&directory, &["robots", &origin, "/a"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("address-refused"));
    let other = run(&directory, &["robots", &origin, &format!("{origin}/a"), "https://b.example/a"]);
    let told = String::from_utf8_lossy(&other.stderr);
    assert!(told.contains("are in https://b.example/robots.txt") && other.status.code() == Some(2), "{told}");
}

const WARC: &str = "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:1b7d8a0e-6c1d-4f39-9d62-0c6f5d9a1a01>\r\n\
    WARC-Date: 2026-11-20T10:28:04Z\r\nWARC-Target-URI: http://example.com/\r\nContent-Type: text/plain\r\n\
    Content-Length: 4\r\n\r\ntill\r\n\r\n";

#[test]
fn warc_lists_records() {
    let listed =
        format!("{:>12} {:>10} resource   2026-11-20T10:28:04Z   - http://example.com/\n", 0, WARC.len());
    check("a.warc", WARC, &["warc", "ls", "a.warc"], &listed);
}

#[test]
fn warc_check_fails_on_errors() {
    let whole = run(&directory_with("a.warc", WARC), &["warc", "check", "a.warc"]);
    assert_eq!(whole.status.code(), Some(0), "{}", String::from_utf8_lossy(&whole.stdout));
    let torn = directory_with("a.warc", &WARC[..WARC.len() - 6]);
    let output = run(&torn, &["warc", "check", "--json", "a.warc"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["findings"].as_array().is_some_and(|findings| !findings.is_empty()), "{report}");
}

#[test]
fn what_cannot_be_read_is_one_clear_line() {
    let directory = tempfile::tempdir().expect("a directory");
    for arguments in [
        &["parse", "--url", "http://example.com/", "absent.html"][..],
        &["parse", "--url", "ftp://example.com/", "absent.html"],
        &["robots", "absent.txt", "http://example.com/"],
        &["warc", "ls", "."],
    ] {
        let output = run(&directory, arguments);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(complaint.starts_with("drumlin: ") && complaint.lines().count() == 1, "{complaint}");
    }
}

/// What `config show` says, kept in a file of another directory, and what `config check` says of that.
fn shown_and_checked(directory: &tempfile::TempDir, flags: &[&str]) -> String {
    let shown = run(directory, &[&["config", "show"], flags].concat());
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    let kept = directory_with("shown.toml", &String::from_utf8_lossy(&shown.stdout));
    let checked = run(&kept, &["config", "check", "shown.toml"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    String::from_utf8_lossy(&checked.stdout).into_owned()
}

#[test]
fn pages_that_a_page_refers_to_are_printed() {
    assert!(printed(&["man", "ctl"]).contains("drumlin\\-ctl\\-pause(1)"));
    assert!(printed(&["man", "ctl", "pause"]).contains("drumlin\\-ctl\\-pause"));
}

#[test]
fn a_configuration_is_shown_as_a_file_that_is_in_order() {
    let directory = directory_with("c.toml", "depth = 3\ndelay = 2\n[retry]\nattempts = 2\n");
    assert_eq!(shown_and_checked(&directory, &[]), "shown.toml is in order; it changes nothing\n");
    let expected = "\
shown.toml is in order; it changes 4 of the defaults
  delay: \"1s\" → \"2s\"
  depth: unset → 4
  retry.attempts: 5 → 2
  scope: \"domain\" → \"host\"
";
    let flags = ["--config", "c.toml", "--depth", "4", "--scope", "host"];
    assert_eq!(shown_and_checked(&directory, &flags), expected);
}

#[test]
fn the_configuration_of_a_crawl_is_shown_with_paths_that_hold_elsewhere() {
    let directory = directory_with("hosts.txt", "b.example\n");
    let settings = "format = 1\nseed = \"2a\"\nexclude_hosts = \"../hosts.txt\"\n";
    std::fs::create_dir(directory.path().join("d")).expect("a directory");
    std::fs::write(directory.path().join("d/drumlin.toml"), settings).expect("a file");
    let told = shown_and_checked(&directory, &["--dir", "d"]);
    assert!(told.contains("it changes 2 of the defaults"), "{told}");
    assert!(told.contains("seed: unset → \"2a\"") && told.contains("d/../hosts.txt"), "{told}");
    let entries = std::fs::read_dir(directory.path().join("d")).expect("a directory");
    assert_eq!(entries.count(), 1, "a look leaves nothing");
}

/// What the program prints, which must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = run(&tempfile::tempdir().expect("a directory"), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let whole = printed(&["man"]);
    assert!(whole.contains(".TH drumlin 1"), "{whole}");
    for command in ["crawl", "status", "ctl", "export"] {
        assert!(whole.contains(&format!("drumlin\\-{command}(1)")), "{command}: {whole}");
        let page = printed(&["man", command]);
        assert!(page.contains(&format!(".TH drumlin-{command} 1")), "{page}");
    }
    assert!(printed(&["man", "crawl"]).contains("\\-\\-patience"));
    let refused = run(&tempfile::tempdir().expect("a directory"), &["man", "fly"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no command `fly`"));
}

#[test]
fn shells_complete_commands_and_flags() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("duplicates") && script.contains("patience"), "{shell}");
    }
}
