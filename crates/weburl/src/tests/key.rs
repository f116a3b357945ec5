use crate::parameters::looks_like_a_token;
use crate::{Folding, Key, Url};
use proptest::prelude::*;
use std::collections::BTreeMap;
use testdata::cases;

fn key(text: &str) -> String {
    Key::of(&Url::parse_typed(text).unwrap(), &Folding::ALL).as_str().to_owned()
}

fn check(text: &str, expected: &str) {
    assert_eq!(key(text), expected, "{text}");
}

#[test]
fn one_page_has_one_key() {
    for same in [
        "http://example.com/a?b=1&c=2",
        "https://example.com/a?b=1&c=2",
        "https://EXAMPLE.com:443/a?c=2&b=1#top",
        "http://example.com.:80/./x/../a?b=1&&c=2&",
        "http://user:pass@example.com/%61?%62=1&c=2",
        "http://example.com//a?utm_source=x&b=1&c=2&fbclid=IwAR0",
        "http://example.com/a;jsessionid=1F2E.node3?c=2&b=1",
        "http://example.com/(S(lit3py55t21z5v55vlm25s55))/a?PHPSESSID=1&b=1&c=2",
        "http://example.com/a?c=2&b=1&sid=0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c",
        "http://example.com/a?c=2&b=1&SessionID=0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c",
    ] {
        check(same, "http://example.com/a?b=1&c=2");
    }
}

#[test]
fn what_may_be_another_page_keeps_its_key() {
    for own in [
        "http://example.com/A",
        "http://example.com/a/",
        "http://example.com/a%2Fb",
        "http://www.example.com/a",
        "http://example.com:8080/a",
        "http://example.com/a?=1",
        "http://example.com/a?ref=nav",
        "http://example.com/a?sid=42",
        "http://example.com/a?SessionID=1074",
        "http://example.com/a?partnerId=16980",
        "http://example.com/a?source=wikipedia-article-2024",
        "http://example.com/a?q=a+b",
        "http://example.com/a;v=2",
        "http://example.com/a?section=0f9a8b7c6d5e4f3a",
        "http://example.com/()/a",
        "http://example.com/(S(short))/a",
        "http://example.com/(abcdefghijklmnopqrstuvwxyz0)/a",
        "http://example.com/(S(lit3py55-21z5v55vlm25s55))/a",
        "https://example.com:80/",
    ] {
        check(own, own);
    }
}

#[test]
fn empty_things_and_the_root_are_folded() {
    check("http://example.com", "http://example.com/");
    check("http://example.com?", "http://example.com/");
    check("http://example.com/a?&", "http://example.com/a");
    check("http://example.com/a?utm_medium=x", "http://example.com/a");
    check("http://example.com/a?icid=nav_top&cmpid=", "http://example.com/a");
    check("http://example.com/jobs?cmpid=12", "http://example.com/jobs?cmpid=12");
    check("http://example.com/jobs?cmpid=12a", "http://example.com/jobs");
    check("http://example.com/a?b=&a=1", "http://example.com/a?a=1&b");
    check("http://example.com////", "http://example.com/");
    check("http://example.com/..;jsessionid=1/a", "http://example.com/..;jsessionid=1/a");
}

#[test]
fn a_session_in_a_path_takes_nothing_else_with_it() {
    check("http://example.com/a;v=2;jsessionid=1F", "http://example.com/a;v=2");
    check("http://example.com/a;jsessionid=1F;v=2/b;w", "http://example.com/a;v=2/b;w");
}

#[test]
fn escapes_have_one_spelling() {
    check("http://example.com/%7e%c3%a9%2f%zz?q=%5b[", "http://example.com/~%C3%A9%2F%25zz?q=%5B%5B");
    check("http://example.com/%C3%A9%2F%7E%c3?q=%5B%61%5b%", "http://example.com/%C3%A9%2F~%C3?q=%5Ba%5B%25");
    check("http://example.com/100%?a=%", "http://example.com/100%25?a=%25");
}

#[test]
fn each_group_can_be_switched_off() {
    let url =
        Url::parse("https://example.com//a;jsessionid=1?utm_source=x&b=&a=1&sid=0f9a8b7c6d5e4f3a").unwrap();
    let with = |folding: Folding| Key::of(&url, &folding).as_str().to_owned();
    assert_eq!(with(Folding::NONE), url.as_str());
    assert_eq!(with(Folding::ALL), "http://example.com/a?a=1&b");
    let all = Folding::ALL;
    assert_eq!(with(Folding { scheme: false, ..all }), "https://example.com/a?a=1&b");
    assert_eq!(with(Folding { slashes: false, ..all }), "http://example.com//a?a=1&b");
    assert_eq!(with(Folding { parameters: false, ..all }), "http://example.com/a?b=&a=1");
    assert_eq!(with(Folding { tracking: false, ..all }), "http://example.com/a?a=1&b&utm_source=x");
    let sessions = "http://example.com/a;jsessionid=1?a=1&b&sid=0f9a8b7c6d5e4f3a";
    assert_eq!(with(Folding { sessions: false, ..all }), sessions);
    let segment = Url::parse("http://example.com//(S(lit3py55t21z5v55vlm25s55))/a").unwrap();
    let kept = Key::of(&segment, &Folding { sessions: false, ..all });
    assert_eq!(kept.as_str(), "http://example.com/(S(lit3py55t21z5v55vlm25s55))/a");
}

#[test]
fn empty_parameters_stay_where_parameters_are_not_folded() {
    let folding = Folding { parameters: false, ..Folding::ALL };
    let key = |text: &str| Key::of(&Url::parse(text).unwrap(), &folding).as_str().to_owned();
    assert_eq!(key("http://example.com/a?b&&a="), "http://example.com/a?b&&a=");
    assert_eq!(key("http://example.com/a?&utm_source=x"), "http://example.com/a", "no query is left");
}

#[test]
fn tokens_are_told_from_words_and_numbers() {
    for token in
        ["0f9a8b7c6d5e4f3a", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "a8Fj29sLq0ZxM1kP", "ghijk1lmnopqrst2"]
    {
        assert!(looks_like_a_token(token), "{token}");
    }
    for word in [
        "",
        "twitter",
        "20241120102804000",
        "internationalization",
        "winter-sale-2024-11-20",
        "abcdefghij123456",
        "ghijklmnopqrst1u",
        "decadefacadebeef",
        "a1b2c3d4e5f6a7b",
        "a-slug-of-just-thirty-six-characters",
    ] {
        assert!(!looks_like_a_token(word), "{word}");
    }
}

#[test]
fn hashes_depend_on_key_and_seed() {
    let of = |text: &str| Key::of(&Url::parse(text).unwrap(), &Folding::ALL);
    let page = of("http://example.com/a");
    assert_eq!(page.hash(7), of("https://example.com/a#b").hash(7));
    assert_ne!(page.hash(7), page.hash(8));
    assert_ne!(page.hash(7), of("http://example.com/b").hash(7));
    assert_eq!(page.hash(7).to_string(), "342aa84ba6c33ce7");
    let mut room = "what stood there".to_owned();
    let url = Url::parse("https://example.com/%61#b").unwrap();
    assert_eq!(Key::hash_of(&url, &Folding::ALL, 7, &mut room), page.hash(7));
    assert_eq!(room, page.as_str());
}

/// Rates by profile, schemes compared as the key folds them. Floors stand just under what was measured.
#[test]
fn normalisation_cases_by_profile() {
    let mut rates: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for case in cases("url-normalize.jsonl") {
        let ours = Url::parse_typed(case["input"].as_str().unwrap())
            .ok()
            .map(|url| Key::of(&url, &Folding { scheme: false, ..Folding::ALL }).to_string());
        let rate = rates.entry(case["profile"].as_str().unwrap().to_owned()).or_default();
        let good = ours.as_deref() == case["expect"].as_str();
        rate[0] += usize::from(good);
        rate[1] += 1;
        if !good && case["profile"] != "safe_url_string" {
            println!("{} {} -> {:?}, not {}", case["profile"], case["input"], ours, case["expect"]);
        }
    }
    for (profile, [good, all]) in &rates {
        println!("url-normalize {profile}: {good}/{all}");
    }
    assert!(rates.get("basic").is_none_or(|[good, all]| good * 100 >= all * 85), "{rates:?}");
}

proptest! {
    #[test]
    fn the_key_of_a_key_is_itself(text in "(http|https)://[a-z%.0-9]{1,6}(:[0-9]{1,3})?/[!-~é]{0,24}(\\?[!-~é]{0,24})?") {
        if let Ok(url) = Url::parse(&text) {
            for folding in [Folding::ALL, Folding::NONE] {
                let key = Key::of(&url, &folding);
                let again = Url::parse(key.as_str());
                prop_assert!(again.is_ok(), "{key}");
                prop_assert_eq!(Key::of(&again.unwrap(), &folding), key);
            }
        }
    }

    #[test]
    fn hostile_pieces_fold_once(
        pieces in proptest::collection::vec(
            prop::sample::select(vec!["/", "//", ".", "..", ";jsessionid=1", ";a", "%2e", "%", "25", "(S(lit3py55t21z5v55vlm25s55))", "a", "?", "&", "=", "sid=0f9a8b7c6d5e4f3a", "utm_x=1", "%26", "%3D"]),
            0..14,
        ),
    ) {
        let url = Url::parse(&format!("http://example.com/{}", pieces.concat())).unwrap();
        let key = Key::of(&url, &Folding::ALL);
        let again = Url::parse(key.as_str()).unwrap();
        prop_assert_eq!(Key::of(&again, &Folding::ALL), key);
    }

    #[test]
    fn parameter_order_never_matters(
        pieces in proptest::collection::vec("[a-c]{0,2}(=[%a-c0-9]{0,4})?", 0..24),
        seed in any::<u64>(),
    ) {
        let mut shuffled = pieces.clone();
        let mut rng = stdx::Rng::new(seed);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, rng.below(at as u64 + 1) as usize);
        }
        let of = |pieces: &[String]| key(&format!("http://example.com/?{}", pieces.join("&")));
        prop_assert_eq!(of(&pieces), of(&shuffled));
    }
}
