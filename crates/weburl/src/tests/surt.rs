use super::cases::cases;
use crate::surt;
use proptest::prelude::*;

fn check(url: &str, expected: &str) {
    assert_eq!(surt(url), expected, "{url}");
}

#[test]
fn the_python_package_agrees_on_every_case() {
    let all = cases("url-surt.jsonl");
    let wrong: Vec<_> = all
        .iter()
        .filter(|case| surt(case["input"].as_str().unwrap()) != case["surt"].as_str().unwrap())
        .collect();
    println!("url-surt: {} of {} right", all.len() - wrong.len(), all.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn archives_know_a_page_by_one_name() {
    check("http://www.Example.com:80/A//b/../C/?b=2&a=1#f", "com,example)/a/c?a=1&b=2");
    check("https://www2.example.com:8443", "com,example:8443)/");
    check("http://example.com/?jsessionid=0123456789abcdefghijklemopqrstuv&a=1", "com,example)/?a=1");
    check("http://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "com,example)/a.aspx");
    check("http://user:pass@127.1/%2561", "1,0,0,127)/a");
    check("dns:example.com", "dns:example.com");
    check("", "-");
}

proptest! {
    #[test]
    fn any_text_has_a_surt(text in "\\PC{0,60}") {
        prop_assert!(surt(&text).is_ascii());
    }
}
