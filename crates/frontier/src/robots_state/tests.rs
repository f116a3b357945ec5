use super::*;

fn read(file: &str) -> RobotsAnswer {
    let (rules, usage) =
        (Robots::parse(file.as_bytes(), "drumlin"), UsageRules::parse(file.as_bytes(), "drumlin"));
    let answer = RobotsAnswer::of_file(rules, usage);
    let bytes = postcard::to_allocvec(&answer).unwrap();
    assert!(matches!(bytes[0], 0 | 3), "an older program reads files that say nothing of uses");
    postcard::from_bytes(&bytes).unwrap()
}

#[test]
fn what_a_file_says_of_uses_is_kept_beside_its_rules() {
    let plain = read("User-agent: *\nDisallow: /no\nCrawl-delay: 2\n");
    assert!(matches!(plain, RobotsAnswer::Rules(_)));
    assert!(plain.preferences("/a").is_none());
    let answer = read("User-agent: *\nDisallow: /no\nCrawl-delay: 2\nContent-Usage: /a train-ai=n\n");
    assert_eq!(answer.preferences("/a/b").to_string(), "train-ai=n");
    assert!(answer.preferences("/b").is_none());
    for answer in [plain, answer] {
        assert!(!answer.rules().unwrap().verdict("/no").allowed);
        let record =
            RobotsRecord { authority: "http://a.example".to_owned(), fetched_at: Timestamp::ZERO, answer };
        assert_eq!(record.crawl_delay_ms(), Some(2_000));
    }
}
