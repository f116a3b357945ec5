//! The matcher and the choice of a rule, against ones that are too simple to be wrong.

use crate::pattern::{Pattern, matches, normal};
use crate::search::Search;
use crate::{Robots, RuleKind};
use proptest::prelude::*;

/// Every way a pattern may match, tried in turn: exponential, and plainly what RFC 9309 §2.2.3 says.
fn naive_matches(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        (b"$", _) => path.is_empty(),
        ([b'*', rest @ ..], _) => (0..=path.len()).any(|skip| naive_matches(rest, &path[skip..])),
        ([first, rest @ ..], [octet, path @ ..]) => first == octet && naive_matches(rest, path),
        (_, []) => false,
    }
}

fn naive_allowed(rules: &[(RuleKind, String)], path: &str) -> bool {
    let matching = rules.iter().filter(|(_, text)| naive_matches(text.as_bytes(), path.as_bytes()));
    let longest = matching.max_by_key(|(kind, text)| (text.len(), *kind == RuleKind::Allow));
    longest.is_none_or(|(kind, _)| *kind == RuleKind::Allow)
}

/// No two `*` in a row: what their number adds to a pattern's length is nobody's standard.
fn pattern() -> impl Strategy<Value = String> {
    "/(\\*?[ab/$]){0,6}\\*?\\$?"
}

fn rule() -> impl Strategy<Value = (RuleKind, String)> {
    (prop_oneof![Just(RuleKind::Allow), Just(RuleKind::Disallow)], pattern())
}

proptest! {
    #[test]
    fn matches_as_the_naive_matcher(pattern in "[ab/*$]{0,9}", path in "/[ab/]{0,10}\\$?") {
        let (normal, mut search) = (normal(&path), Search::default());
        let is_match = matches(Pattern::new(&pattern).text(), &normal, &mut search);
        prop_assert_eq!(is_match, naive_matches(pattern.as_bytes(), path.as_bytes()));
        prop_assert!(search.steps <= 2 * normal.len() + 2, "{} steps", search.steps);
    }

    #[test]
    fn decides_as_the_naive_rule_choice(rules in prop::collection::vec(rule(), 0..8), path in "/[ab/]{0,8}") {
        let line = |(kind, text): &(RuleKind, String)| format!("{kind:?}: {text}\n");
        let file = format!("User-agent: *\n{}", rules.iter().map(line).collect::<String>());
        let verdict = Robots::parse(file.as_bytes(), "drumlin").verdict(&path);
        prop_assert_eq!(verdict.allowed, naive_allowed(&rules, &path));
    }

    #[test]
    fn any_writing_of_an_octet_matches(path in "[a-z~é /]{1,8}") {
        let encoded: String = path.bytes().map(|b| if b == b'/' { "/".to_owned() } else { format!("%{b:02x}") }).collect();
        let file = format!("User-agent: *\nDisallow: /{encoded}$");
        let verdict = Robots::parse(file.as_bytes(), "drumlin").verdict(&format!("/{path}"));
        prop_assert!(!verdict.allowed);
    }

    #[test]
    fn any_bytes_are_read_and_survive_a_checkpoint(bytes in prop::collection::vec(any::<u8>(), 0..300), path in ".{0,30}") {
        let file = [b"User-agent: *\nDisallow: /".as_slice(), &bytes].concat();
        let robots = Robots::parse(&file, "drumlin");
        let stored = serde_json::to_string(&robots).unwrap();
        let again: Robots = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(again.verdict(&path), robots.verdict(&path));
        prop_assert_eq!(again, robots);
    }

    #[test]
    fn looks_like_directives(file in "((User-agent|Allow|Disallow|Crawl-delay|Sitemap|<p>)[: ]{1,2}[/*$a.0<>]{0,4}[\r\n]{1,2}){0,9}") {
        let robots = Robots::parse(file.as_bytes(), "a");
        prop_assert!(robots.verdict("/robots.txt").allowed);
    }
}
