use crate::{Bans, Rule, Scope, ScopeRules, Url, Verdict, without_root_dot};
use regex::Regex;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn rules(scope: Scope, seeds: &[&str]) -> ScopeRules {
    let mut rules = ScopeRules::new(scope);
    for seed in seeds {
        rules.add_seed(&url(seed));
    }
    rules
}

/// Asserts which of some URLs a scope lets in.
fn check(scope: Scope, seed: &str, inside: &[&str], outside: &[&str]) {
    let rules = rules(scope, &[seed, "http://other.example.org/only/this"]);
    for text in inside {
        assert_eq!(rules.judge(&url(text)), Verdict::In, "{scope} of {seed}: {text}");
    }
    for text in outside {
        assert_eq!(rules.judge(&url(text)), Verdict::Out(Rule::Scope(scope)), "{scope} of {seed}: {text}");
    }
}

#[test]
fn each_scope_draws_its_line() {
    let seed = "http://www.example.co.uk/docs/start.html";
    check(
        Scope::Page,
        seed,
        &[seed, "https://www.example.co.uk/docs/start.html#a"],
        &["http://www.example.co.uk/docs/"],
    );
    check(
        Scope::Prefix,
        seed,
        &[
            "https://www.example.co.uk/docs/",
            "http://www.example.co.uk/docs/a/b?c",
            "http://other.example.org/only/x",
        ],
        &[
            "http://www.example.co.uk/doc",
            "http://www.example.co.uk/",
            "http://example.co.uk/docs/",
            "http://other.example.org/docs/",
        ],
    );
    check(
        Scope::Host,
        seed,
        &["https://www.example.co.uk/", "http://www.example.co.uk:8080/"],
        &["http://example.co.uk/", "http://a.www.example.co.uk/"],
    );
    check(
        Scope::Seeds,
        seed,
        &["https://www.example.co.uk/"],
        &["http://www.example.co.uk:8080/", "http://example.co.uk/"],
    );
    check(
        Scope::Domain,
        seed,
        &["http://example.co.uk:81/", "http://a.b.example.co.uk/", "http://www.example.co.uk./"],
        &["http://example.com/", "http://co.uk/"],
    );
    check(Scope::Any, seed, &["http://anything.test/"], &[]);
}

/// As keys do, scopes take forms of one place for the same.
#[test]
fn forms_of_a_place_are_one() {
    let seed = "http://example.com/~bob/%e4/";
    check(
        Scope::Prefix,
        seed,
        &[
            "http://example.com/%7Ebob/%E4/1",
            "http://example.com/%7ebob/%e4/",
            "http://example.com./~bob/%e4/",
        ],
        &["http://example.com/~bob/", "http://example.com/~bob%2F%e4/"],
    );
    for scope in [Scope::Host, Scope::Seeds] {
        check(scope, seed, &["http://example.com./a"], &["http://example.com.other.test/"]);
        check(scope, "http://example.com.:81/", &["http://example.com:81/a"], &["http://example.com/"]);
    }
}

#[test]
fn a_port_that_the_seed_names_counts() {
    let seed = "http://127.0.0.1:8080/";
    check(Scope::Host, seed, &["http://127.0.0.1:8080/a"], &["http://127.0.0.1/", "http://127.0.0.1:8081/"]);
    check(Scope::Domain, seed, &["http://127.0.0.1:9/"], &["http://127.0.0.2/"]);
}

#[test]
fn private_suffixes_part_neighbours() {
    check(
        Scope::Domain,
        "http://alice.github.io/",
        &["http://x.alice.github.io/"],
        &["http://bob.github.io/"],
    );
}

#[test]
fn the_rule_that_kept_a_url_out_is_named() {
    let expressions = |texts: &[&str]| texts.iter().map(|text| Regex::new(text).unwrap()).collect();
    let rules = rules(Scope::Any, &["http://example.com/"])
        .include(expressions(&["/docs/"]))
        .exclude(expressions(&["\\.pdf$", "private"]))
        .exclude_hosts(["ads.example".to_owned()]);
    for (text, verdict) in [
        ("http://example.com/docs/a", Verdict::In),
        ("http://example.com/docs/a.pdf", Verdict::Out(Rule::Exclude("\\.pdf$".into()))),
        ("http://example.com/a", Verdict::Out(Rule::NotIncluded)),
        ("http://x.ads.example/docs/", Verdict::Out(Rule::ExcludedHost("ads.example".into()))),
        ("http://notads.example/docs/", Verdict::In),
    ] {
        assert_eq!(rules.judge(&url(text)), verdict, "{text}");
    }
    assert_eq!(rules.judge_seed(&url("http://example.com/a")), Verdict::In);
    assert_eq!(Rule::Exclude("x".into()).to_string(), "excluded by x");
}

#[test]
fn scopes_are_named_by_their_words() {
    for scope in Scope::ALL {
        assert_eq!(scope.to_string().parse::<Scope>(), Ok(scope));
    }
    assert!("site".parse::<Scope>().unwrap_err().to_string().contains("prefix"));
}

#[test]
fn a_host_is_named_without_the_root() {
    for (host, name) in
        [("a.test.", "a.test"), ("a.test", "a.test"), ("a.test..", "a.test.."), (".", "."), ("", "")]
    {
        assert_eq!(without_root_dot(host), name, "{host}");
    }
}

#[test]
fn a_url_and_its_host_are_shunned_alike() {
    let rules = rules(Scope::Any, &[]).exclude_hosts(["a.test".to_owned(), "b.test.".to_owned()]);
    for (host, is_out) in [("a.test", true), ("www.a.test.", true), ("a.test..", false), ("b.test..", false)]
    {
        assert_eq!(rules.shuns(host).is_some(), is_out, "{host}");
        assert_eq!(rules.judge(&url(&format!("http://{host}/"))) != Verdict::In, is_out, "{host}");
    }
}

#[test]
fn what_an_operator_excludes_is_out_for_seeds_too() {
    let mut bans = Bans::default();
    bans.add_host("a.test");
    bans.add_domain("b.test");
    bans.add_pattern(Regex::new("/private/").unwrap());
    let mut rules = rules(Scope::Any, &["http://a.test/"]);
    rules.set_bans(bans);
    for (text, ban) in [
        ("http://a.test:81/", Some("host a.test")),
        ("http://a.test./", Some("host a.test")),
        ("http://www.a.test/", None),
        ("http://b.test/", Some("domain b.test")),
        ("http://x.y.b.test/", Some("domain b.test")),
        ("http://notb.test/", None),
        ("http://c.test/private/1", Some("pattern /private/")),
        ("http://c.test/", None),
    ] {
        let verdict = ban.map_or(Verdict::In, |ban| Verdict::Out(Rule::Banned(ban.to_owned())));
        assert_eq!(rules.judge(&url(text)), verdict, "{text}");
        assert_eq!(rules.judge_seed(&url(text)), verdict, "{text} as a seed");
    }
}

#[test]
fn rules_that_keep_one_url_out_are_not_everything() {
    let ban = |add: fn(&mut Bans)| {
        let mut bans = Bans::default();
        add(&mut bans);
        let mut rules = rules(Scope::Any, &[]);
        rules.set_bans(bans);
        rules
    };
    assert!(rules(Scope::Any, &[]).is_everything());
    assert!(!rules(Scope::Domain, &[]).is_everything());
    assert!(!rules(Scope::Any, &[]).exclude_hosts(["a.test".to_owned()]).is_everything());
    assert!(!ban(|bans| bans.add_host("a.test")).is_everything());
    assert!(!ban(|bans| bans.add_domain("a.test")).is_everything());
    assert!(!ban(|bans| bans.add_pattern(Regex::new("x").unwrap())).is_everything());
}

#[test]
fn home_is_the_domain_of_the_first_seed() {
    let rules = rules(Scope::Any, &["http://www.example.co.uk/", "http://b.test/"]);
    assert_eq!(rules.home_left_for(&url("https://a.example.co.uk.:81/x")), None);
    assert_eq!(rules.home_left_for(&url("http://b.test/")), Some("example.co.uk"));
}
