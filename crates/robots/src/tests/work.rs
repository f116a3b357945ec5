//! How much is gone over for a verdict: counted, since time tells only of this machine.

use crate::Robots;
use crate::limits::ROBOTS_BYTES;
use crate::pattern::NormalPath;
use crate::search::Search;

/// Rules that are kept of a file, steps of a verdict, and what they may come to.
#[track_caller]
fn check(rules: &str, path: &str, kept: usize) {
    let robots = Robots::parse(format!("User-agent: *\n{rules}").as_bytes(), "drumlin");
    let (path, mut search) = (NormalPath::new(path), Search::default());
    assert!(robots.deciding(&path, &mut search).is_none(), "all are tried");
    assert_eq!(robots.rules().count(), kept);
    let most = kept * (2 * path.octets().len() + 2);
    assert!((kept..=most).contains(&search.steps), "{} steps of {most}", search.steps);
}

#[test]
fn wildcards_without_end_are_passed_once() {
    let long = |part: &str| part.repeat((ROBOTS_BYTES - 100) / part.len());
    let path = format!("/{}b", "a".repeat(8_000));
    check(&format!("Disallow: /{}c", long("*")), "/a", 1);
    check(&format!("Disallow: /{}$", long("*a")), &path, 1);
    check(&format!("Disallow: /{}c", long("*a")), &path, 1);
    check(&format!("Disallow: /{}", long("*aab")), &path, 1);
    check(&format!("Disallow: *{}", long("a")), &path, 1);
}

#[test]
fn each_rule_of_many_is_tried_once() {
    let rule = |n: usize| format!("Disallow: /{}{n}$\n", "*a".repeat(40));
    let rules: String = (0..1_000).map(rule).collect();
    check(&rules, &format!("/{}b", "a".repeat(8_000)), 1_000);
    check(&rule(0).repeat(1_000), &format!("/{}b", "a".repeat(8_000)), 1);
}
