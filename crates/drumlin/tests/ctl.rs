//! A crawl that is told what to do, while it runs and while it does not, over kills: by the program, judged from the
//! server's log.

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use simweb::server::{Running, ServerOptions, start};
use simweb::{Contact, WebConfig};
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// Somebody who waits looks this often, and so often.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const LOOKS: u32 = 1_200;

/// A web, and a place for a crawl of it.
struct Stage {
    web: Running,
    place: TempDir,
}

impl Stage {
    fn new() -> Self {
        let config = WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(3, 300).calm() };
        let web = start(config, ServerOptions::default()).expect("a free port");
        let place = tempfile::tempdir().expect("a place");
        fs::write(place.path().join("ca.pem"), &web.ca_pem).expect("a file");
        Self { web, place }
    }

    fn drumlin(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        command.args(args).current_dir(self.place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A crawl of the whole web, begun.
    fn begin(&self) -> Child {
        self.begin_with(&[])
    }

    fn begin_with(&self, further: &[&str]) -> Child {
        let (seed, dns) = (self.web.web.seeds(1).remove(0), self.web.dns.to_string());
        let reach = ["--dns", &dns, "--ca-file", "ca.pem", "--allow-ip", "127.0.0.0/8", "--ip-delay", "0"];
        let rest =
            ["--scope", "any", "--delay", "0.05", "--dir", "d", "-q", "--contact", "test@drumlin.example"];
        self.drumlin(&[&["crawl", &seed], &reach[..], &rest[..], further].concat())
            .spawn()
            .expect("it starts")
    }

    fn resume(&self) -> Child {
        self.drumlin(&["resume", "d", "-q"]).spawn().expect("it starts")
    }

    /// Says something; gives what was answered.
    fn say(&self, args: &[&str]) -> String {
        let output = self.output(&[&["ctl", "d"], args].concat());
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What a command that has to succeed prints.
    fn told(&self, args: &[&str]) -> String {
        let output = self.output(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Files of a directory of the crawl, in order.
    fn files(&self, dir: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.place.path().join("d").join(dir)).expect("a directory");
        let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
    }

    /// Everything in files of a directory whose names end so, unpacked.
    fn unpacked(&self, dir: &str, suffix: &str) -> String {
        let mut all = String::new();
        for path in self.files(dir) {
            if path.to_string_lossy().ends_with(suffix) {
                let mut bytes = Vec::new();
                let file = fs::File::open(path).expect("a file");
                MultiGzDecoder::new(file).read_to_end(&mut bytes).expect("gzip");
                all.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        all
    }

    fn output(&self, args: &[&str]) -> Output {
        self.drumlin(args).output().expect("it runs")
    }

    fn status(&self) -> Value {
        serde_json::from_slice(&self.output(&["status", "d", "--json"]).stdout).unwrap_or_default()
    }

    fn contacts(&self) -> usize {
        self.web.log.contacts().len()
    }

    /// The host that gave a page last, of those that are not a seed's.
    fn some_host(&self) -> String {
        let seed = self.web.web.seeds(1).remove(0);
        let contacts = self.web.log.contacts();
        // A domain's rules may lie at its `www`, or the other way round: without the one the other's would be asked for again and again.
        let is_needed =
            |host: &str| seed.contains(host) || host.starts_with("www.") || host.split('.').count() < 3;
        let gave_a_page = |contact: &Contact| contact.status == 200 && !contact.target.starts_with("/robots");
        let mut others = contacts.iter().rev().filter(|contact| gave_a_page(contact));
        let other = others.find(|contact| !is_needed(&contact.host));
        other.expect("another host").host.split(':').next().expect("a name").to_owned()
    }

    fn contacts_with(&self, host: &str) -> usize {
        let contacts = self.web.log.contacts();
        contacts.iter().filter(|contact| contact.host.split(':').next() == Some(host)).count()
    }
}

#[expect(clippy::disallowed_methods, reason = "another process is waited for")]
fn await_that(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if is_so() {
            return;
        }
        sleep(LOOK_EVERY);
    }
    panic!("in vain: {what}");
}

/// `kill -9`, and what was under way has come to its end at the server.
fn kill(mut crawl: Child, stage: &Stage) {
    crawl.kill().expect("it runs");
    crawl.wait().expect("it is dead");
    stage.web.settle().expect("the server answers");
}

#[test]
fn what_a_crawl_was_told_holds_over_kills() {
    let stage = Stage::new();
    let crawl = stage.begin();
    await_that("some contacts", || stage.contacts() > 60);
    kill(crawl, &stage);

    assert!(stage.say(&["pause"]).starts_with("pause: done"));
    // Whoever asks for the status of a crawl that does not run keeps others from starting it meanwhile.
    let socket = stage.place.path().join("d/state/control.sock");
    fs::remove_file(&socket).expect("left behind by the kill");
    let (before, crawl) = (stage.contacts(), stage.resume());
    await_that("a crawl that listens", || socket.exists());
    await_that("a paused crawl that runs", || {
        let status = stage.status();
        status["run"]["state"] == "running" && status["snapshot"]["paused"] == true
    });
    assert_eq!(stage.status()["bottleneck"]["what"], "paused");
    kill(crawl, &stage);
    assert_eq!(stage.contacts(), before, "nobody was contacted");

    let host = stage.some_host();
    assert!(stage.say(&["exclude", &host]).starts_with("exclude: done"));
    assert!(stage.say(&["pause"]).contains("already"), "it was still paused");
    assert!(stage.say(&["resume"]).starts_with("resume: done"));
    let explained = stage.output(&["explain", &host, "--dir", "d"]);
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(explained.contains(&format!("excluded by the operator: host {host}, since")), "{explained}");

    let with_host = stage.contacts_with(&host);
    let mut crawl = stage.resume();
    assert_eq!(crawl.wait().expect("it ends").code(), Some(0));
    assert!(stage.contacts() > before, "it went on");
    assert_eq!(stage.contacts_with(&host), with_host, "not with that host");

    let refused = stage.output(&["ctl", "d", "readmit", "never.example"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stage.say(&["readmit", &host]).starts_with("readmit: done"));
    assert!(stage.say(&["retry"]).starts_with("retry: "));
    let mut crawl = stage.resume();
    assert_eq!(crawl.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_crawl_that_runs_does_what_it_is_told() {
    let stage = Stage::new();
    let mut crawl = stage.begin();
    await_that("some contacts", || stage.contacts() > 60);
    assert!(stage.say(&["pause"]).starts_with("pause: done"));
    await_that("nothing under way", || {
        let status = stage.status();
        status["snapshot"]["paused"] == true && status["snapshot"]["in_flight"] == 0
    });
    stage.web.settle().expect("the server answers");
    let (before, host) = (stage.contacts(), stage.some_host());
    assert!(stage.say(&["exclude", &host]).starts_with("exclude: done"));
    let told = stage.output(&["explain", &host, "--dir", "d"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains(&format!("excluded by the operator: host {host}, since")), "{told}");
    assert_eq!(stage.contacts(), before, "nobody was contacted");

    let with_host = stage.contacts_with(&host);
    assert!(stage.say(&["set", "--delay", "0.01", "--concurrency", "8"]).starts_with("set: done"));
    let shows_what_is_set = || {
        let shown = stage.told(&["config", "show", "--dir", "d"]);
        ["delay = \"10ms\"", "ip_delay = \"0s\"", "concurrency = 8", "#limit = 10000"]
            .iter()
            .all(|line| shown.lines().any(|shown| shown == *line))
    };
    assert!(shows_what_is_set(), "of a crawl that runs");
    assert!(stage.say(&["resume"]).starts_with("resume: done"));
    await_that("more contacts", || stage.contacts() > before + 20);
    assert!(stage.say(&["stop"]).starts_with("stop: done"));
    assert_eq!(crawl.wait().expect("it ends").code(), Some(130));
    assert_eq!(stage.contacts_with(&host), with_host, "not with that host");
    assert!(shows_what_is_set(), "of one that does not");
    let not_running = stage.output(&["ctl", "d", "stop"]);
    assert_eq!(not_running.status.code(), Some(2));
}

#[test]
fn what_a_named_file_says_goes_over_what_was_set() {
    let stage = Stage::new();
    fs::write(stage.place.path().join("c.toml"), "limit = 3\n").expect("a file");
    let pages = || {
        let mut crawl = stage.begin_with(&["--config", "c.toml"]);
        assert_eq!(crawl.wait().expect("it ends").code(), Some(4));
        stage.status()["snapshot"]["pages"].as_u64()
    };
    assert_eq!(pages(), Some(3));
    assert!(stage.say(&["set", "--limit", "9"]).starts_with("set: done"));
    assert_eq!(pages(), Some(3));
}

#[test]
fn what_is_taken_down_leaves_the_crawl_no_more_and_then_is_gone() {
    let stage = Stage::new();
    let crawl = stage.begin();
    await_that("some contacts", || stage.contacts() > 100);
    let host = stage.some_host();
    assert!(stage.say(&["takedown", &host]).starts_with("takedown: excluded, and withheld"));
    let before = stage.contacts();
    await_that("what it said is in the archive", || stage.contacts() > before + 20);
    kill(crawl, &stage);
    let with_host = stage.contacts_with(&host);
    assert_eq!(stage.resume().wait().expect("it ends").code(), Some(0));
    assert_eq!(stage.contacts_with(&host), with_host, "nobody was contacted");

    let names_it = |text: &str, before: &str| {
        ["http", "https"].iter().any(|scheme| text.contains(&format!("{before}{scheme}://{host}")))
    };
    let has_records = |text: &str| names_it(text, "WARC-Target-URI: ");
    assert!(has_records(&stage.unpacked("archive", ".warc.gz")), "the archive has it still");
    let said = stage.told(&["export", "jsonl", "--dir", "d"]);
    assert!(said.contains("withheld (withheld.jsonl)"), "{said}");
    let list = fs::read_to_string(stage.place.path().join("d/export/jsonl/withheld.jsonl")).expect("a list");
    assert!(list.contains(&format!("of host {host}\"}}")), "{list}");
    assert!(!names_it(&stage.unpacked("export/jsonl", ".jsonl.gz"), "\"url\":\""));
    let explained = stage.told(&["explain", &host, "--dir", "d"]);
    assert!(
        explained.contains("withheld   takedown ") && explained.contains(&format!(": host {host}")),
        "{explained}"
    );
    assert_eq!(stage.output(&["export", "wacz", "--dir", "d"]).status.code(), Some(2));

    let audited = stage.told(&["audit", "d"]);
    assert!(
        audited.contains("withheld  takedown ") && audited.contains("until `drumlin purge`"),
        "{audited}"
    );
    let file = stage.files("archive").into_iter().find(|path| path.to_string_lossy().ends_with(".gz"));
    let file = file.expect("a WARC file");
    let unpurged = fs::read(&file).expect("readable");

    // Killed somewhere in the middle, and done again.
    let tripwire =
        stage.drumlin(&["purge", "d"]).env("DRUMLIN_ABORT_AT_DISK_CALL", "60").output().expect("it runs");
    assert!(!tripwire.status.success(), "it was to be killed");
    let said = stage.told(&["purge", "d"]);
    let gone = |of: &str, what: &str| {
        let mut lines = said.lines().filter_map(|line| line.strip_prefix(of));
        lines.any(|line| line.contains(what) && line.contains(" gone from 1 file"))
    };
    assert!(gone("archive: ", " record") && gone("corpus: ", " row"), "{said}");
    assert_eq!(stage.told(&["purge", "d"]), "nothing is taken down that is not purged\n");
    let archive = stage.unpacked("archive", ".warc.gz");
    assert!(!has_records(&archive) && archive.contains("takenDownBy: "));
    let index = fs::read_to_string(stage.place.path().join("d/archive/index.cdxj")).expect("an index");
    assert!(!names_it(&index, "\"url\": \""));
    let is_warc = |path: &PathBuf| path.extension().is_some_and(|end| end == "gz");
    for path in stage.files("archive").iter().filter(|path| is_warc(path)) {
        stage.told(&["warc", "check", &path.to_string_lossy()]);
    }
    stage.told(&["export", "wacz", "--dir", "d"]);
    assert!(stage.told(&["explain", &host, "--dir", "d"]).contains("purged     takedown "));
    assert!(stage.told(&["audit", "d"]).contains("purged    1 takedown\n"));

    // It comes back from a backup, and goes again.
    fs::write(&file, unpurged).expect("writable");
    let found = stage.output(&["audit", "d"]);
    let said = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(found.status.code() == Some(6) && said.contains("not-purged"), "{said}");
    assert_eq!(stage.output(&["export", "wacz", "--dir", "d"]).status.code(), Some(2));
    let said = stage.told(&["purge", "d"]);
    assert!(said.starts_with("what was purged before had come back\narchive: "), "{said}");
    assert!(said.contains(" gone from 1 file, ") && said.contains("export: 1 file removed"), "{said}");
    assert!(!has_records(&stage.unpacked("archive", ".warc.gz")));
    assert!(stage.told(&["audit", "d"]).contains("purged    1 takedown\n"));
    assert_eq!(stage.told(&["purge", "d"]), "nothing is taken down that is not purged\n");

    // Links are found again from the archive, as far as it is there.
    assert!(stage.say(&["readmit", &host]).starts_with("readmit: done"));
    let events = stage.told(&["log", "d", "--events"]);
    for told in ["\"event\":\"purged\"", "\"command\":\"readmit\""] {
        assert_eq!(events.matches(told).count(), 1, "{told}: {events}");
    }
    assert_eq!(stage.resume().wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_file_of_the_archive_that_is_lost_is_named_and_no_purge_is_whole_without_it() {
    let stage = Stage::new();
    let crawl = stage.begin();
    await_that("some contacts", || stage.contacts() > 60);
    kill(crawl, &stage);
    assert_eq!(stage.resume().wait().expect("it ends").code(), Some(0));
    let is_warc = |path: &PathBuf| path.extension().is_some_and(|end| end == "gz");
    let files: Vec<_> = stage.files("archive").into_iter().filter(is_warc).collect();
    assert!(files.len() > 1, "another is the newest");
    let (lost, bytes) = (&files[0], fs::read(&files[0]).expect("readable"));
    let name = lost.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(stage.status()["absent"], serde_json::json!([]));

    fs::remove_file(lost).expect("there");
    let said = |args: &[&str]| {
        let output = stage.output(args);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, told) = said(&["resume", "d", "-q"]);
    assert!(code == Some(0) && told.contains(&format!("1 WARC file ({name})")), "{code:?}: {told}");
    let events = stage.told(&["log", "d", "--events"]);
    assert_eq!(events.matches("\"event\":\"archive-absent\"").count(), 1, "{events}");
    assert_eq!(stage.status()["absent"], serde_json::json!([name]));
    assert!(stage.told(&["status", "d"]).contains(&format!("absent      1 WARC file ({name})")));
    let (code, told) = said(&["export", "cdxj", "--dir", "d"]);
    assert!(code == Some(0) && told.contains(&name), "{code:?}: {told}");

    let host = stage.some_host();
    assert!(stage.say(&["takedown", &host]).starts_with("takedown: excluded, and withheld"));
    let (code, told) = said(&["purge", "d"]);
    assert!(code == Some(1) && told.contains(&name), "{code:?}: {told}");
    assert_eq!(stage.status()["taken_down"]["withheld"], 1);
    fs::write(lost, bytes).expect("writable");
    stage.told(&["purge", "d"]);
    let status = stage.status();
    assert_eq!((&status["taken_down"]["purged"], &status["absent"]), (&1.into(), &serde_json::json!([])));
}

/// Each of them opens it, and so does a crawl that is just beginning.
#[test]
fn who_speaks_to_a_crawl_at_rest_waits_for_who_does_so_already() {
    let stage = Stage::new();
    let crawl = stage.begin();
    await_that("some contacts", || stage.contacts() > 10);
    kill(crawl, &stage);
    let speak = |n: u32| stage.drumlin(&["ctl", "d", "exclude", &format!("h{n}.example")]).spawn();
    let speakers: Vec<Child> = (0..3).map(|n| speak(n).expect("it runs")).collect();
    for mut speaker in speakers {
        assert_eq!(speaker.wait().expect("it ends").code(), Some(0));
    }
    let index = stage.place.path().join("d/archive/index.cdxj");
    fs::remove_file(&index).expect("there");
    fs::create_dir(&index).expect("made");
    let output = stage.output(&["ctl", "d", "exclude", "h9.example"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("exclude holds, but"), "{told}");
}
