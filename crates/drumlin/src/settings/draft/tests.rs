use super::{FAULTS_MAX, Fault, faults};
use crate::settings::Settings;

/// What is told of a file; what makes no sense is a depth above 9, a limit of 0, and a depth beside a limit above 99.
fn check(text: &str) -> Vec<String> {
    let judge = |settings: &Settings| match (settings.depth, settings.limit) {
        (Some(10..), _) => Err("too deep".to_owned()),
        (_, Some(0)) => Err("no limit at all".to_owned()),
        (Some(_), Some(100..)) => Err("deep and large".to_owned()),
        _ => Ok(()),
    };
    faults(text, &judge).iter().map(|fault| fault.told("a")).collect()
}

#[test]
fn every_fault_is_named_with_its_line() {
    let text = "dealy = 1\ndepth = 12\nlimit = 0\nscope = \"world\"\n[retry]\natempts = 3\nbase = \"soon\"\n[nonsense]\nx = 1\n";
    let told = check(text);
    assert_eq!(told[0], "a, line 1: unknown key `dealy`; the nearest known one is `delay`");
    assert_eq!(told[1..3], ["a, line 2: too deep", "a, line 3: no limit at all"]);
    assert!(told[3].starts_with("a, line 4: scope: unknown variant `world`"), "{told:?}");
    assert_eq!(told[4], "a, line 6: unknown key `atempts`; the nearest known one is `attempts`");
    assert!(told[5].starts_with("a, line 7: [retry] base: "), "{told:?}");
    assert!(told[6].starts_with("a, line 8: unknown key `nonsense`"), "{told:?}");
    assert_eq!(told.len(), 7);
}

#[test]
fn a_table_where_a_key_was_meant_is_one_fault() {
    let told = check("[scope]\nkind = \"all\"\n[retry]\nattempts = 3\n");
    assert_eq!(told, ["a, line 1: `scope` is no table but a key: scope = \"domain\""]);
}

#[test]
fn what_is_wrong_only_together_is_named_once() {
    assert_eq!(check("depth = 3\nlimit = 100\n"), ["a, line 1: deep and large"]);
    assert!(check("depth = 3\nlimit = 99\n").is_empty());
}

#[test]
fn what_no_key_is_to_blame_for_has_no_line() {
    let told = faults("depth = 3\n", &|_| Err("the world is wrong".to_owned()));
    assert_eq!(told, [Fault { line: None, reason: "the world is wrong".to_owned() }]);
}

#[test]
fn a_complaint_that_quotes_a_line_break_is_on_one_line() {
    let told = faults("text = \"none\"\n", &|_| Err("`a\nb` is no type".to_owned()));
    assert_eq!(told, [Fault { line: None, reason: "`a b` is no type".to_owned() }]);
}

#[test]
fn grammar_is_told_alone_and_whole() {
    let told = check("a b\ndealy = 1\nc d\n");
    assert!(told.iter().any(|fault| fault.starts_with("a, line 1: ")), "{told:?}");
    assert!(told.iter().any(|fault| fault.starts_with("a, line 3: ")), "{told:?}");
    assert!(!told.iter().any(|fault| fault.contains("dealy")), "{told:?}");
}

#[test]
fn a_newer_layout_is_the_only_fault() {
    let told = check("format = 2\nunheard_of = 1\n");
    assert!(told.len() == 1 && told[0].contains("newer drumlin"), "{told:?}");
}

#[test]
fn what_is_no_file_of_settings_is_left_alone_in_the_end() {
    let lines: Vec<String> = (0..10_000).map(|key| format!("key{key} = 1\n")).collect();
    assert_eq!(check(&lines.concat()).len(), FAULTS_MAX);
}
