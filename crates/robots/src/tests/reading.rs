use crate::{Access, CrawlDelay, Robots, Rule, RuleKind, limits};

/// `want`: `+` or `-`, then the line of the rule that decides (0: none).
#[track_caller]
fn check(file: &str, path: &str, want: &str) {
    let verdict = Robots::parse(file.as_bytes(), "Drumlin/0.1 (+https://example.org)").verdict(path);
    let sign = if verdict.allowed { '+' } else { '-' };
    assert_eq!(format!("{sign}{}", verdict.rule.map_or(0, |rule| rule.line)), want, "{path}");
}

#[track_caller]
fn check_delay(file: &str, want: Option<u64>) {
    assert_eq!(Robots::parse(file.as_bytes(), "drumlin").crawl_delay_ms(), want, "{file}");
}

#[test]
fn the_longest_pattern_decides_and_allow_wins_ties() {
    let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nDisallow: /t\nAllow: /t";
    check(file, "/x", "+0");
    check(file, "/a/x", "-2");
    check(file, "/a/b/x", "+3");
    check(file, "/a/b/cd", "-4");
    check(file, "/t", "+6");
}

#[test]
fn the_rule_that_decided_is_named() {
    let robots = Robots::parse(b"\r\n# hello\r\nuser-agent: *\r\n  DISALLOW : /a*b$  # why\r\n", "drumlin");
    let rule = Rule { line: 4, text: "/a*b$".to_owned(), kind: RuleKind::Disallow };
    assert_eq!(robots.verdict("/a/b").rule, Some(rule));
    assert_eq!(robots.verdict("/a/bc").rule, None);
}

#[test]
fn a_crawl_delay_is_named_with_its_line_and_keeps_it() {
    let file = b"User-agent: *\nCrawl-delay: 2\nDisallow: /a\nCrawl-delay: 7\nCrawl-delay: 5\n";
    let robots = Robots::parse(file, "drumlin");
    assert_eq!(robots.crawl_delay(), Some(CrawlDelay { ms: 7_000, line: Some(4) }));
    let kept = serde_json::to_value(&robots).unwrap();
    assert_eq!(serde_json::from_value::<Robots>(kept).unwrap(), robots);
    assert_eq!(robots.rules().count(), 1, "the delay is no rule");
}

#[test]
fn a_crawl_delay_kept_without_its_line_still_counts() {
    let kept = serde_json::json!({ "lines": [], "crawl_delay_ms": 3_000, "sitemaps": [] });
    let robots: Robots = serde_json::from_value(kept).unwrap();
    assert_eq!(robots.crawl_delay(), Some(CrawlDelay { ms: 3_000, line: None }));
}

#[test]
fn our_group_replaces_the_group_of_all() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: DRUMLIN\nDisallow: /x";
    check(file, "/y", "+0");
    check(file, "/x", "-6");
    check("User-agent: *\nDisallow: /\nUser-agent: drumlin\n", "/y", "+0");
    check("User-agent: drumlins\nDisallow: /", "/y", "+0");
    check("User-agent: drumlin bot\nDisallow: /", "/y", "-2");
    check("User-agent: drumlin/2.0\nDisallow: /", "/y", "-2");
}

#[test]
fn groups_of_one_agent_are_merged() {
    let file =
        "User-agent: drumlin\nDisallow: /a\nUser-agent: *\nDisallow: /b\nUser-agent: drumlin\nDisallow: /c";
    check(file, "/a", "-2");
    check(file, "/b", "+0");
    check(file, "/c", "-6");
}

#[test]
fn other_lines_do_not_end_a_group() {
    check("User-agent: drumlin\nHost: x\nSitemap: y\n\nUser-agent: z\nDisallow: /", "/", "-6");
    check("User-agent: drumlin\nCrawl-delay: 1\nUser-agent: z\nDisallow: /", "/", "+0");
    check("User-agent: drumlin\nCrawl-delay: 1\nDisallow: /", "/", "-3");
}

#[test]
fn a_crawl_delay_that_cannot_be_read_is_no_line() {
    for delay in ["soon", "", "-1.25", "1.2.3", "."] {
        check(&format!("User-agent: drumlin\nCrawl-delay: {delay}\nUser-agent: b\nDisallow: /"), "/x", "-4");
    }
}

#[test]
fn a_backslash_in_a_path_is_a_slash() {
    let file = "User-agent: *\nDisallow: /admin\\x\nDisallow: \\b*\\c$\nDisallow: /q?x=\\y\nDisallow: /e%5C";
    check(file, "/admin/x", "-2");
    check(file, "/admin\\x", "-2");
    check(file, "/admin%5Cx", "+0");
    check(file, "/b/a/c", "-3");
    check(file, "/q?x=\\y", "-4");
    check(file, "/q?x=%5Cy", "-4");
    check(file, "/q?x=/y", "+0");
    check(file, "/e%5cf", "-5");
    check(file, "/e/f", "+0");
}

#[test]
fn lines_before_any_group_say_nothing() {
    check("Disallow: /\nUser-agent: *\nDisallow: /x", "/", "+0");
}

#[test]
fn an_empty_disallow_allows() {
    check("User-agent: *\nDisallow:\n", "/", "+0");
    check("User-agent: drumlin\nDisallow:\nUser-agent: *\nDisallow: /", "/", "+0");
}

#[test]
fn robots_txt_itself_is_allowed() {
    check("User-agent: *\nDisallow: /", "/robots.txt", "+0");
    check("User-agent: *\nDisallow: /", "/robots.txt?x", "-2");
}

#[test]
fn marks_line_ends_and_tags_are_forgiven() {
    check("\u{FEFF}User-agent: *\rDisallow: /x\r\nDisallow: /y\n\rDisallow: /z", "/z", "-5");
    check("<pre>User-agent: *<br>\n<p>Disallow: /x</p><br/>\n</pre>", "/x", "-2");
    check("User-agent: *\nDisallow: /a>b", "/a>b", "-2");
    check("User-agent: *\n\0\0Disallow: /x\0", "/x", "-2");
    check("User-agent: *\n\x7FDisallow: /x\x7F", "/x", "-2");
    check("User-agent: *\nDisallow: /1<2>", "/1<2>", "-2");
    check("User-agent: *\nDisallow: /1<2>", "/1", "+0");
}

#[test]
fn misspellings_are_understood() {
    for line in
        ["disalow: /x", "Dissallow: /x", "DISALLOW /x", "dis-allow: /x", "disallow:/x", "disallow : /x"]
    {
        check(&format!("user agent: *\n{line}"), "/x", "-2");
    }
    for agent in ["useragent: drumlin", "User-Agent drumlin", "user agent drumlin", "User_agent:drumlin"] {
        check(&format!("{agent}\nDisallow: /x"), "/x", "-2");
    }
    check("User-agent: *\nDisallow robots from /x", "/x", "+0");
    check("User-agent: *\nAllowed paths are /x\nDisallow: /x", "/x", "-3");
    check("User-agent: *\nDisallow: /a\nUser agents that misbehave are banned\nDisallow: /x", "/x", "-4");
    check("User-agent: *\nDisallow: /a\nUSER AGENTS BANNED\nDisallow: /x", "/x", "-4");
    check("User agent drumlin crawler\nDisallow: /x", "/x", "-2");
    check("User-agent: *\nDisallow: /a\nUser-agent strings are logged\nDisallow: /x", "/x", "-4");
}

#[test]
fn a_colon_of_the_value_is_not_the_one_that_is_missing() {
    let file = "User-agent *\nDisallow /wiki/Special:Log\nDisallow *?q=:\nSitemap https://a.test/1\nUser-agent Drumlin/2 (+https://a.test)\n\
                Disallow /own:\nSitemap http://a.test/2";
    check(file, "/wiki/Special:Log", "+0");
    check(file, "/own:x", "-6");
    let file = file.replace("Drumlin/2", "other/2");
    check(&file, "/wiki/Special:Log", "-2");
    check(&file, "/x?q=:", "-3");
    assert_eq!(Robots::parse(file.as_bytes(), "drumlin").sitemaps(), ["https://a.test/1", "http://a.test/2"]);
    check("User-agent: *\nDisallow: /a:b\nDisallow/x: /y", "/a:b", "-2");
}

#[test]
fn percent_encoding_is_no_disguise() {
    let file =
        "User-agent: *\nDisallow: /é\nDisallow: /%7ea\nDisallow: /b%2Fc\nDisallow: /s%2A\nDisallow: /100%";
    check(file, "/%c3%a9", "-2");
    check(file, "/~a", "-3");
    check(file, "/%7Ea", "-3");
    check(file, "/b/c", "+0");
    check(file, "/b%2fc", "-4");
    check(file, "/s*", "-5");
    check(file, "/sx", "+0");
    check(file, "/100%", "-6");
    check(file, "/100%25", "-6");
    check(file, "/100%20", "-6");
}

#[test]
fn in_a_query_a_slash_is_one_however_it_is_written() {
    let file =
        "User-agent: *\nDisallow: /a?u=https://b.test\nDisallow: /c?u=%2F\nDisallow: /*%2Fd\nDisallow: /e/f";
    for url in ["/a?u=https://b.test/x", "/a?u=https%3A%2F%2Fb.test", "/a?u=https:/%2fb.test"] {
        check(file, url, "-2");
    }
    check(file, "/c?u=/x", "-3");
    check(file, "/c?u=%2f", "-3");
    check(file, "/q?u=%2Fd", "-4");
    check(file, "/e%2Ff", "+0");
    check("User-agent: *\nDisallow: /\nAllow: /a?u=%2F", "/a?u=/", "+3");
}

#[test]
fn a_file_in_latin_1_matches_its_own_urls() {
    let robots = Robots::parse(b"User-agent: *\nDisallow: /caf\xE9", "drumlin");
    assert!(!robots.verdict("/caf%E9").allowed);
    assert_eq!(robots.verdict("/caf%E9").rule.unwrap().text, "/caf%E9");
}

#[test]
fn the_root_may_be_left_out_of_a_path() {
    check("User-agent: *\nDisallow: /?x", "?x#y", "-2");
    check("User-agent: *\nDisallow: /$", "", "-2");
}

#[test]
fn an_index_page_allows_its_directory() {
    let file = "User-agent: *\nDisallow: /\nAllow: /a/index.html";
    check(file, "/a/", "+3");
    check(file, "/a/b", "-2");
}

#[test]
fn what_the_limit_cuts_is_ignored() {
    let head = "User-agent: *\nDisallow: /kept\n#";
    let rule = "\nDisallow: /private";
    let fill = limits::ROBOTS_BYTES - head.len() - "\nDisallow: /".len();
    let file = format!("{head}{}{rule}\nDisallow: /beyond", "x".repeat(fill));
    check(&file, "/kept", "-2");
    check(&file, "/private", "+0");
    check(&file, "/beyond", "+0");
}

#[test]
fn a_file_that_ends_at_the_limit_is_read_to_its_end() {
    let (head, rule) = ("User-agent: *\n#", "\nDisallow: /private");
    let fill = limits::ROBOTS_BYTES - head.len() - rule.len();
    check(&format!("{head}{}{rule}", "x".repeat(fill)), "/private", "-3");
}

#[test]
fn a_very_long_line_is_a_line() {
    let long = "a".repeat(100_000);
    check(&format!("User-agent: *\nDisallow: /{long}\nDisallow: /b"), "/aaa", "+0");
    check(&format!("User-agent: *\nDisallow: /{long}\nDisallow: /b"), "/b", "-3");
}

#[test]
fn a_row_of_wildcards_matches_as_one_and_counts_as_written() {
    let file = "User-agent: *\nDisallow: /a***b\nAllow: /a*b\nAllow: /c*\nDisallow: /c**$\n";
    check(file, "/ab", "-2");
    check(file, "/axb", "-2");
    check(file, "/a", "+0");
    check(file, "/c", "-5");
}

#[test]
fn a_rule_that_is_repeated_is_kept_once() {
    let rules = "Disallow: /a\nAllow: /b\nDisallow: /a\nDisallow: /b\nAllow: /b\n";
    let file = format!("User-agent: *\n{}", rules.repeat(100));
    check(&file, "/a", "-2");
    check(&file, "/b", "+3");
    assert_eq!(Robots::parse(file.as_bytes(), "drumlin").rules().count(), 3);
}

#[test]
fn delays_are_seconds() {
    check_delay("User-agent: *\nCrawl-delay: 10", Some(10_000));
    check_delay("User-agent: *\nCrawl delay: 0.25s", Some(250));
    check_delay("User-agent: *\nCrawl-delay: 1,5", Some(1_500));
    check_delay("User-agent: *\nCrawl-delay: 2, please", Some(2_000));
    check_delay("User-agent: *\nCrawl-delay: 1e3", Some(1_000_000));
    check_delay("User-agent: *\nCrawl-delay: 5E-1s", Some(500));
    check_delay("User-agent: *\nCrawl-delay: 3e", Some(3_000));
    check_delay("User-agent: *\nCrawl-delay: 3e+x", Some(3_000));
    check_delay("User-agent: *\nCrawl-delay: 1e999", Some(u64::MAX));
    check_delay("User-agent: *\nCrawl-delay: e3", None);
    check_delay("User-agent: *\nCrawldelay: soon", None);
    check_delay("User-agent: *\nCrawl-delay: -1", None);
    check_delay("User-agent: *\nCrawl-delay: 1.2.3", None);
    check_delay(&format!("User-agent: *\nCrawl-delay: {}", "9".repeat(400)), Some(u64::MAX));
    check_delay("Crawl-delay: 3\nUser-agent: *\nDisallow:", None);
    check_delay("User-agent: *\nCrawl-delay: 3\nUser-agent: drumlin\nDisallow:", None);
    check_delay(
        "User-agent: *\nCrawl-delay: 3\nUser-agent: x\nDisallow:\nUser-agent: *\nCrawl-delay: 2",
        Some(3_000),
    );
}

#[test]
fn sitemaps_stand_anywhere() {
    let file = "Sitemap: https://a.test/1\nUser-agent: x\nDisallow: /\nsite-map: /2\nSITEMAP: https://a.test/1\nSitemap:";
    assert_eq!(Robots::parse(file.as_bytes(), "drumlin").sitemaps(), ["https://a.test/1", "/2"]);
    let many: Vec<String> = (0..2_000).map(|n| format!("Sitemap: /{n}")).collect();
    assert_eq!(
        Robots::parse(many.join("\n").as_bytes(), "drumlin").sitemaps().len(),
        limits::ROBOTS_SITEMAPS
    );
}

#[test]
fn the_bare_url_of_a_sitemap_is_one() {
    let file = "User-agent: *\nhttp://a.test/dir/my-sitemap.xml\nHTTPS://a.test/SiteMap?x # the second\n\
                http://a.test/other.xml\nhttp://sitemap.test/\nhttp://sitemap.test?/sitemap\n\
                http://a.test/?sitemap\nsee http://a.test/sitemap\nhttp://a.test/sitemap is it\nhttp://\n\
                User-agent: b\nDisallow: /x";
    let sitemaps = ["http://a.test/dir/my-sitemap.xml", "HTTPS://a.test/SiteMap?x"];
    assert_eq!(Robots::parse(file.as_bytes(), "drumlin").sitemaps(), sitemaps);
    check(file, "/x", "-12");
}

#[test]
fn status_codes_speak_for_the_file() {
    for (status, want) in [
        (200, Access::Rules),
        (204, Access::Rules),
        (301, Access::DisallowAll),
        (401, Access::AllowAll),
        (404, Access::AllowAll),
        (429, Access::DisallowAll),
        (500, Access::DisallowAll),
        (503, Access::DisallowAll),
        (999, Access::DisallowAll),
    ] {
        assert_eq!(Access::from_status(status), want, "{status}");
    }
}
