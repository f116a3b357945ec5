//! Bad input: one clear line, the right exit code, and nothing changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `drumlin` in `dir`.
fn drumlin(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drumlin")).args(args).current_dir(dir).output().unwrap()
}

/// Asserts bad usage, told on one line that has `part`, with nothing made in a fresh directory beside `files`.
fn check(files: &[(&str, &str)], args: &[&str], part: &str) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let before = tree(dir.path());
    let output = drumlin(dir.path(), args);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{args:?}: {told}");
    assert!(told.starts_with("drumlin: ") && told.contains(part), "{args:?}: {told}");
    assert_eq!(tree(dir.path()), before, "{args:?}");
    assert!(output.stdout.is_empty());
}

/// Every file and directory below `dir` with its content.
fn tree(dir: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.push(path.display().to_string());
            all.extend(tree(&path));
        } else {
            all.push(format!("{}: {:?}", path.display(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

/// Flags that name no place where a dashboard could be: told before anything is made.
#[test]
fn addresses_that_nobody_can_listen_at() {
    check(&[], &["crawl", SEED, "--ui=nonsense"], "`nonsense` is not an address to listen at");
    check(&[], &["crawl", SEED, "--ui=0.0.0.0:0"], "--ui-allow-remote");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("--ui={}", taken.local_addr().unwrap());
    check(&[], &["crawl", SEED, &at], "cannot listen at 127.0.0.1:");
    let saved = ("d/drumlin.toml", "format = 1\nseed = \"2a\"\n");
    let files = [saved, ("d/crawl.lock", ""), ("d/state/seeds.txt", "http://a.example/\n")];
    check(&files, &["crawl", "http://a.example/2", "--dir", "d", "--limit", "3", &at], "cannot listen at");
    check(&files, &["resume", "d", &at], "cannot listen at");
    check(&[], &["demo", &at], "cannot listen at");
}

/// The directory of a key is signed in somebody's name: nothing is made before that name makes sense.
#[test]
fn keys_that_nobody_could_use() {
    check(&[], &["keygen", "k.pem", "--agent", "http://bot.example"], "no origin");
    check(&[], &["keygen", "k.pem", "--agent", "https://bot.example/x"], "no origin");
    check(&[], &["keygen", "k.pem", "--agent", "https://bot.example", "--valid", "0"], "--valid");
    check(&[], &["keygen", "none/k.pem", "--agent", "https://bot.example"], "cannot write none/k.pem");
}

#[test]
fn crawls_that_are_not_touched() {
    let (lock, seeds) = (("d/crawl.lock", ""), ("d/state/seeds.txt", "http://a.example/\n"));
    let saved = ("d/drumlin.toml", "format = 1\nseed = \"2a\"\n");
    check(
        &[saved, lock, seeds],
        &["demo", "-o", "d"],
        "d is a crawl and no demo; name another directory with --dir",
    );
    check(&[saved, lock, seeds], &["audit", "d"], "there is no journal; nothing can be proven");
    check(&[saved, lock, seeds], &["audit", "d", "--contacts"], "there is no journal");
    // A seed of somebody else's site is not among its own when it is refused.
    check(&[saved, lock, seeds], &["crawl", "http://b.example/", "--dir", "d"], "--contact");
    let emptied = [("d/drumlin.toml", ""), lock, seeds];
    for args in [&["crawl", SEED, "--dir", "d"][..], &["resume", "d"], &["status", "d"], &["demo", "-o", "d"]]
    {
        check(&emptied, args, "d/drumlin.toml is damaged: it has no `seed`");
    }
}

const SEED: &str = "http://a.example/";

/// Who looks at a crawl needs nothing of what only a run does.
#[test]
fn a_crawl_is_looked_at_without_its_key() {
    let dir = tempfile::tempdir().unwrap();
    let settings =
        "format = 1\nseed = \"2a\"\n[signature]\nkey = \"gone.pem\"\nagent = \"https://bot.example\"\n";
    fs::create_dir_all(dir.path().join("d/state")).unwrap();
    fs::write(dir.path().join("d/drumlin.toml"), settings).unwrap();
    fs::write(dir.path().join("d/crawl.lock"), "").unwrap();
    fs::write(dir.path().join("d/state/seeds.txt"), "http://a.example/\nhttp://b.example/\n").unwrap();
    for args in [&["status", "d"][..], &["explain", SEED, "--dir", "d"], &["config", "show", "--dir", "d"]] {
        let output = drumlin(dir.path(), args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = drumlin(dir.path(), &["resume", "d"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("--contact"), "{told}");
}

#[test]
fn flags_that_mean_nothing() {
    check(&[], &["crawl", SEED, "--scope", "world"], "page, prefix, host, domain, seeds, any");
    check(&[], &["crawl", SEED, "--dealy", "1"], "--delay");
    check(&[], &["crawl", SEED, "--time-limit", "soon"], "`soon` is not a duration");
    check(&[], &["crawl", SEED, "--size-limit", "big"], "`big` is not a size");
    check(&[], &["crawl", SEED, "--limit", "0"], "--limit");
    check(&[], &["crawl", SEED, "--size-limit", "0"], "more than 0, or `none`");
    check(&[], &["crawl", SEED, "--time-limit", "0"], "more than 0, or `none`");
    check(&[], &["ctl", "d", "set", "--size-limit", "0"], "more than 0, or `none`");
    check(&[], &["crawl", SEED, "--limit", "-5"], "not a whole number");
    check(&[], &["crawl", SEED, "--limit", "9223372036854775808"], "at most 9223372036854775807 pages");
    check(&[], &["crawl", SEED, "--memory", "20T"], "a memory of 22.0 TB is more than this machine has");
    check(&[], &["crawl", SEED, "--archive", "burn"], "keep, expire");
    check(&[], &["crawl", SEED, "--text", "best"], "visible, main, markdown, none");
    check(&[], &["crawl", SEED, "--archive", "expire", "--depth", "2"], "exclude each other");
    check(&[], &["crawl", SEED, "--include", "a(b"], "unclosed group, at character 2");
    check(&[], &["crawl", SEED, "--allow-ip", "8.8.8.0/24"], "8.8.8.0/24");
    check(&[], &["crawl", SEED, "--allow-ip", "here"], "`here` is neither a range of addresses");
    check(&[], &["config", "show", "--allow-ip", "8.8.8.8"], "8.8.8.8/32");
    check(&[], &["crawl", SEED, "--bind", "192.0.2.7"], "--bind: connections cannot leave from 192.0.2.7");
    check(&[], &["crawl", SEED, "--dns", "resolver"], "`resolver` is not IP or IP:PORT");
    check(&[], &["crawl", SEED, "--user-agent", "Mozilla/5.0"], "passes for another program");
    check(&[], &["crawl", SEED, "--contact", "me"], "contact `me`");
    check(&[], &["crawl", SEED, "--memory", "1M"], "64M");
    check(&[], &["crawl", SEED, "--profile", "hasty"], "gentle, default, broad");
    check(&[], &["crawl", SEED, "--group", "uni"], "NAME=HOST");
    check(&[], &["crawl", SEED, "--group", "uni=a.example@soon"], "`soon` is not a duration");
    check(&[], &["crawl", SEED, "--group", "uni=a/b"], "`a/b` is no host");
    let twice = ["crawl", SEED, "--group", "one=a.example", "--group", "two=a.example"];
    check(&[], &twice, "--group: `a.example` is in group `one` and in group `two`");
    check(&[], &["export", "wet", "--dir", "d", "--kinds", "anchor"], "--kinds is of graph alone");
    check(
        &[],
        &["export", "cdxj", "--dir", "d", "--respect", "none"],
        "--respect is of wet, fineweb and jsonl",
    );
    check(&[], &["fly"], "fly");
}

#[test]
fn files_that_cannot_be_read() {
    check(&[], &["crawl", "--seeds", "absent.txt"], "cannot read seeds file absent.txt: No such file");
    check(&[("d/x", "")], &["crawl", "--seeds", "d"], "cannot read seeds file d");
    check(&[], &["crawl", SEED, "--config", "absent.toml"], "cannot read absent.toml");
    check(&[], &["crawl", SEED, "--exclude-hosts", "absent.txt"], "cannot read absent.txt");
    check(&[], &["crawl", SEED, "--ca-file", "absent.pem"], "cannot read the CA file absent.pem");
    check(&[("ca.pem", "nothing")], &["crawl", SEED, "--ca-file", "ca.pem"], "CA file");
    check(&[("h.txt", "a.example\nb c\n")], &["crawl", SEED, "--exclude-hosts", "h.txt"], "h.txt, line 2");
    check(
        &[("c.toml", "dealy = 1")],
        &["crawl", SEED, "--config", "c.toml"],
        "c.toml, line 1: unknown key `dealy`",
    );
}

#[test]
fn settings_that_are_not_in_order() {
    let check_file = |text: &str, part: &str| {
        check(&[("c.toml", text)], &["config", "check", "c.toml"], part);
        check(&[("c.toml", text)], &["config", "show", "--config", "c.toml"], part);
    };
    check_file("dealy = 1", "c.toml, line 1: unknown key `dealy`; the nearest known one is `delay`");
    check_file("[page]\nbdy = 1", "c.toml, line 2: unknown key `bdy`; the nearest known one is `body`");
    check_file("format = 2\nnew_key = 1", "c.toml: it has format 2, made by a newer drumlin");
    check_file("memory = \"1M\"", "64M");
    check_file("limit = 0", "limit 0 is no limit");
    check_file("size_limit = 0", "size_limit 0 is no limit: a size above 0, or no such line");
    check_file("time_limit = 0", "time_limit 0 is no limit: a time above 0, or no such line");
    check_file("include = [\"a(b\"]", "unclosed group");
    check_file("exclude_hosts = \"absent.txt\"", "cannot read absent.txt");
    check_file("ca_file = \"absent.pem\"", "cannot read the CA file");
    let earlier = [("c.toml", "depth = 3\nearlier = \"gone\"")];
    check(&earlier, &["config", "check", "c.toml"], "c.toml, line 2: --earlier: there is no crawl in gone");
    check(&[], &["config", "check", "absent.toml"], "cannot read absent.toml");
    check(&[], &["config", "show", "--dir", "absent"], "there is no directory absent");
    check(&[], &["config", "show", "--dealy", "1"], "--delay");
}

/// `config check` names all that is wrong, a line each; a crawl names the first and says where the others are named.
#[test]
fn all_that_is_wrong_is_named_at_once() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("c.toml"), "dealy = 1\nconcurrency = 0\n[page]\nbdy = 1\n").unwrap();
    let checked = drumlin(dir.path(), &["config", "check", "c.toml"]);
    assert_eq!(checked.status.code(), Some(2));
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert_eq!(lines[0], "drumlin: c.toml, line 1: unknown key `dealy`; the nearest known one is `delay`");
    assert_eq!(lines[1], "drumlin: c.toml, line 2: concurrency 0 is not between 1 and 50000");
    assert_eq!(lines[2], "drumlin: c.toml, line 4: unknown key `bdy`; the nearest known one is `body`");
    let begun = drumlin(dir.path(), &["crawl", SEED, "--config", "c.toml"]);
    let told = String::from_utf8_lossy(&begun.stderr).into_owned();
    assert!(told.contains("line 1: unknown key `dealy`") && told.contains("names 1 more"), "{told}");
}

/// What is said of one key of a pair is said once, at its line.
#[test]
fn a_faulty_key_of_a_pair_is_one_fault() {
    let dir = tempfile::tempdir().unwrap();
    let made = drumlin(dir.path(), &["keygen", "k.pem", "--agent", "https://bot.example"]);
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    for (key, agent, place) in [
        ("\"k.pem\"", "\"http://bot.example\"", "line 3: [signature] agent: "),
        ("\"gone.pem\"", "\"https://bot.example\"", "line 2: [signature] key: cannot read"),
        ("5", "\"https://bot.example\"", "line 2: [signature] key: "),
    ] {
        let text = format!("[signature]\nkey = {key}\nagent = {agent}\n");
        check(&[("c.toml", &text), ("k.pem", &pem(&dir))], &["config", "check", "c.toml"], place);
    }
    check(&[("c.toml", "[signature]\nkey = \"k.pem\"\n")], &["config", "check", "c.toml"], "go together");
}

fn pem(dir: &tempfile::TempDir) -> String {
    fs::read_to_string(dir.path().join("k.pem")).unwrap()
}

#[test]
fn seeds_that_are_none() {
    let list = "http://a.example/1\n# a comment\n\nhttp://a.example/2\nhttp://a.example/3\n\nhttp://a b/\n";
    check(&[("s.txt", list)], &["crawl", "--seeds", "s.txt"], "s.txt, line 7: ");
    check(&[("s.txt", list)], &["crawl", "--seeds", "s.txt", "--dir", "new/deep"], "s.txt, line 7: ");
    check(&[], &["crawl"], "nothing to crawl");
    check(&[("s.txt", "# none\n")], &["crawl", "--seeds", "s.txt", "--dir", "d"], "nothing to crawl");
    check(&[], &["crawl", "a.example"], "perhaps https://a.example");
    check(&[], &["crawl", "ftp://a.example"], "only http and https");
}

#[test]
fn other_peoples_sites_need_a_contact() {
    check(&[], &["crawl", "http://a.example", "http://b.example"], "--contact");
    check(&[], &["crawl", "http://a.example", "--scope", "any"], "--contact");
}

#[test]
fn directories_that_are_no_crawl() {
    check(&[("d/notes.txt", "mine")], &["crawl", SEED, "--dir", "d"], "`notes.txt`");
    check(&[("d", "a file")], &["crawl", SEED, "--dir", "d"], "not a directory");
    check(&[("d/notes.txt", "mine")], &["resume", "d"], "is not a crawl");
    check(&[], &["resume", "absent"], "there is no directory absent");
    for command in ["status", "report", "audit", "ui"] {
        check(&[("d/drumlin.toml", "delay = 1")], &[command, "d"], "the crawl in d has not begun");
    }
    check(&[], &["explain", SEED, "--dir", "absent"], "there is no directory absent");
    check(&[], &["explain", "no host", "--dir", "absent"], "`no host`");
}

/// What is checked before a crawl that is there is touched: the lock file is the one thing that comes, and where nothing has begun it goes
/// again.
#[test]
fn crawls_that_are_of_another_time() {
    let lock = ("d/crawl.lock", "");
    check(
        &[("d/drumlin.toml", "format = 2\nnew_key = 1\n"), lock],
        &["resume", "d"],
        "d/drumlin.toml: it has format 2",
    );
    check(
        &[("d/drumlin.toml", "format = 1\nnew_key = 1\n"), lock],
        &["resume", "d"],
        "unknown key `new_key`",
    );
    let saved = ("d/drumlin.toml", "format = 1\nseed = \"2a\"\n");
    check(
        &[saved, ("c.toml", "seed = \"2b\"")],
        &["crawl", SEED, "--dir", "d", "--config", "c.toml"],
        "keeps its own",
    );
    let seeds = ("d/state/seeds.txt", "http://a.example/\n");
    check(
        &[saved, seeds, lock, ("s.txt", "http://a.example/\nnonsense\n")],
        &["crawl", "--dir", "d", "--seeds", "s.txt"],
        "s.txt, line 2",
    );
}

#[test]
fn commands_that_are_written_as_another_is() {
    check(&[], &[], "which command? drumlin --help lists them");
    check(&[], &["config"], "which command? drumlin config --help lists them");
    check(&[], &["version"], "'version'");
    check(&[("d/x", "")], &["ctl", "pause", "d"], "usage: drumlin ctl <DIR> pause");
    check(&[("d/x", "")], &["export", "wet", "d"], "usage: drumlin export");
    check(&[("d/x", "")], &["duplicates", "d"], "usage: drumlin duplicates");
    check(&[], &["retry", "d"], "--dir <DIR>");
    check(&[], &["resume", "d", "--limit", "5"], "'--limit' found; usage: drumlin resume");
    check(&[], &["explain", "d"], "--dir <DIR>");
    check(&[], &["status", SEED], &format!("there is no directory {SEED}"));
    check(&[], &["report", "a.example"], "name its crawl with --dir");
    check(&[], &["export", "wett", "--dir", "d"], "a similar value exists: 'wet'");
    check(&[], &["log", "d", "--format", "xml"], "plain, json, heritrix");
    check(&[("d/x", "")], &["report", "d", "--out", "numbers.json"], "--out names the page");
    check(&[("d/x", "")], &["report", "d", "--out", "p.html", "--json"], "'--out <FILE>'");
    check(&[], &["completions", "csh"], "bash, elvish, fish, powershell, zsh");
}

#[test]
fn commands_to_a_crawl_that_say_nothing() {
    check(&[], &["ctl", "d"], "pause, resume, stop");
    check(&[], &["ctl", "d", "puase"], "a similar subcommand exists: 'pause'");
    check(&[], &["ctl", "d", "set"], "--limit");
    check(&[], &["ctl", "d", "set", "--limit", "-5"], "'-5' for '--limit <N|none>'");
    check(&[], &["ctl", "d", "set", "--limit", "0"], "at least 1 page, or `none`");
    check(&[], &["ctl", "d", "set", "--delay", "-1"], "'-1' for '--delay <SECS>'");
    check(&[], &["ctl", "d", "exclude"], "Name a HOST, --domain or --pattern");
    check(
        &[],
        &["ctl", "d", "exclude", "https://a.example/x"],
        "`https://a.example/x` is not the name of a host",
    );
    check(&[], &["ctl", "d", "takedown", "--pattern", "("], "`(` is not a regular expression");
    let long = format!("http://a.example/{}", "x".repeat(120_000));
    let longer_than_a_command = [&["ctl", "d", "seeds"][..], &[&*long; 9]].concat();
    check(&[], &longer_than_a_command, "bytes of a command are too many: 1048576 are the most");
    check(&[], &["ctl", "absent", "pause"], "there is no directory absent");
    check(&[], &["ctl", "absent", "stop"], "there is no directory absent");
}

#[test]
fn files_and_numbers_of_tools() {
    check(&[], &["robots", "absent.txt"], "cannot read absent.txt: No such file");
    check(&[], &["parse", "absent.html", "--url", SEED], "cannot read absent.html: No such file");
    let page = [("page.html", "")];
    check(&page, &["parse", "page.html", "--url", "http://["], "--url: `http://[`");
    check(&page, &["parse", "page.html", "--url", SEED, "--header", "nonsense"], "`nonsense` has no colon");
    check(&[], &["robots", "http://["], "`http://[`");
    check(&[], &["robots", SEED, "--allow-ip", "192.0.0.0/2"], "--allow-ip: ");
    check(&[], &["warc", "check", "absent.warc.gz"], "cannot read absent.warc.gz");
    check(&[("f.txt", "no archive")], &["warc", "ls", "f.txt"], "f.txt is not a whole WARC file: at byte 0");
    check(&[], &["plan", "--pages", "many", "--days", "2"], "'many' for '--pages <N>': not a number");
    check(&[], &["plan", "--pages", "-5", "--days", "2"], "--pages is -5; it must be a number above 0");
    for (flag, value, message) in [
        (
            "--memory",
            "64M",
            "--memory is 67.1 MB; below 96.0 MB the disk is not read sequentially (Theorem 2)",
        ),
        ("--page-size", "0", "--page-size is 0; it must be a number above 0"),
        ("--disk-rate", "0", "--disk-rate is 0; it must be a number above 0"),
        ("--net", "-2", "--net is -2; it must be a number above 0"),
        ("--seen", "-5", "--seen is -5; it must be a number from 0 on"),
        ("--unique", "2", "--unique is 2; a share is above 0 and at most 1"),
        ("--misses", "0", "--misses is 0; a share is above 0 and at most 1"),
    ] {
        check(&[], &["plan", "--pages", "1e9", "--days", "2", flag, value], message);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["--help"][..], &["--version"], &["crawl", "--help"]] {
        let output = drumlin(dir.path(), args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{args:?}");
    }
    let full = fs::File::create("/dev/full").unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_drumlin")).arg("--help").stdout(full).output().unwrap();
    assert_eq!(help.status.code(), Some(5));
    let help = drumlin(dir.path(), &["crawl", "--help"]).stdout;
    assert!(String::from_utf8(help).unwrap().contains("130  interrupted"));
}

/// By default the signal that comes with it kills, and nobody is told of what.
#[test]
fn a_file_that_would_be_longer_than_the_limit_on_files_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let script = format!("ulimit -f 1; exec {} man crawl > out", env!("CARGO_BIN_EXE_drumlin"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("File too large"), "{told}");
}
