use crate::{Bound, Changes, Command, Effect, Receipt, Refusal, Selection, Setting, Target, TargetError};
use weburl::{Bans, Url};

fn host(name: &str) -> Target {
    Target::Host(name.parse().expect("a host"))
}

fn domain(name: &str) -> Target {
    Target::Domain(name.parse().expect("a domain"))
}

fn pattern(text: &str) -> Target {
    Target::Pattern(text.parse().expect("an expression"))
}

fn all() -> Vec<(Command, &'static str)> {
    let changes = Changes { delay_ms: Some(2_000), limit: Some(Bound::Unlimited), ..Changes::default() };
    vec![
        (Command::Pause, r#""pause""#),
        (Command::Resume, r#""resume""#),
        (Command::Stop, r#""stop""#),
        (Command::Exclude(host("a.example")), r#"{"exclude":{"host":"a.example"}}"#),
        (Command::Readmit(domain("a.example")), r#"{"readmit":{"domain":"a.example"}}"#),
        (Command::Takedown(pattern("/private/")), r#"{"takedown":{"pattern":"/private/"}}"#),
        (Command::Set(changes), r#"{"set":{"delay_ms":2000,"limit":"unlimited"}}"#),
        (Command::Seeds(vec!["https://a.example/".to_owned()]), r#"{"seeds":["https://a.example/"]}"#),
        (Command::Retry(Selection::All), r#"{"retry":"all"}"#),
        (
            Command::Retry(Selection::Target(host("b.example"))),
            r#"{"retry":{"target":{"host":"b.example"}}}"#,
        ),
    ]
}

#[test]
fn commands_are_read_from_json_as_documented() {
    for (command, json) in all() {
        let read: Command = serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        assert_eq!(read, command, "{json}");
        let written = serde_json::to_string(&command).expect("plain data");
        assert_eq!(serde_json::from_str::<Command>(&written).expect("its own JSON"), command);
    }
}

#[test]
fn commands_come_back_from_the_journal() {
    for (command, _) in all() {
        let bytes = postcard::to_allocvec(&command).expect("plain data");
        assert_eq!(postcard::from_bytes::<Command>(&bytes).expect("its own bytes"), command);
    }
}

#[test]
fn unknown_settings_are_refused() {
    let error = serde_json::from_str::<Command>(r#"{"set":{"robots":false}}"#).expect_err("no such setting");
    assert!(error.to_string().contains("robots"), "{error}");
}

#[test]
fn names_are_checked_where_they_are_read() {
    for bad in ["", "a b", "a.example/x", "a.example:80", "user@a.example", "http://a.example"] {
        let json = serde_json::json!({ "host": bad }).to_string();
        assert!(serde_json::from_str::<Target>(&json).is_err(), "{bad}");
    }
    assert_eq!(host("EXAMPLE.com."), host("example.com"), "hosts are as URLs have them");
    assert_eq!(host("bücher.example"), host("xn--bcher-kva.example"));
}

#[test]
fn expressions_are_checked_where_they_are_read() {
    let broken = "(".parse::<crate::Pattern>().expect_err("broken");
    assert!(matches!(broken, TargetError::NotAPattern { .. }), "{broken}");
    let long = "x".repeat(crate::limits::PATTERN_BYTES + 1);
    assert_eq!(long.parse::<crate::Pattern>().expect_err("long"), TargetError::TooLong(long.len()));
    let vast = r"\w{900}{900}";
    assert!(vast.parse::<crate::Pattern>().is_err(), "its program is too large");
}

#[test]
fn a_target_matches_what_it_says() {
    let matches = |target: &Target, url: &str| {
        let mut bans = Bans::default();
        target.ban(&mut bans);
        let url = Url::parse(url).expect("a URL");
        let ban = bans.ban_of(&url);
        assert!(ban.is_none() || ban == Some(target.to_string()), "what is told is the target");
        ban.is_some()
    };
    assert!(matches(&host("a.example"), "https://a.example:8443/x"));
    assert!(!matches(&host("a.example"), "https://b.a.example/"));
    assert!(matches(&domain("a.example"), "https://b.a.example/"));
    assert!(matches(&domain("a.example"), "https://a.example./"));
    assert!(!matches(&domain("a.example"), "https://nota.example/"));
    assert!(matches(&pattern("^https://.*/private/"), "https://a.example/private/x"));
}

#[test]
fn a_domain_may_be_named_as_it_is_written_of_certificates() {
    assert_eq!(domain("*.a.example"), domain("a.example"));
    assert_eq!(domain(".a.example"), domain("a.example"));
    assert!(domain("*.a.example").check().is_ok() && host("[::1]").check().is_ok());
}

#[test]
fn no_host_has_a_star_or_an_empty_label() {
    for name in ["*", "*.a.example", "a.example*"] {
        assert_eq!(host(name).check(), Err(TargetError::ManyHosts(name.to_owned())));
    }
    assert_eq!(host(".a.example").check(), Err(TargetError::NotAHost(".a.example".to_owned())));
    for name in ["a.example\tasked", "a.example\rb.example", "a.exa\nmple", "a.example asked"] {
        assert_eq!(name.parse::<crate::target::Host>().unwrap_err(), TargetError::NotAHost(name.to_owned()));
    }
    assert!(domain("*").check().is_err() && domain("a..example").check().is_err());
}

#[test]
fn an_expression_that_matches_whatever_there_is_excludes_too_much() {
    for text in ["", ".*", "a|"] {
        assert_eq!(pattern(text).check(), Err(TargetError::MatchesAll(text.to_owned())));
    }
    assert!(pattern("/private/").check().is_ok());
}

#[test]
fn later_changes_go_over_earlier_ones() {
    let earlier = Changes { delay_ms: Some(1), depth: Some(Bound::AtMost(3)), ..Changes::default() };
    let later = Changes { delay_ms: Some(2), ..Changes::default() };
    let both = Changes { delay_ms: Some(2), depth: Some(Bound::AtMost(3)), ..Changes::default() };
    assert_eq!(earlier.overlaid(later), both);
    assert!(both.concerns_delays() && !Changes::default().concerns_delays());
}

#[test]
fn answers_are_json_and_text() {
    let receipt = Receipt { entry: 17, effect: Effect::Seeded { taken: 2, excluded: 0 } };
    let json = r#"{"entry":17,"effect":{"seeded":{"taken":2,"excluded":0}}}"#;
    assert_eq!(serde_json::to_string(&receipt).expect("plain data"), json);
    assert_eq!(receipt.to_string(), "2 seeds taken in (entry 17 of the journal)");
    let refusal = Refusal::OnlyAtStart { setting: Setting::Scope };
    assert_eq!(
        serde_json::to_string(&refusal).expect("plain data"),
        r#"{"only_at_start":{"setting":"scope"}}"#
    );
    assert_eq!(
        refusal.to_string(),
        "no command changes scope, only the start of a run does: `drumlin crawl --dir DIR --scope …`",
        "whether the crawl runs or not"
    );
    assert_eq!(serde_json::to_string(&Refusal::NotRunning).expect("plain data"), "\"not_running\"");
}
