use crate::{AiTxt, Reservations};

fn reserved(file: &str, path: &str) -> String {
    Reservations::parse(file.as_bytes()).preferences(path).to_string()
}

#[test]
fn the_first_rule_that_matches_counts() {
    let file = r#"[
        {"location": "/free/", "tdm-reservation": 0},
        {"location": "/*.pdf$", "tdm-reservation": 1, "tdm-policy": " https://site.test/policy.json "},
        {"location": "/papers", "tdm-reservation": 1}
    ]"#;
    assert_eq!(reserved(file, "/free/papers.pdf"), "tdm=y");
    assert_eq!(reserved(file, "/a/b.pdf"), "tdm=n");
    assert_eq!(reserved(file, "/a/b.pdf?x"), "");
    assert_eq!(reserved(file, "/papers/1"), "tdm=n");
    assert_eq!(reserved(file, "/other"), "");
    let file = Reservations::parse(file.as_bytes());
    assert_eq!(file.rule("/x.pdf").unwrap().policy.as_deref(), Some("https://site.test/policy.json"));
}

#[test]
fn values_are_read_as_they_are_written() {
    for one in ["1", "1.0", "\"1\"", "true"] {
        assert_eq!(
            reserved(&format!("[{{\"location\": \"/\", \"tdm-reservation\": {one}}}]"), "/x"),
            "tdm=n"
        );
    }
    assert_eq!(reserved(r#"{"tdm-reservation": 1}"#, "/x"), "tdm=n", "one rule, of the whole host");
    let latin_1 = b"[{\"location\": \"/\", \"tdm-reservation\": 1, \"tdm-policy\": \"/\xe9\"}]";
    assert_eq!(Reservations::parse(latin_1).preferences("/x").to_string(), "tdm=n");
    assert_eq!(reserved("\u{feff}[{\"location\": \"*\", \"tdm-reservation\": 1}]", "/x"), "tdm=n");
    assert_eq!(
        reserved(r#"[7, {"location": "/"}, {"tdm-reservation": 2}, {"tdm-reservation": 1}]"#, "/x"),
        "tdm=n"
    );
}

#[test]
fn what_is_said_of_no_path_is_passed_over() {
    for location in ["", "papers", "https://site.test/papers"] {
        let rule = format!("{{\"location\": \"{location}\", \"tdm-reservation\": 1}}");
        assert!(Reservations::parse(rule.as_bytes()).is_empty(), "{location}");
        let next = "{\"tdm-reservation\": 0}";
        assert_eq!(reserved(&format!("[{rule}, {next}]"), "/papers"), "tdm=y", "{location}");
    }
}

#[test]
fn what_is_no_file_of_reservations_reserves_nothing() {
    for file in
        ["", "<!doctype html>", "null", "[[{\"tdm-reservation\": 1}]]", "{}", "[{\"tdm-reservation\": [1]}]"]
    {
        assert!(Reservations::parse(file.as_bytes()).is_empty(), "{file}");
    }
    assert!(Reservations::parse("[".repeat(1 << 20).as_bytes()).is_empty());
}

#[test]
fn rules_are_few_and_small() {
    let rule = format!("{{\"location\": \"/{}\", \"tdm-reservation\": 1}},", "x".repeat(100));
    let file = format!("[{}{{}}]", rule.repeat(4000));
    let kept = serde_json::to_vec(&Reservations::parse(file.as_bytes())).unwrap();
    assert!(kept.len() < 100 << 10, "{}", kept.len());
}

#[test]
fn more_rules_than_are_kept_free_nothing() {
    let free = |count| {
        (0..count)
            .map(|n| format!("{{\"location\": \"/a{n}/\", \"tdm-reservation\": 0}},"))
            .collect::<Vec<_>>()
            .concat()
    };
    let file = |count| format!("[{}{{\"location\": \"/\", \"tdm-reservation\": 1}}]", free(count));
    assert_eq!([reserved(&file(255), "/a254/"), reserved(&file(255), "/b")], ["tdm=y", "tdm=n"]);
    assert_eq!([reserved(&file(300), "/a1/"), reserved(&file(300), "/b")], ["tdm=n", "tdm=n"]);
    assert_eq!(reserved(&format!("[{}{{}}]", free(300)), "/a1/"), "", "it reserves nothing");
}

#[test]
fn a_file_that_breaks_off_reserves_all() {
    let long = format!("[{{\"location\": \"/\", \"tdm-reservation\": 0}},{}1]", "1,".repeat(300 << 10));
    for file in ["[", " {\"location\": \"/a", &long] {
        assert_eq!(reserved(file, "/b"), "tdm=n", "{file:.40}");
    }
}

#[test]
fn what_is_stored_is_the_list_of_reservations() {
    let rules = Reservations::parse(br#"{"location": "/*.pdf", "tdm-reservation": 1}"#);
    let stored = r#"[{"location":"/*.pdf","preferences":[null,null,null,"No"],"policy":null}]"#;
    assert_eq!(serde_json::to_string(&rules).unwrap(), stored);
    assert_eq!(serde_json::from_str::<Reservations>(stored).unwrap(), rules);
}

const AI_TXT: &str = "\
# Spawning AI
User-Agent: *
Disallow: *.html
Disallow: *.jpg
Allow: *.txt
Disallow: /private
";

fn about(path: &str) -> String {
    AiTxt::parse(AI_TXT.as_bytes(), "drumlin").preferences(path).to_string()
}

#[test]
fn kinds_of_files_are_refused_for_training() {
    assert_eq!(about("/a.jpg"), "train-ai=n, tdm=n");
    assert_eq!(about("/a.txt"), "train-ai=y, tdm=y");
    assert_eq!(about("/a.png"), "");
    assert_eq!(about("/a.html?x=y"), "train-ai=n, tdm=n");
    assert_eq!(about("/private/a.png"), "train-ai=n, tdm=n");
}

#[test]
fn a_page_without_a_suffix_is_a_page() {
    assert_eq!(about("/"), "train-ai=n, tdm=n");
    assert_eq!(about("/articles/hills?page=1.5"), "train-ai=n, tdm=n");
    assert_eq!(about("/v1.2/"), "train-ai=n, tdm=n");
}

#[test]
fn a_file_for_others_or_of_prose_says_nothing() {
    for file in ["", "User-Agent: gptbot\nDisallow: /", "# AI\n\nPlease: be kind.\nDisallow: /"] {
        assert!(AiTxt::parse(file.as_bytes(), "drumlin").is_empty(), "{file}");
    }
    let whole = AiTxt::parse(b"User-Agent: *\nDisallow: /", "drumlin");
    assert!(!whole.is_empty());
    assert_eq!(whole.preferences("/a.png").to_string(), "train-ai=n, tdm=n");
}

/// As the generator does, where text is refused and images are not: stray slashes, every kind of files, the rest at last.
#[test]
fn the_generators_file_is_read() {
    let file = "# Spawning AI\n/\nUser-Agent: *\n/\nAllow: *.jpg\nAllow: *.png\nDisallow: *.html\nDisallow: *.htm\nDisallow: /\n# @@@@ Spawning.ai";
    let about = |path: &str| AiTxt::parse(file.as_bytes(), "drumlin").preferences(path).to_string();
    assert_eq!(about("/a.jpg"), "train-ai=y, tdm=y");
    for refused in ["/", "/a.html", "/a.gif", "/articles/hills"] {
        assert_eq!(about(refused), "train-ai=n, tdm=n", "{refused}");
    }
    let all = AiTxt::parse(b"# Spawning AI\nUser-agent: *\nDisallow: *\nDisallow: /\n", "drumlin");
    assert_eq!(all.preferences("/a.jpg").to_string(), "train-ai=n, tdm=n");
}

#[test]
fn an_ai_txt_is_kept_small() {
    let long = "x".repeat(1000);
    let lines: [&dyn Fn(usize) -> String; 3] =
        [&|n| format!("Disallow: /{n}\n"), &|n| format!("Disallow: /{n}{long}\n"), &|n| {
            format!("Sitemap: http://a.test/{n}\n")
        }];
    for line in lines {
        let file: String = (0..(400 << 10) / line(0).len()).map(line).collect();
        let file = format!("User-agent: *\nDisallow: *.html\n{file}");
        let ai = AiTxt::parse(file.as_bytes(), "drumlin");
        let kept = serde_json::to_vec(&ai).unwrap();
        assert!(kept.len() < 100 << 10, "{}", kept.len());
        assert_eq!(ai.preferences("/b.html").to_string(), "train-ai=n, tdm=n", "none is left out");
    }
}

#[test]
fn more_rules_of_an_ai_txt_than_are_kept_free_nothing() {
    let allowed = (0..1_100).map(|n| format!("Allow: *.a{n}\n")).collect::<Vec<_>>().concat();
    let about = |file: &str| AiTxt::parse(file.as_bytes(), "drumlin").preferences("/x.jpg").to_string();
    for refused in ["*.jpg", "*.png"] {
        assert_eq!(about(&format!("User-agent: *\n{allowed}Disallow: {refused}\n")), "train-ai=n, tdm=n");
    }
    assert_eq!(about(&format!("User-agent: *\n{allowed}")), "");
}
