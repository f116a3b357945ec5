//! Cases of other projects' suites, asked through `drumlin probe` and `drumlin parse`. The data stands beside
//! the workspace, or where `DRUMLIN_DATA` says; where it is absent a test prints so and passes. What must hold
//! whole is asserted whole; of the rest the rate is printed and held just under what was measured.

mod suite;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use suite::{Tally, ask, bytes_of, drumlin, text_of};
use testdata::cases;

/// Compares one field of each answer with the field of the same name of its case.
fn check(kind: &str, file: &str, field: &str, group: impl Fn(&Value) -> String) -> Tally {
    let all = cases(file);
    let mut tally = Tally::new(file);
    for (case, answer) in all.iter().zip(ask(kind, &all)) {
        tally.add(&group(case), answer[field] == case[field], case, &answer[field]);
    }
    tally
}

fn all(_: &Value) -> String {
    "all".to_owned()
}

#[test]
fn robots_cases_by_tier() {
    let all = cases("robots.jsonl");
    let mut tally = Tally::new("robots.jsonl");
    for (case, answer) in all.iter().zip(ask("robots", &all)) {
        let good = match text_of(&case["kind"]) {
            "allow" => answer["allow"] == case["allow"],
            "delay" => answer["delay"] == case["delay"],
            "sitemaps" => answer["sitemaps"] == case["sitemaps"],
            _ => count(&answer["sitemaps"]) == case["sitemap_count"].as_u64(),
        };
        tally.add(text_of(&case["tier"]), good, case, &answer);
    }
    tally.print();
    for tier in ["agreed", "rfc", "majority", "asserted"] {
        tally.holds(tier, 100.0);
    }
}

fn count(list: &Value) -> Option<u64> {
    list.as_array().map(|items| items.len() as u64)
}

#[test]
fn robots_of_real_sites() {
    let (questions, expected): (Vec<_>, Vec<_>) =
        cases("robots-real.jsonl.gz").iter().flat_map(questions_of_a_site).unzip();
    let mut tally = Tally::new("robots-real.jsonl");
    for ((question, expected), answer) in questions.iter().zip(expected).zip(ask("robots", &questions)) {
        tally.add("all", answer["allow"] == expected, &question["url"], &answer["allow"]);
    }
    tally.print();
    tally.holds("all", 100.0);
}

fn questions_of_a_site(site: &Value) -> Vec<(Value, Value)> {
    let questions = site["q"].as_array().expect("a list of questions").iter();
    let full = |q: &Value| {
        let (robots, bytes) = (&site["robots"], &site["robots_b64"]);
        (json!({"agent": q[0], "url": q[1], "robots": robots, "robots_b64": bytes}), q[2].clone())
    };
    questions.map(full).collect()
}

#[test]
fn urls_resolve_as_whatwg_says() {
    let tally = check("url", "url-whatwg.jsonl", "href", |case| text_of(&case["scope"]).to_owned());
    tally.print();
    tally.holds("crawl", 100.0);
    tally.holds("other", 87.0);
    check("url", "url-resolve.jsonl", "href", all).holds("all", 100.0);
}

#[test]
fn surts_are_those_of_the_python_package() {
    let tally = check("surt", "url-surt.jsonl", "surt", all);
    tally.print();
    tally.holds("all", 100.0);
}

#[test]
fn registrable_domains_are_those_of_the_list() {
    let tally = check("psl", "url-psl.jsonl", "registered", all);
    tally.print();
    tally.holds("all", 100.0);
}

/// The key writes https as http, so that is done to what is expected too.
#[test]
fn normalisation_by_profile() {
    let all = cases("url-normalize.jsonl");
    let mut tally = Tally::new("url-normalize.jsonl");
    for (case, answer) in all.iter().zip(ask("normalize", &all)) {
        let expected = case["expect"].as_str().map(|url| url.replacen("https://", "http://", 1));
        let good = answer["url"].as_str() == expected.as_deref();
        tally.add(text_of(&case["profile"]), good, case, &answer["url"]);
    }
    tally.print();
    tally.holds("basic", 92.0);
    tally.holds("canonicalize_url", 80.0);
}

#[test]
fn equal_keys_are_printed_alike() {
    let same = ["https://Example.com:443/a/?b=2&a=1&utm_source=x#f", "http://example.com./a/?a=1&&b=2"];
    let questions: Vec<_> = same.iter().map(|url| json!({"input": url})).collect();
    for answer in ask("normalize", &questions) {
        assert_eq!(answer["url"], "http://example.com/a/?a=1&b=2");
    }
}

#[test]
fn encodings_are_those_a_browser_picks() {
    let tally = check("encoding", "html-encoding.jsonl", "encoding", all);
    tally.print();
    tally.holds("all", 100.0);
}

#[test]
fn languages_by_length_of_text() {
    let tally = check("lang", "lang.jsonl.gz", "lang", |case| text_of(&case["kind"]).to_owned());
    tally.print();
    for kind in ["page", "para", "short"] {
        tally.holds(kind, 95.0);
    }
}

#[test]
fn sitemaps_list_their_urls() {
    let all = cases("sitemap-docs.jsonl");
    let mut tally = Tally::new("sitemap-docs.jsonl");
    for (case, answer) in all.iter().zip(ask("sitemap", &all)) {
        let good = count(&answer["urls"]) == case["count"].as_u64() && answer["is_index"] == case["is_index"];
        tally.add("all", good, &case["name"], &answer);
    }
    tally.print();
    tally.holds("all", 92.0);
}

/// Scrapy leaves links out by their file extension, which is not ours to do; that case differs.
#[test]
fn links_of_small_pages() {
    let all = cases("html-links-unit.jsonl");
    let mut tally = Tally::new("html-links-unit.jsonl");
    for (case, answer) in all.iter().zip(ask("links", &all)) {
        let good = link_set(&answer["links"]) == link_set(&case["links"]);
        tally.add("all", good, &case["test"], &answer);
    }
    tally.print();
    tally.holds("all", 85.0);
}

/// Targets without fragments, each with whether the page declines to vouch for it.
fn link_set(links: &Value) -> BTreeSet<(String, bool)> {
    let target = |link: &Value| text_of(&link["url"]).split('#').next().unwrap_or_default().to_owned();
    let links = links.as_array().expect("a list of links").iter();
    links.map(|link| (target(link), link["nofollow"] == true)).collect()
}

#[test]
fn links_of_real_pages() {
    let all = cases("html-links-real.jsonl.gz");
    let question = |case: &Value| json!({"body_b64": case["html_b64"], "url": case["url"]});
    let questions: Vec<_> = all.iter().map(question).collect();
    let mut tally = Tally::new("html-links-real.jsonl");
    for (case, answer) in all.iter().zip(ask("links", &questions)) {
        let found: BTreeSet<_> = link_set(&answer["links"]).into_iter().map(|(url, _)| url).collect();
        let expected = case["links"].as_array().expect("a list of links").iter();
        let expected: BTreeSet<_> = expected.map(|url| text_of(url).to_owned()).collect();
        let difference: Vec<_> = found.symmetric_difference(&expected).take(5).collect();
        tally.add("pages", difference.is_empty(), &case["page"], &json!(difference));
    }
    tally.print();
    tally.holds("pages", 100.0);
}

/// The document's URL where a case gives none.
const GIVEN: &str = "http://given.example/";

/// Bases and refreshes as w3lib's tests have them.
#[test]
fn bases_and_refreshes_of_small_pages() {
    let mut tally = Tally::new("html-meta.jsonl");
    for case in cases("html-meta.jsonl") {
        let name = text_of(&case["fn"]);
        let (found, expected) = match name {
            "get_base_url" => (parsed(&case)["base"].clone(), expected_base(&case["expect"])),
            "get_meta_refresh" => (parsed(&case)["refresh"]["url"].clone(), spelled(&case["expect"][1])),
            _ => continue,
        };
        tally.add(name, found == expected, &case, &found);
    }
    tally.print();
    tally.holds("get_base_url", 90.0);
    tally.holds("get_meta_refresh", 90.0);
}

/// What `parse` says of the case's page.
fn parsed(case: &Value) -> Value {
    let url = match &case["args"][1] {
        Value::Null => GIVEN.to_owned(),
        argument => String::from_utf8(bytes_of(argument)).expect("an ASCII URL"),
    };
    let charset = case["args"][2].as_str().unwrap_or("utf-8");
    let header = format!("Content-Type: text/html; charset={charset}");
    let arguments = ["parse", "--json", "--url", &url, "--header", &header, "-"];
    serde_json::from_slice(&drumlin(&arguments, &bytes_of(&case["args"][0]))).expect("one JSON object")
}

fn expected_base(expect: &Value) -> Value {
    if expect == "" { json!(GIVEN) } else { spelled(expect) }
}

/// A URL as the parser writes it.
fn spelled(url: &Value) -> Value {
    url.as_str().and_then(|url| weburl::Url::parse(url).ok()).map_or(Value::Null, |url| json!(url))
}

#[test]
fn a_bad_line_is_answered_and_passed_over() {
    let lines = b"{\"host\": \"a.example.com\"}\nnonsense\n\n[1]\n{}\n{\"host\": 7}\n\xff\n{\"host\": \"b.example.com\"}";
    let output = drumlin(&["probe", "psl"], lines);
    let answers: Vec<Value> = output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).expect("an answer is JSON"))
        .collect();
    assert_eq!(answers.len(), 8);
    assert!(answers[1..7].iter().all(|answer| answer["error"].is_string()), "{answers:?}");
    assert!([0, 7].iter().all(|at| answers[*at]["registered"] == "example.com"), "{answers:?}");
}
