use super::{Chunks, Seeds, Source, Taken, keep_list, read_hosts, write_list};
use crate::directory::SEEDS;
use crate::exit::BadUsage;
use disk::{Disk, MemDisk, SharedDisk, read_all};
use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;
use weburl::{Scope, ScopeRules, Url, Verdict};

fn list(name: &str, text: &str) -> Source {
    Source::lines(name, Box::new(Cursor::new(text.to_owned())))
}

fn urls(sources: Vec<Source>) -> Result<Vec<String>, BadUsage> {
    Seeds::of(sources).map(|seed| seed.map(|url| url.to_string())).collect()
}

fn disk() -> MemDisk {
    let disk = MemDisk::new();
    disk.create_dir(Path::new("state")).unwrap();
    disk
}

fn taken(disk: &MemDisk, text: &str, rules: &mut ScopeRules) -> anyhow::Result<Taken> {
    let taken = write_list(disk, Seeds::of(vec![list("seeds.txt", text)]), rules)?;
    keep_list(disk, &taken)?;
    Ok(taken)
}

fn stored(disk: &MemDisk) -> String {
    String::from_utf8(read_all(disk, Path::new(SEEDS)).unwrap()).unwrap()
}

#[test]
fn words_and_lines_in_order() {
    let typed = Source::typed(&["https://a.example".to_owned()]);
    let lines = list("l", "\u{feff}# mine\n\n  http://b.example/x#y  \r\nhttp://c.example");
    assert_eq!(
        urls(vec![typed, lines]).unwrap(),
        ["https://a.example/", "http://b.example/x", "http://c.example/"]
    );
}

#[test]
fn a_comment_begins_behind_a_blank_and_a_fragment_does_not() {
    let lines = list(
        "l",
        "http://h/p/2  # note\nhttp://h/p/3\t#note\nhttp://h/p/4#part\n \u{a0}# mine\nhttp://h/a b",
    );
    assert_eq!(
        urls(vec![lines]).unwrap(),
        ["http://h/p/2", "http://h/p/3", "http://h/p/4", "http://h/a%20b"]
    );
}

#[test]
fn what_is_behind_a_very_long_comment_is_no_url() {
    let long = format!("#{}", "x http://c.example/ ".repeat(10_000));
    let lines = list("l", &format!("http://a.example/\n{long}\nhttp://b.example/\nbad"));
    let found: Vec<_> = Seeds::of(vec![lines]).collect();
    let [Ok(first), Ok(second), Err(bad)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((first.as_str(), second.as_str()), ("http://a.example/", "http://b.example/"));
    assert!(bad.0.starts_with("l, line 4: "), "{}", bad.0);
}

#[test]
fn a_line_that_is_not_read_to_its_end_is_told_by_what_is_read_of_one() {
    let long = format!("http://a.example/{}", "x".repeat(70_000));
    assert_eq!(urls(vec![list("l", &long)]).unwrap_err().0, "l, line 1: longer than 65,536 bytes");
}

#[test]
fn a_bad_line_is_named() {
    let text = "http://a.example\n\n#\nhttp://b.example\nhttp://c.example\n\nhttp://[bad\nhttp://d.example\n";
    let message = urls(vec![list("my seeds.txt", text)]).unwrap_err().0;
    assert!(message.starts_with("my seeds.txt, line 7: `http://[bad` is not a URL: "), "{message}");
    for text in ["http://a.example/\tlabel", "http://a.example/\rhttp://b.example/\r"] {
        let message = urls(vec![list("l", text)]).unwrap_err().0;
        assert!(message.ends_with("there is a tab or another control character in it"), "{message}");
    }
}

#[test]
fn a_list_in_another_encoding_is_no_list_of_urls() {
    let text = b"http://a.example/ # caf\xe9\nhttp://a.example/caf\xe9\n".to_vec();
    let found: Vec<_> = Seeds::of(vec![Source::lines("l", Box::new(Cursor::new(text)))]).collect();
    let [Ok(first), Err(bad)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((first.as_str(), bad.0.as_str()), ("http://a.example/", "l, line 2: not UTF-8"));
}

#[test]
fn excluded_hosts_are_names_with_all_below_them() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("hosts");
    let read = |text: &str| {
        fs::write(&path, text).expect("a file");
        read_hosts(&path).map_err(|error| error.0.rsplit_once("line ").expect("a line").1.to_owned())
    };
    let names = "\u{feff}# mine\r\nA.example\r\n*.b.example\n.c.example.\n[::1]\n";
    assert_eq!(read(names).expect("hosts"), ["a.example", "b.example", "c.example", "[::1]"]);
    for (line, why) in
        [("*", "of a host; a host and all below it"), ("a.*.example", "`*`"), ("a..example", "a host")]
    {
        let message = read(&format!("ok.example\n{line}\n")).unwrap_err();
        assert!(message.starts_with(&format!("2: `{line}`")) && message.contains(why), "{message}");
    }
}

#[test]
fn a_bare_host_is_told_what_it_lacks() {
    for (text, hint) in
        [("example.com", "perhaps https://example.com"), ("localhost:80/x", "perhaps https://localhost:80/x")]
    {
        let message = urls(vec![Source::typed(&[text.to_owned()])]).unwrap_err().0;
        assert!(message.contains(hint), "{message}");
    }
    let slip = urls(vec![Source::typed(&["htp:/x".to_owned()])]).unwrap_err().0;
    assert!(slip.contains("only http and https") && !slip.contains("perhaps"), "{slip}");
    assert!(
        urls(vec![Source::typed(&["ftp://a.example".to_owned()])])
            .unwrap_err()
            .0
            .contains("only http and https")
    );
}

#[test]
fn a_line_without_end_is_not_read_to_its_end() {
    let endless = "http://a.example/".to_owned() + &"x".repeat(1 << 20);
    assert!(urls(vec![list("l", &endless)]).is_err());
}

#[test]
fn new_seeds_come_after_old_ones_and_each_is_there_once() {
    let (disk, mut rules) = (disk(), ScopeRules::new(Scope::Domain));
    let first =
        taken(&disk, "http://a.example/1\nhttp://a.example/1\nhttp://www.a.example/2", &mut rules).unwrap();
    assert_eq!(
        (first.seeds, first.added, first.several_sites, first.host.as_str()),
        (2, 2, false, "a.example")
    );
    let mut rules = ScopeRules::new(Scope::Domain);
    let second = taken(&disk, "http://b.example\nhttp://a.example/1", &mut rules).unwrap();
    assert_eq!((second.seeds, second.added, second.several_sites), (3, 1, true));
    assert_eq!(stored(&disk), "http://a.example/1\nhttp://www.a.example/2\nhttp://b.example/\n");
    for url in ["http://x.a.example/", "http://b.example/y"] {
        assert_eq!(rules.judge(&Url::parse(url).unwrap()), Verdict::In);
    }
}

#[test]
fn seeds_that_rules_exclude_are_counted_by_rule() {
    let disk = disk();
    let exclude = vec![regex::Regex::new("/private").unwrap()];
    let mut rules = ScopeRules::new(Scope::Host).exclude(exclude).exclude_hosts(["b.example".to_owned()]);
    let text = "http://a.example/private/1\nhttp://a.example/private/2\nhttp://b.example/\nhttp://a.example/";
    let first = taken(&disk, text, &mut rules).unwrap();
    let by_rule = [("excluded by /private".to_owned(), 2), ("excluded host b.example".to_owned(), 1)];
    assert_eq!((first.seeds, &first.excluded), (4, &by_rule.into()));
    let again = taken(&disk, "", &mut rules).unwrap();
    assert_eq!(again.excluded, first.excluded, "old ones are judged by the rules of today");
}

#[test]
fn after_an_error_the_list_is_as_it_was() {
    let (disk, mut rules) = (disk(), ScopeRules::new(Scope::Host));
    taken(&disk, "http://a.example", &mut rules).unwrap();
    assert!(taken(&disk, "http://b.example\nnonsense", &mut rules).is_err());
    assert_eq!(stored(&disk), "http://a.example/\n");
    assert_eq!(disk.list(Path::new("state")).unwrap(), ["seeds.txt"]);
}

#[test]
fn seeds_are_handed_out_some_thousands_at_a_time() {
    let disk = disk();
    let text = (0..10_000).map(|n| format!("http://a.example/{n}")).collect::<Vec<_>>().join(
        "
",
    );
    taken(&disk, &text, &mut ScopeRules::new(Scope::Page)).unwrap();
    let shared: SharedDisk = Arc::new(disk);
    let chunks: Vec<Vec<Url>> = Chunks::open(&shared).unwrap().collect();
    assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), [4000, 4000, 2000]);
    assert_eq!(chunks[2][1999].as_str(), "http://a.example/9999");
}

#[test]
fn a_damaged_list_ends_and_says_so() {
    let disk = disk();
    disk::replace_file(&disk, Path::new(SEEDS), b"http://a.example/\n\xff\n").unwrap();
    let shared: SharedDisk = Arc::new(disk);
    let mut chunks = Chunks::open(&shared).unwrap();
    let fault = chunks.fault();
    assert!(chunks.next().is_none() && chunks.next().is_none());
    let fault = fault.take().unwrap().to_string();
    assert!(fault.starts_with("state/seeds.txt, line 2: not UTF-8"), "{fault}");
}
