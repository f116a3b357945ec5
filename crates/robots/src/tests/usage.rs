use crate::{Answer, Preferences, Robots, UsageRules, Use};

fn said(value: &str) -> String {
    Preferences::of_usage(value).to_string()
}

#[test]
fn both_vocabularies_are_read() {
    assert_eq!(said("train-ai=n, search=y"), "train-ai=n, search=y");
    assert_eq!(said("ai-train=no, search=yes, ai-input=no"), "train-ai=n, ai-input=n, search=y");
    assert_eq!(said("TRAIN-AI = N;search=?1"), "train-ai=n, search=y");
    assert_eq!(said("train-ai=maybe, frobnicate=n, train-ai"), "");
}

#[test]
fn what_is_narrow_goes_over_what_is_broad() {
    assert_eq!(said("search=y, bots=n"), "train-ai=n, ai-input=n, search=y, tdm=n");
    assert_eq!(said("ai=n"), "train-ai=n, ai-input=n");
    assert_eq!(said("train-ai=y, train-ai=n"), "train-ai=n", "said twice");
    for of_a_part in ["train-ai=y, train-genai=n", "train-genai=n, train-ai=y", "ai=y, ai-input=y, genai=n"] {
        assert!(Preferences::of_usage(of_a_part).refuses(Use::Train), "{of_a_part}");
    }
}

#[test]
fn of_two_the_stricter_counts() {
    let (one, other) = (Preferences::of_usage("train-ai=y, search=n"), Preferences::of_usage("train-ai=n"));
    for both in [one.with(other), other.with(one)] {
        assert_eq!(both.to_string(), "train-ai=n, search=n");
        assert_eq!(both.of(Use::Input), None);
    }
    assert_eq!(Preferences::of_tdm_reservation(" 1 ").of(Use::Mining), Some(Answer::No));
    assert_eq!(Preferences::of_tdm_reservation("0").of(Use::Mining), Some(Answer::Yes));
    assert!(Preferences::of_tdm_reservation("yes").is_none());
    assert!(Preferences::refusing(&[Use::Train]).refuses(Use::Train));
}

#[track_caller]
fn check(robots: &str, path: &str, wanted: &str) {
    assert_eq!(UsageRules::parse(robots.as_bytes(), "drumlin/1").preferences(path).to_string(), wanted);
}

#[test]
fn lines_are_of_groups() {
    let robots = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\n\
        User-agent: other\nContent-Usage: search=n\n";
    check(robots, "/a", "train-ai=n, search=y");
    let named = format!("{robots}\nUser-agent: Drumlin\ncontent-usage: train-ai=y\n");
    check(&named, "/a", "train-ai=y");
    check("Content-Usage: train-ai=n\nUser-agent: drumlin\nDisallow: /x\n", "/a", "train-ai=n");
    check("User-agent: a\nContent-Usage: train-ai=n\n", "/a", "");
}

#[test]
fn what_stands_in_front_of_all_groups_is_said_to_those_whom_no_group_names() {
    check("Content-Usage: train-ai=n\nUser-agent: *\nDisallow: /x\n", "/a", "train-ai=n");
    check("Content-Usage: train-ai=n\n", "/a", "train-ai=n");
}

#[test]
fn the_longest_pattern_decides_of_each_use() {
    let robots = "User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /open/ train-ai=y\n\
        Content-Usage: /open/*.pdf train-ai=n\nContent-Usage: /no-answer\n";
    check(robots, "/closed", "train-ai=n, search=y");
    check(robots, "/open/a", "train-ai=y, search=y");
    check(robots, "/open/a.pdf", "train-ai=n, search=y");
    check("User-agent: *\nContent-Usage: train-ai=y\nContent-Signal: ai-train=no\n", "/", "train-ai=n");
}

/// To whoever asks what may be fetched, such lines are none.
#[test]
fn rules_of_fetching_stay_as_they_were() {
    let with = "User-agent: a\nContent-Usage: train-ai=n\nUser-agent: drumlin\nDisallow: /x\n";
    let without = "User-agent: a\n\nUser-agent: drumlin\nDisallow: /x\n";
    let verdict = |text: &str| Robots::parse(text.as_bytes(), "drumlin").verdict("/x").allowed;
    assert_eq!([verdict(with), verdict(without)], [false, false]);
}

#[test]
fn a_flood_is_cut() {
    let line = |n| format!("Content-Usage: /{n:0>200} train-ai=n\n");
    let flood = (0..10_000).map(line).collect::<Vec<_>>().concat();
    let rules = UsageRules::parse(format!("User-agent: *\n{flood}").as_bytes(), "drumlin");
    let bytes = serde_json::to_vec(&rules).unwrap();
    assert!(!rules.is_empty() && bytes.len() < 64 << 10, "{}", bytes.len());
}

#[test]
fn more_rules_than_are_kept_free_nothing() {
    let lines = |count| {
        (0..count).map(|n| format!("Content-Usage: /a{n}/ train-ai=n\n")).collect::<Vec<_>>().concat()
    };
    let few = format!("User-agent: *\n{}", lines(256));
    check(&few, "/a255/x", "train-ai=n");
    check(&few, "/b", "");
    let many = format!("User-agent: *\nContent-Usage: /a* train-ai=y, search=y\n{}", lines(300));
    for path in ["/a0/x", "/a299/x", "/b"] {
        check(&many, path, "train-ai=n");
    }
    let long = format!(
        "User-agent: *\nContent-Usage: /{} search=y\nContent-Usage: train-ai=n\n",
        "x".repeat(25 << 10)
    );
    check(&long, "/", "train-ai=n");
    let kind = format!("User-agent: *\n{}", lines(300).replace("=n", "=y"));
    check(&kind, "/a0/x", "");
}

#[test]
fn what_is_stored_is_the_list_of_rules() {
    let file = b"User-agent: *\nContent-Usage: /*.pdf train-ai=n\n";
    let rules = UsageRules::parse(file, "drumlin");
    let stored = r#"[{"line":2,"path":"/*.pdf","preferences":["No",null,null,null]}]"#;
    assert_eq!(serde_json::to_string(&rules).unwrap(), stored);
    assert_eq!(serde_json::from_str::<UsageRules>(stored).unwrap(), rules);
}
