use super::{GroupError, HostPattern, NamedGroup, NamedGroups};

fn group(name: &str, hosts: &[&str]) -> NamedGroup {
    let hosts = hosts.iter().map(|host| host.parse().expect(host)).collect();
    NamedGroup { name: name.to_owned(), hosts, interval_ms: 2_000 }
}

#[test]
fn the_longest_pattern_that_fits_names_the_group() {
    let groups = NamedGroups::new(vec![
        group("university", &["*.uni.example", "library.example"]),
        group("press", &["*.press.uni.example"]),
        group("shop", &["shop.press.uni.example", "203.0.113.7"]),
    ])
    .unwrap();
    let name = |host| groups.of(host).map(|id| groups.get(id).name.as_str());
    for (host, group) in [
        ("uni.example", Some("university")),
        ("www.physics.uni.example", Some("university")),
        ("uni.example.", Some("university")),
        ("library.example", Some("university")),
        ("www.library.example", None),
        ("a.press.uni.example", Some("press")),
        ("shop.press.uni.example", Some("shop")),
        ("203.0.113.7", Some("shop")),
        ("notuni.example", None),
        ("example", None),
    ] {
        assert_eq!(name(host), group, "{host}");
    }
}

#[test]
fn patterns_are_read_as_hosts_of_urls_are() {
    let read = |text: &str| text.parse::<HostPattern>().map(|pattern| pattern.to_string());
    assert_eq!(read("WWW.Example.COM"), Ok("www.example.com".to_owned()));
    assert_eq!(read("*.bücher.example"), Ok("*.xn--bcher-kva.example".to_owned()));
    assert_eq!(read("[2001:DB8::1]"), Ok("[2001:db8::1]".to_owned()));
    for text in [
        "",
        "*",
        "*.",
        "a.*.com",
        "http://a.example",
        "a.example/x",
        "a.example:80",
        "a.example:8080",
        "u@a.example",
    ] {
        assert_eq!(read(text), Err(GroupError::Pattern { text: text.to_owned() }), "{text}");
    }
}

#[test]
fn a_host_cannot_be_in_two_groups() {
    let error =
        NamedGroups::new(vec![group("a", &["*.x.example"]), group("b", &["*.x.example"])]).unwrap_err();
    assert_eq!(error.to_string(), "`*.x.example` is in group `a` and in group `b`");
    NamedGroups::new(vec![group("a", &["x.example", "x.example"])]).expect("twice in the same is no harm");
}

#[test]
fn there_are_only_so_many() {
    let host = |number: usize| HostPattern::Host(format!("h{number}.example"));
    let many = |count| NamedGroup { hosts: (0..count).map(host).collect(), ..group("many", &[]) };
    assert!(NamedGroups::new(vec![many(10_000)]).is_ok());
    assert_eq!(NamedGroups::new(vec![many(10_001)]).unwrap_err(), GroupError::TooMany { count: 10_001 });
}
