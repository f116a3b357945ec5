//! robots.txt, preferences, sitemaps and feeds on what nobody wrote.

use fuzz::Fuzz;
use meter::Meter;
use robots::{
    AiTxt, Entry, Extent, Preferences, Reservations, Robots, RobotsTxt, UsageRules, parse_sitemap,
    read_sitemap,
};
use std::io::Read;

#[global_allocator]
static METER: Meter = Meter::new();

const ROBOTS: [&str; 3] = [
    "User-agent: *\nDisallow: /a*b$\nAllow: /a%2Fc\nCrawl-delay: 1.5\n\nUser-agent: drumlin\nDisallow:\nSitemap: http://x.test/s.xml\n",
    "\u{feff}<html>user agent : drumlin/1 foo\r\ndisalow /x # y\rContent-Usage: /z train-ai=n\nContent-Signal: ai-train=no, search=yes",
    "User-Agent: *\nDisallow: *.jpg\nAllow: *.txt\n",
];

const WORDS: [&str; 16] = [
    "User-agent:",
    "drumlin",
    "*",
    "Disallow:",
    "Allow:",
    "/",
    "$",
    "%2f",
    "%",
    "\n",
    "\r\n",
    "Sitemap:",
    "Crawl-delay:",
    "Content-Usage:",
    "train-ai=n",
    "#",
];

const PATHS: [&str; 5] = ["/", "/a/b", "/a%2fc?x=*", "/robots.txt", "/z.jpg#f"];

#[test]
fn robots_txt() {
    Fuzz::new("robots_txt").seeds(ROBOTS).words(&WORDS).run(|input| {
        let robots = Robots::parse(input, "drumlin");
        assert!(robots.verdict("/robots.txt").allowed);
        let (rules, usage) = (robots.clone(), UsageRules::parse(input, "drumlin"));
        assert_eq!(RobotsTxt::parse(input, "drumlin"), RobotsTxt { rules, usage }, "what each says alone");
        let stored = serde_json::to_string(&robots).expect("plain values");
        let again: Robots = serde_json::from_str(&stored).expect("what was written");
        for path in PATHS {
            let verdict = robots.verdict(path);
            assert_eq!(again.verdict(path), verdict);
            assert!(verdict.allowed || verdict.rule.is_some(), "nothing is forbidden without a rule");
        }
        // What stands behind a comment sign on a line of its own changes no verdict.
        let commented = [input, b"\n# Disallow: /\n"].concat();
        assert_eq!(
            Robots::parse(&commented, "drumlin").verdict("/a/b").allowed,
            robots.verdict("/a/b").allowed
        );
    });
}

/// RFC 9309, 2.2.2 and 2.2.3, word by word: the longest pattern that matches wins, and of equally long ones what allows.
#[test]
fn rules() {
    let seeds = ["ab/ab\n+a*b\n-a", "aa\n-a$\n+*a", "a/b/a\n-*/b\n+a/b/\n-*$"];
    Fuzz::new("rules").seeds(seeds).words(&["*", "$", "/", "\n-", "\n+", "a", "b"]).run(|input| {
        let mut lines = input.split(|byte| *byte == b'\n');
        let path = pattern(lines.next().unwrap_or_default(), b"/ab");
        let rules: Vec<(bool, String)> = lines
            .take(6)
            .filter_map(|line| Some((line.first()? == &b'+', pattern(&line[1..], b"/ab*"))))
            .collect();
        let line = |(allows, pattern): &(bool, String)| {
            format!("{}: {pattern}\n", if *allows { "Allow" } else { "Disallow" })
        };
        let text = format!("User-agent: *\n{}", rules.iter().map(line).collect::<String>());
        let allowed = Robots::parse(text.as_bytes(), "drumlin").verdict(&path).allowed;
        assert_eq!(allowed, is_allowed(&rules, &path), "{path} by {text}");
    });
}

/// Short, and of these letters; `$` means something at the end only, elsewhere it has to be written otherwise.
fn pattern(bytes: &[u8], letters: &[u8]) -> String {
    let kept = bytes.iter().filter(|byte| letters.contains(byte)).take(8);
    let end = if letters.contains(&b'*') && bytes.ends_with(b"$") { "$" } else { "" };
    format!("/{}{end}", kept.map(|byte| char::from(*byte)).collect::<String>())
}

fn is_allowed(rules: &[(bool, String)], path: &str) -> bool {
    let longest = |allows: bool| {
        let matching = rules
            .iter()
            .filter(|(allow, pattern)| *allow == allows && matches(pattern.as_bytes(), path.as_bytes()));
        matching.map(|(_, pattern)| pattern.len()).max()
    };
    longest(true) >= longest(false)
}

fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|at| matches(rest, &path[at..])),
        [letter, rest @ ..] => path.first() == Some(letter) && matches(rest, &path[1..]),
    }
}

#[test]
fn preferences() {
    let tdmrep = r#"[{"location": "/a*", "tdm-reservation": 1, "tdm-policy": "p"}, {"location": "/", "tdm-reservation": "0"}]"#;
    let seeds = ROBOTS.into_iter().chain([tdmrep, "train-ai=n, search=y;ai=?0"]);
    let words = [
        "{",
        "}",
        "[",
        "]",
        "\"location\":",
        "\"tdm-reservation\":",
        "1",
        ",",
        "train-ai=",
        "n",
        "y",
        "bots=n",
        ";",
    ];
    Fuzz::new("preferences").seeds(seeds).words(&words).words(&WORDS).run(|input| {
        let peak = METER.peak_while(|| {
            let (usage, tdmrep) = (UsageRules::parse(input, "drumlin"), Reservations::parse(input));
            let ai = AiTxt::parse(input, "drumlin");
            for path in PATHS {
                let all = usage.preferences(path).with(tdmrep.preferences(path)).with(ai.preferences(path));
                let written = all.to_string();
                assert_eq!(Preferences::of_usage(&written), all, "{written}");
            }
        });
        assert!(peak <= 256 * input.len() + (256 << 10), "{peak} bytes for {}", input.len());
    });
}

const SITEMAPS: [&str; 7] = [
    "<?xml version='1.0'?><urlset xmlns='s'><url><loc>http://x.test/?a&amp;b</loc><lastmod>2024-01-31T10:00Z</lastmod><priority>0.8</priority></url></urlset>",
    "<sitemapindex><sitemap><loc><![CDATA[http://x.test/s.xml]]></loc></sitemap></sitemapindex>",
    "<rss><channel><item><link>http://x.test/1</link><pubDate>Mon, 1 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>",
    "<feed><entry><link rel='alternate' href='/2'/><updated>2024-01-31</updated></entry></feed>",
    "http://x.test/a\nhttps://x.test/b\r\n# no\n",
    "<?xml version='1.0' encoding='Shift_JIS'?><urlset><url>http://x.test/\u{fffd}</url><url><loc>&lt;![CDATA[http://x.test/]]&gt;</loc>",
    "\u{feff}<rdf:RDF><item rdf:about='http://x.test/3'/></rdf:RDF>",
];

/// Gives one byte, then two, then three, then one again.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = self.1 % 3 + 1;
        let most = self.1.min(buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

#[test]
fn sitemaps() {
    let words = [
        "<loc>",
        "</loc>",
        "<url>",
        "</url>",
        "<urlset>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&amp;",
        "&#x",
        "<lastmod>",
        "<item>",
        "<link href='",
        "http://x.test/",
        "<!DOCTYPE",
        "\u{feff}",
        "\0",
    ];
    Fuzz::new("sitemaps").seeds(SITEMAPS).words(&words).run(|input| {
        let mut whole = None;
        let peak = METER.peak_while(|| whole = Some(parse_sitemap(input)));
        let whole = whole.expect("it was read");
        let mut dribbled: Vec<Entry> = Vec::new();
        read_sitemap(|| Ok(Dribble(input, 0)), || Extent::Whole, |entry, _| dribbled.push(entry))
            .expect("memory can be read");
        assert_eq!(whole.urls, dribbled, "in whatever pieces it comes");
        assert!(peak <= 64 * input.len() + (1 << 20), "{peak} bytes for {}", input.len());
    });
}
