use super::{FORMAT, Settings, Size, Span, explained, read};
use control::{Bound, Changes};
use std::path::Path;
use weburl::Scope;

fn check(text: &str) -> Settings {
    read("a.toml", text).unwrap()
}

fn refused(text: &str) -> String {
    read("a.toml", text).unwrap_err().0
}

#[test]
fn what_is_written_is_read_back() {
    let mut settings = Settings::defaults();
    settings.seed = Some("00ff".into());
    settings.include = Some(vec!["/docs/".into()]);
    settings.allow_ip = Some(vec!["127.0.0.0/8".parse().unwrap()]);
    settings.time_limit = Some(Span(1500));
    let text = toml::to_string(&settings.to_table()).unwrap();
    assert_eq!(check(&text), settings);
    assert!(text.contains("time_limit = \"1500ms\""), "{text}");
}

#[test]
fn numbers_have_the_units_of_the_command_line() {
    let settings = check("delay = 0.5\npatience = \"10m\"\nsize_limit = \"1.5G\"\nmemory = 1048576\n");
    assert_eq!((settings.delay, settings.patience), (Some(Span(500)), Some(Span(600_000))));
    assert_eq!((settings.size_limit, settings.memory), (Some(Size(3 << 29)), Some(Size(1 << 20))));
}

#[test]
fn unknown_keys_are_named_with_the_nearest_known_one() {
    assert_eq!(
        refused("scope = \"host\"\ndealy = 1\n"),
        "a.toml, line 2: unknown key `dealy`; the nearest known one is `delay`"
    );
    assert_eq!(
        refused("[retry]\nbase = 1\natempts = 3\n"),
        "a.toml, line 3: unknown key `atempts`; the nearest known one is `attempts`"
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    for (text, line) in
        [("delay = \"soon\"", 1), ("\nlimit = \"x\"", 2), ("a b", 1), ("\n\nscope = \"world\"", 3)]
    {
        let message = refused(text);
        assert!(message.starts_with(&format!("a.toml, line {line}: ")), "{message}");
        assert!(!message.contains('\n'), "{message}");
    }
    assert!(refused("delay = -1").starts_with("a.toml, line 1"));
}

#[test]
fn what_is_of_another_kind_is_told_with_its_key_in_plain_words() {
    for (text, told) in [
        (
            "delay = 99999999999999999999",
            "delay: invalid type: integer `99999999999999999999`, expected one of fewer digits",
        ),
        ("limit = \"x\"", "limit: invalid type: string \"x\", expected a whole number from 1 on"),
        ("retry = 5", "[retry]: invalid type: integer `5`, expected a table"),
        (
            "[retry]\nattempts = 300",
            "[retry] attempts: invalid value: integer `300`, expected a whole number from 1 to 255",
        ),
        ("include = 3", "include: invalid type: integer `3`, expected a list"),
        ("bind = [\"foo\"]", "bind: `foo` is not an IP address"),
        (
            "allow_ip = [\"foo\"]",
            "allow_ip: `foo` is neither a range of addresses, such as 10.0.0.0/8, nor an address",
        ),
    ] {
        assert_eq!(refused(text).split_once(": ").map(|(_, reason)| reason), Some(told));
    }
}

#[test]
fn an_address_is_the_range_of_itself() {
    let ranges = check("allow_ip = [\"10.0.0.1\", \"::1\", \"10.0.0.0/8\"]").allow_ip.unwrap();
    assert_eq!(
        ranges.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["10.0.0.1/32", "::1/128", "10.0.0.0/8"]
    );
}

#[test]
fn a_newer_format_is_refused_before_its_keys_are_judged() {
    let newer = FORMAT + 1;
    let message = refused(&format!("format = {newer}\nunheard_of = 1\n"));
    assert!(message.contains(&format!("format {newer}")) && message.contains("newer drumlin"), "{message}");
}

#[test]
fn a_number_that_no_file_holds_is_refused_where_it_stands() {
    for (text, line) in [("limit = 9223372036854775808", 1), ("[retry]\nfactor = 9223372036854775808", 2)] {
        let message = refused(text);
        assert!(message.starts_with(&format!("a.toml, line {line}: ")), "{message}");
        assert!(message.contains("9223372036854775807 is the most"), "{message}");
    }
    check("limit = 9223372036854775807\n[retry]\nfactor = 9223372036854775807").to_table();
}

#[test]
fn what_was_set_beyond_that_is_shown_as_the_most() {
    let endless = Some(Bound::AtMost(u64::MAX));
    let set = Changes { limit: endless, size_limit: endless, time_limit_ms: endless, ..Changes::default() };
    let shown = Settings::defaults().set_to(&set);
    assert_eq!(shown.to_table()["limit"].as_integer(), Some(i64::MAX));
}

#[test]
fn later_layers_go_over_earlier_ones_key_by_key() {
    let below = check("delay = 2\ndepth = 3\n[retry]\nbase = 1\nattempts = 2\n");
    let above = check("depth = 5\n[retry]\nattempts = 4\n");
    let both = below.overlaid(&above);
    assert_eq!((both.delay, both.depth), (Some(Span(2000)), Some(5)));
    let retry = both.retry.clone().unwrap();
    assert_eq!((retry.base, retry.attempts), (Some(Span(1000)), Some(4)));
    assert_eq!(below.changes_to(&both), ["depth: 3 → 5", "retry.attempts: 2 → 4"]);
    assert_eq!(both.overlaid(&Settings::default()), both);
}

#[test]
fn a_layer_may_lift_what_is_below_it() {
    let below = check("limit = 30\ndepth = 3\n");
    let none = Settings { lifted: vec!["limit"], ..Settings::default() };
    let both = below.overlaid(&Settings::default().overlaid(&none));
    assert_eq!((both.limit, both.depth), (None, Some(3)));
    assert_eq!(below.changes_to(&both), ["limit: 30 → unset"]);
}

#[test]
fn a_password_is_not_shown() {
    let proxy = |proxy: &str| Settings { proxy: Some(proxy.to_owned()), ..Settings::default() };
    let (with, other) = (proxy("http://me:s@cret@192.0.2.1:80"), proxy("http://me:other@192.0.2.1:80"));
    assert_eq!(
        with.changes_to(&other),
        ["proxy: \"http://me:***@192.0.2.1:80\" → \"http://me:***@192.0.2.1:80\""]
    );
    assert_eq!(with.changes_to(&Settings::default()), ["proxy: \"http://me:***@192.0.2.1:80\" → unset"]);
    assert_eq!(with.clone().masked(), proxy("http://me:***@192.0.2.1:80"));
    let open = proxy("http://192.0.2.1:80");
    assert_eq!((with.has_password(), open.has_password(), open.clone().masked()), (true, false, open));
}

#[test]
fn paths_in_a_file_are_relative_to_it() {
    let settings =
        check("ca_file = \"state/ca.pem\"\nexclude_hosts = \"/etc/hosts\"\n").rooted_at(Path::new("crawl"));
    assert_eq!(settings.ca_file.unwrap(), Path::new("crawl/state/ca.pem"));
    assert_eq!(settings.exclude_hosts.unwrap(), Path::new("/etc/hosts"));
}

#[test]
fn every_scope_can_be_written_in_a_file() {
    for scope in Scope::ALL {
        assert_eq!(check(&format!("scope = \"{scope}\"")).scope, Some(scope));
    }
}

#[test]
fn a_file_that_was_cut_at_the_end_of_a_line_leaves_keys_to_their_defaults() {
    let own =
        Settings { seed: Some("2a".into()), exclude: Some(vec!["/private/".into()]), ..Settings::defaults() };
    let text = explained(&own);
    let left = |text: &str| read("drumlin.toml", text).unwrap().left_to_defaults();
    assert_eq!(left(&text), Vec::<String>::new());
    for (at, _) in text.match_indices('\n').filter(|(at, _)| text[*at..].contains("\nfiles = ")) {
        assert_ne!(left(&text[..=at]), Vec::<String>::new(), "{}", &text[..at]);
    }
    assert_eq!(left(text.split("\nfiles = ").next().unwrap()), ["log.files: unset → 8"]);
}
