//! Whole crawls by the program itself, of a small synthetic web on loopback; judged by its outputs and the server's log.

use serde_json::{Value, json};
use simweb::WebConfig;
use simweb::server::{Running, ServerOptions, start};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A web, and a place for crawls of it.
struct Stage {
    web: Running,
    place: TempDir,
}

impl Stage {
    /// A calm web of about `pages` pages.
    fn new(pages: u64) -> Self {
        let config = WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(3, pages).calm() };
        let web = start(config, ServerOptions::default()).unwrap();
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("ca.pem"), &web.ca_pem).unwrap();
        Self { web, place }
    }

    fn dir(&self) -> PathBuf {
        self.place.path().join("d")
    }

    /// `drumlin crawl` of the whole web, without delays.
    fn crawl(&self, more: &[&str]) -> Command {
        let seed = self.web.web.seeds(1).remove(0);
        self.with(&["crawl", &seed, "--scope", "any", "--delay", "0"], more)
    }

    /// A command, with what lets it reach this web.
    fn with(&self, command: &[&str], more: &[&str]) -> Command {
        let dns = self.web.dns.to_string();
        let reach = ["--dns", &dns, "--ca-file", "ca.pem", "--allow-ip", "127.0.0.0/8", "--ip-delay", "0"];
        let rest = ["--dir", "d", "--json", "--contact", "test@drumlin.example"];
        self.drumlin(&[command, &reach, &rest, more].concat())
    }

    fn drumlin(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        command.args(args).current_dir(self.place.path());
        command
    }

    /// How often each page was given, by host and target; redirects are none.
    fn asked(&self) -> BTreeMap<String, u32> {
        let mut asked = BTreeMap::new();
        let no_page = |target: &str| target == "/robots.txt" || target.starts_with("/sitemap");
        let contacts = self.web.log.contacts();
        for contact in contacts.iter().filter(|contact| contact.status == 200 && !no_page(&contact.target)) {
            *asked.entry(format!("{}{}", contact.host, contact.target)).or_default() += 1;
        }
        asked
    }
}

/// The last line of standard output, after checking that it tells the exit code.
fn end(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().last().unwrap_or_else(|| panic!("nothing printed; told: {told}"));
    let end: Value = serde_json::from_str(line).unwrap();
    assert_eq!(end["event"], "end", "{told}");
    assert_eq!(end["code"].as_i64(), output.status.code().map(i64::from), "{told}");
    end
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_limit_is_exact_and_without_it_the_crawl_goes_on() {
    let stage = Stage::new(80);
    let first = end(&stage.crawl(&["--limit", "25"]).output().unwrap());
    assert_eq!((first["exit"].as_str(), first["summary"]["pages"].as_u64()), (Some("limit"), Some(25)));
    assert_eq!(stage.asked().len(), 25, "no page was begun beyond the limit");

    let again = end(&stage.crawl(&[]).output().unwrap());
    assert_eq!(again["exit"], "limit", "it stays as long as nobody says otherwise");

    let output = stage.drumlin(&["crawl", "--dir", "d", "--limit", "none", "--json"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("changed for this crawl: limit: 25 → unset"), "{told}");
    let second = end(&output);
    let asked = stage.asked();
    assert_eq!(second["exit"], "done");
    assert_eq!(second["summary"]["pages"].as_u64(), Some(asked.len() as u64));
    assert!(
        asked.len() > 60 && asked.values().all(|times| *times == 1),
        "nothing was fetched twice: {asked:?}"
    );

    let files = names(&stage.dir());
    assert_eq!(files, ["archive", "corpus", "crawl.lock", "crawl.log", "drumlin.toml", "log", "state"]);
    assert!(names(&stage.dir().join("archive")).contains(&"index.cdxj".to_owned()));
    assert!(names(&stage.dir().join("corpus")).iter().all(|name| name.starts_with("pages-")));
}

/// Looks whether something is so until it is.
#[expect(clippy::disallowed_methods, reason = "another process is waited for")]
fn await_that(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..1_200 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("in vain: {what}");
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Whoever has read standard error may be gone, and a terminal may go away.
#[test]
fn signals_end_a_crawl_that_nobody_listens_to() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let stage = Stage::new(300);
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let seed = stage.web.web.seeds(1).remove(0);
        let mut crawl = stage.with(&["crawl", &seed, "--scope", "any"], &[]);
        crawl.stdout(Stdio::null()).stderr(full);
        let mut crawl = crawl.spawn().unwrap();
        await_that("a crawl that has begun", || stage.asked().len() > 1);
        send(signal, &crawl);
        await_that("its end", || crawl.try_wait().unwrap().is_some());
        assert_eq!(crawl.wait().unwrap().code(), Some(130), "{signal}");
    }
}

/// `nohup` is heard.
#[test]
fn a_hang_up_that_is_ignored_stays_ignored() {
    let stage = Stage::new(40);
    let crawl = stage.crawl(&[]);
    let mut nohup = Command::new("nohup");
    nohup.arg(crawl.get_program()).args(crawl.get_args()).current_dir(stage.place.path());
    let mut crawl = nohup.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_that("a crawl that has begun", || !stage.asked().is_empty());
    send("-HUP", &crawl);
    assert_eq!(crawl.wait().unwrap().code(), Some(0));
}

/// The file says the same as before, so only the flag tells that it is meant.
#[test]
fn a_flag_that_is_typed_goes_over_what_was_set() {
    let stage = Stage::new(60);
    end(&stage.crawl(&["--limit", "8"]).output().unwrap());
    let set = stage.drumlin(&["ctl", "d", "set", "--limit", "4", "--concurrency", "2"]).output().unwrap();
    assert!(set.status.success(), "{set:?}");
    let told = |more: &[&str]| {
        let output = stage.crawl(more).output().unwrap();
        (end(&output)["summary"]["pages"].as_u64(), String::from_utf8(output.stderr).unwrap())
    };
    let set = stage.drumlin(&["ctl", "d", "set", "--limit", "none"]).output().unwrap();
    assert!(set.status.success(), "{set:?}");
    let shown = stage.drumlin(&["config", "show", "--dir", "d"]).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(
        shown.contains("\n#limit = ") && shown.contains("\nconcurrency = 2\n"),
        "what was set holds: {shown}"
    );
    let (pages, said) = told(&["--limit", "8"]);
    assert_eq!(pages, Some(8), "{said}");
    assert!(said.contains("limit: as it is given now") && !said.contains("concurrency: as"), "{said}");
    let (_, said) = told(&["--limit", "8"]);
    assert!(!said.contains("as it is given now"), "it is let go for good: {said}");
}

#[test]
fn an_export_says_what_a_crash_has_kept_from_it() {
    let stage = Stage::new(60);
    let mut crawl = stage.crawl(&["--quiet"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    await_that("a crawl that has said something", || stage.dir().join("state/status.json").exists());
    await_that("a corpus", || stage.dir().join("corpus").exists());
    crawl.kill().unwrap();
    crawl.wait().unwrap();
    let told = |args: &[&str]| {
        let output = stage.drumlin(&[args, &["--dir", "d"]].concat()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let all = [&["export", "jsonl"][..], &["export", "wet"], &["duplicates"]];
    for args in all {
        assert!(told(args).contains("may have no row yet; `drumlin resume d` first"), "{args:?}");
    }
    // As a run before has left it.
    fs::write(stage.dir().join("archive/index.cdxj"), "").unwrap();
    let of_index = [&["export", "cdxj"][..], &["export", "index"], &["export", "wacz"]];
    for args in of_index {
        assert!(
            told(args).contains("the index may lack what it archived; `drumlin resume d` first"),
            "{args:?}"
        );
    }
    assert_eq!(end(&stage.drumlin(&["resume", "d", "--json"]).output().unwrap())["exit"], "done");
    for args in all.iter().chain(&of_index) {
        assert!(!told(args).contains("first"), "{args:?}");
    }
}

/// A directory's name may be any bytes.
#[test]
fn a_directory_whose_name_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let (stage, name) = (Stage::new(20), std::ffi::OsStr::from_bytes(b"d-\xff"));
    let (seed, dns) = (stage.web.web.seeds(1).remove(0), stage.web.dns.to_string());
    let reach = ["--dns", &dns, "--allow-ip", "127.0.0.0/8", "--ip-delay", "0", "--insecure", "--delay", "0"];
    let crawl = |more: &[&str]| {
        let args = [&["crawl", &seed, "--json", "--scope", "host"], &reach[..], more].concat();
        stage.drumlin(&args).arg("--dir").arg(name).output().unwrap()
    };
    for limit in ["3", "100000"] {
        assert!(end(&crawl(&["--limit", limit]))["outputs"]["dir"].as_str().unwrap().starts_with("d-"));
    }
    let resumed = stage.drumlin(&["resume", "--json"]).arg(name).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0));
    let refused = crawl(&["--ca-file", "ca.pem"]);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && told.contains("is not UTF-8"), "{told}");
}

#[test]
fn resume_takes_everything_from_the_directory() {
    let stage = Stage::new(60);
    end(&stage.crawl(&["--limit", "10"]).output().unwrap());
    fs::remove_file(stage.place.path().join("ca.pem")).unwrap();
    fs::rename(stage.dir(), stage.place.path().join("moved")).unwrap();
    let config = stage.place.path().join("moved/drumlin.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("limit = 10\n", "")).unwrap();
    let resumed = end(&stage.drumlin(&["resume", "moved", "--json"]).output().unwrap());
    assert_eq!(resumed["exit"], "done");
    assert!(stage.asked().values().all(|times| *times == 1));
    fs::remove_file(stage.place.path().join("moved/state/seeds.txt")).unwrap();
    let refused = stage.drumlin(&["resume", "moved"]).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(2) && told.contains("state/seeds.txt is gone or empty"), "{told}");
}

/// The file had another name once; what it says holds, and goes on under the new one.
#[test]
fn a_directory_of_old_goes_on() {
    let stage = Stage::new(20);
    end(&stage.crawl(&["--limit", "5"]).output().unwrap());
    let [new, old] = ["drumlin.toml", "crawl.toml"].map(|name| stage.dir().join(name));
    fs::rename(&new, &old).unwrap();
    let shown = stage.drumlin(&["config", "show", "--dir", "d"]).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("\nlimit = 5\n"));
    assert!(old.exists() && !new.exists(), "a look changes nothing");

    let resumed = end(&stage.drumlin(&["resume", "d", "--json"]).output().unwrap());
    assert_eq!((&resumed["exit"], &resumed["summary"]["pages"]), (&json!("limit"), &json!(5)));
    assert!(new.exists() && !old.exists());
}

#[test]
fn one_interrupt_drains_and_saves() {
    let stage = Stage::new(80);
    let seed = stage.web.web.seeds(1).remove(0);
    let slow = ["crawl", &seed, "--scope", "any", "--delay", "0.2"];
    let mut child = stage.with(&slow, &[]).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_pages(&mut child);
    let other = stage.drumlin(&["resume", "d"]).output().unwrap();
    assert_eq!(other.status.code(), Some(2), "one process a directory");
    assert!(String::from_utf8_lossy(&other.stderr).contains("in use"));

    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!names(&stage.dir().join("archive")).join(" ").contains(".open"), "the archive is closed");
    let resumed = end(&stage.crawl(&[]).output().unwrap());
    assert_eq!(resumed["exit"], "done");
    assert!(stage.asked().values().all(|times| *times == 1));
}

/// Reads progress until some page has come.
fn wait_for_pages(child: &mut Child) {
    let stdout = BufReader::new(child.stdout.take().unwrap());
    for line in stdout.lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if line["pages"].as_u64() > Some(0) {
            return;
        }
    }
    panic!("the crawl ended before it was interrupted");
}

#[test]
fn a_crawl_that_was_killed_goes_on() {
    let stage = Stage::new(60);
    let killed = stage.crawl(&[]).env("DRUMLIN_ABORT_AT_DISK_CALL", "60").output().unwrap();
    assert_eq!(killed.status.code(), None, "it died by a signal");
    let resumed = end(&stage.crawl(&[]).output().unwrap());
    assert_eq!(resumed["exit"], "done");
    assert_eq!(resumed["summary"]["pages"].as_u64(), Some(stage.asked().len() as u64));
}

#[test]
fn seeds_come_through_a_pipe() {
    let stage = Stage::new(60);
    let list = stage.place.path().join("list.txt");
    fs::write(&list, format!("# one\n\n{}\n", stage.web.web.seeds(1)[0])).unwrap();
    let mut command = stage.with(&["crawl", "--seeds", "-", "--scope", "page"], &[]);
    let output = command.stdin(fs::File::open(&list).unwrap()).output().unwrap();
    let end = end(&output);
    assert_eq!((end["exit"].as_str(), end["summary"]["pages"].as_u64()), (Some("done"), Some(1)));
}

#[test]
fn hosts_of_a_group_share_a_clock_and_the_crawl_remembers_it() {
    const INTERVAL_US: u64 = 120_000;
    let stage = Stage::new(60);
    let web = &stage.web.web;
    let hosts: Vec<String> = web.hosts().map(|host| web.name_of(host)).collect();
    let group = format!("all={}@120ms", hosts.join(","));
    let first = end(&stage.crawl(&["--group", &group, "--limit", "20"]).output().unwrap());
    assert_eq!(first["exit"], "limit");
    assert!(fs::read_to_string(stage.dir().join("drumlin.toml")).unwrap().contains("groups = [\"all="));
    let starts = || stage.web.log.contacts().iter().map(|contact| contact.start_us).collect::<Vec<_>>();
    let spread = |starts: &[u64]| starts.iter().max().unwrap() - starts.iter().min().unwrap();
    let of_first = starts();
    // The first of them may have come late to the server, all others only later than they might.
    assert!(of_first.len() > 20 && spread(&of_first) >= (of_first.len() as u64 - 2) * INTERVAL_US);
    let config = stage.dir().join("drumlin.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("limit = 20\n", "limit = 35\n")).unwrap();
    end(&stage.drumlin(&["resume", "d", "--json"]).output().unwrap());
    let of_second = &starts()[of_first.len()..];
    assert!(of_second.len() >= 15 && spread(of_second) >= (of_second.len() as u64 - 2) * INTERVAL_US);
    let host = hosts.first().expect("a web has hosts");
    let told = stage.drumlin(&["explain", host, "--dir", "d"]).output().unwrap();
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("all: 120 ms from one request to the next"), "{told}");
}

#[test]
fn a_url_is_explained_while_nobody_crawls() {
    let stage = Stage::new(80);
    let seed = stage.web.web.seeds(1).remove(0);
    end(&stage.crawl(&["--limit", "5", "--exclude", "/kept-out/"]).output().unwrap());
    let explain = |url: &str| {
        let output = stage.drumlin(&["explain", url, "--dir", "d"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let told = explain(&seed);
    for part in
        ["state      fetched: entry", "answer     200, ", "pattern    /: ", "host       ", "domain     "]
    {
        assert!(told.contains(part), "{part} is not in {told}");
    }
    let (at, file) = told.split_once("its record begins at byte ").unwrap().1.split_once(" of ").unwrap();
    let index = fs::read_to_string(stage.dir().join("archive/index.cdxj")).unwrap();
    let (at, file) = (format!("\"offset\": \"{at}\""), file.lines().next().unwrap());
    let line = index.lines().find(|line| line.contains(&at) && line.contains(file));
    assert!(line.is_some_and(|line| line.contains(&seed)), "{at} and {file} in {index}");
    let mut links = simweb::LinkList::default();
    stage.web.web.list_links(&seed, &mut links);
    let waits = links
        .iter()
        .map(explain)
        .find(|told| told.contains("state      waits, 1 link from a seed, found on"));
    assert!(waits.is_some(), "some link of the first page waits");
    assert!(explain(&format!("{seed}never-heard-of/7?b=1&a=2")).contains("state      never discovered"));
    let bare = format!("{}page", seed.strip_prefix("http://").unwrap());
    assert!(explain(&bare).starts_with(&format!("http://{bare}\n")), "a scheme may be left out");
    let marked = explain(&format!("{seed}?utm_source=letter"));
    assert!(marked.contains(&format!("requested  as {seed}, which is the same URL")), "{marked}");
    let kept_out = explain(&format!("{seed}kept-out/7"));
    let said = "state      not in the crawl, by the rule below\n  scope      excluded by /kept-out/\n";
    assert!(kept_out.contains(said), "{kept_out}");
    assert!(
        explain(&format!("{seed}never-heard-of/7?b=1&a=2")).contains("/<title>/<number>?a&b: none fetched")
    );
    let done = end(&stage.crawl(&["--limit", "100000"]).output().unwrap());
    assert_eq!(done["exit"], "done", "and it goes on as if nobody had asked");
    assert!(stage.asked().values().all(|times| *times == 1));
}

#[test]
fn what_was_refused_as_private_is_asked_for_again_once_its_range_is_named() {
    let stage = Stage::new(40);
    let (seed, dns) = (stage.web.web.seeds(1).remove(0), stage.web.dns.to_string());
    let said = ["--scope", "any", "--delay", "0", "--ip-delay", "0", "--dns", &dns, "--ca-file", "ca.pem"];
    let rest = ["--dir", "d", "--json", "--contact", "test@drumlin.example", "--limit", "5"];
    let refused = end(&stage.drumlin(&[&["crawl", &seed], &said[..], &rest].concat()).output().unwrap());
    assert_eq!((&refused["exit"], &refused["summary"]["pages"]), (&json!("done"), &json!(0)), "{refused:#}");
    let retried = stage.drumlin(&["retry", "--dir", "d"]).output().unwrap();
    let told = String::from_utf8_lossy(&retried.stdout);
    assert!(told.contains("and of 1 whose host's addresses were refused"), "{told} {retried:?}");
    let fetched = end(&stage.crawl(&["--limit", "5"]).output().unwrap());
    assert_eq!((&fetched["exit"], &fetched["summary"]["pages"]), (&json!("limit"), &json!(5)), "{fetched:#}");
}
