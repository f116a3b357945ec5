use super::{Config, Identity};
use crate::settings::{self, Settings};
use fetch::{Families, Sources};
use std::net::{Ipv4Addr, SocketAddr};

fn settings(text: &str) -> Settings {
    let seeded = Settings { seed: Some("2a".into()), ..Settings::defaults() };
    seeded.overlaid(&settings::read("test", text).unwrap())
}

fn check(text: &str) -> Config {
    Config::new(&settings(text)).unwrap()
}

fn refused(text: &str) -> String {
    Config::new(&settings(text)).unwrap_err().0
}

#[test]
fn defaults_are_polite() {
    let config = check("");
    assert_eq!((config.delay_ms, config.ip_delay_ms, config.concurrency, config.seed), (1000, 250, 256, 42));
    assert_eq!(config.patience_ms, 10 * 60 * 1000);
    assert!(config.sitemaps);
    assert!(config.identity.user_agent.starts_with("drumlin/"));
}

#[test]
fn a_profile_sets_what_its_layer_leaves_open() {
    let delays = |text| {
        let config = check(text);
        (config.delay_ms, config.ip_delay_ms, config.domain_delay_ms, config.stranger_factor)
    };
    assert_eq!(delays(""), (1_000, 250, 250, 1));
    assert_eq!(delays("profile = \"broad\""), (1_000, 1_000, 250, 40));
    assert_eq!(delays("profile = \"gentle\""), (4_000, 1_000, 1_000, 2));
    assert_eq!(delays("profile = \"broad\"\ndelay = 3"), (3_000, 1_000, 250, 40));
    assert_eq!(delays("domain_delay = 2\nstranger_factor = 10"), (1_000, 250, 2_000, 10));
    assert!(refused("stranger_factor = 0").contains("between 1 and 3600"));
}

#[test]
fn groups_are_named_with_their_hosts_and_their_interval() {
    let groups = check("groups = [\"uni=*.uni.example,library.example@2\", \"shop=shop.example\"]").groups;
    let of = |host| groups.of(host).map(|id| groups.get(id));
    let told = |host| of(host).map(|group| (group.name.as_str(), group.interval_ms));
    assert_eq!(told("www.uni.example"), Some(("uni", 2_000)));
    assert_eq!(told("library.example"), Some(("uni", 2_000)));
    assert_eq!(told("shop.example"), Some(("shop", 250)));
    assert_eq!(told("example.org"), None);
}

#[test]
fn what_is_no_group_is_refused_with_what_was_written() {
    let error =
        |text: &str| settings::read("file", &format!("groups = [\"{text}\"]")).unwrap_err().to_string();
    assert!(error("uni").contains("group `uni`: write NAME=HOST,"));
    assert!(error("uni=a.example@soon").contains("`soon` is not a duration"));
    assert!(error("uni=*").contains("`*` is no host"));
    let named = refused("groups = [\"a=a.example@3\", \"b=c.example\", \"a=b.example@1\"]");
    assert!(named.starts_with("--group: group `a` is named twice"), "{named}");
    let twice = refused("groups = [\"one=a.example\", \"two=a.example\"]");
    assert_eq!(twice, "--group: `a.example` is in group `one` and in group `two`");
}

#[test]
fn a_group_is_written_as_it_is_read() {
    for text in ["uni=*.uni.example,library.example@2", "shop=shop.example@250ms", "lone=a.example"] {
        assert_eq!(text.parse::<settings::Group>().unwrap().to_string(), text);
    }
}

#[test]
fn a_later_profile_goes_over_earlier_delays() {
    let broad = settings::read("flags", "profile = \"broad\"").unwrap();
    let config = Config::new(&settings("delay = 7").overlaid(&broad)).unwrap();
    assert_eq!((config.delay_ms, config.stranger_factor), (1_000, 40));
}

#[test]
fn sitemaps_are_followed_where_no_depth_and_no_page_bounds_the_crawl() {
    assert!(!check("depth = 3").sitemaps);
    assert!(!check("scope = \"page\"").sitemaps);
    assert!(check("depth = 3\nsitemaps = true").sitemaps);
    assert!(!check("sitemaps = false").sitemaps);
}

#[test]
fn memory_bounds_concurrency() {
    assert_eq!(check("memory = \"64M\"").concurrency, 32);
    assert_eq!(check("memory = \"64M\"\nconcurrency = 8").concurrency, 8);
    assert!(refused("memory = \"1M\"").contains("64M"));
}

#[test]
fn an_expression_is_refused_with_the_place_and_the_reason() {
    assert_eq!(refused("include = ['ok', 'a(b']"), "--include `a(b`: unclosed group, at character 2");
    assert_eq!(refused("exclude = ['x{2,1}']").split(',').next(), Some("--exclude `x{2"));
}

#[test]
fn only_private_ranges_are_allowed_by_name() {
    check("allow_ip = [\"127.0.0.0/8\", \"10.0.0.0/8\", \"::1/128\"]");
    for range in ["8.8.8.0/24", "0.0.0.0/0", "::/0"] {
        let message = refused(&format!("allow_ip = [\"{range}\"]"));
        assert!(message.starts_with("--allow-ip: ") && message.contains(range), "{message}");
    }
}

#[test]
fn dns_servers_may_go_without_a_port() {
    let config = check("dns = [\"127.0.0.1\", \"[::1]:5300\", \"::1\"]");
    assert_eq!(config.dns.iter().map(SocketAddr::port).collect::<Vec<_>>(), [53, 5300, 53]);
    assert_eq!(
        refused("dns = [\"resolver.example\"]"),
        "--dns: `resolver.example` is not IP or IP:PORT with a port above 0"
    );
}

#[test]
fn nobody_is_reached_at_port_0() {
    assert_eq!(
        refused("dns = [\"192.0.2.1:0\"]"),
        "--dns: `192.0.2.1:0` is not IP or IP:PORT with a port above 0"
    );
    let proxy = refused("proxy = \"http://192.0.2.1:0\"");
    assert_eq!(proxy, "--proxy: a proxy is at IP:PORT, the port not 0, with nothing after it");
}

#[test]
fn of_a_list_all_that_is_wrong_is_named() {
    assert_eq!(
        refused("include = ['(', 'a', '[']"),
        "--include `(`: unclosed group, at character 1; `[`: unclosed character class, at character 1"
    );
    let types = refused("[page]\ntypes = [\"x\", \"text/html\", \"y\"]");
    assert!(types.contains("`x`") && types.contains("`y`"), "{types}");
    check("[page]\ntypes = [\"*/*\"]");
}

#[test]
fn what_is_parsed_of_a_page_is_decoded() {
    assert_eq!(check("[page]\nparse = \"16M\"").parse_bytes, 16 << 20);
    let told = refused("[page]\nparse = 16777217");
    assert_eq!(told, "[page] parse: 16777217 is more than 16777216, the most that is decoded of a page");
}

#[test]
fn connections_leave_as_they_are_told() {
    let config = check("bind = [\"192.0.2.7\"]\nproxy = \"socks5://me:secret@127.0.0.1:1080\"");
    assert_eq!(config.families, Families::V4Only);
    assert_eq!(config.route.sources, Sources::Only { v4: Some(Ipv4Addr::new(192, 0, 2, 7)), v6: None });
    assert_eq!(config.route.proxy, Some("socks5://me:secret@127.0.0.1:1080".parse().unwrap()));
    assert_eq!(check("bind = [\"192.0.2.7\", \"2001:db8::7\"]").families, Families::V4First);
    assert_eq!(
        refused("bind = [\"192.0.2.7\", \"192.0.2.8\"]"),
        "--bind: 192.0.2.7 and 192.0.2.8 are of one kind, and one of each is used"
    );
    assert_eq!(refused("proxy = \"ftp://127.0.0.1:21\""), "--proxy: a proxy is http://… or socks5://…");
}

#[test]
fn nonsense_is_refused_in_one_line() {
    for text in [
        "concurrency = 0",
        "seed = \"xyz\"",
        "seed = \"0000000000000002a\"",
        "seed = \"+2a\"",
        "[page]\ntime = 0",
        "[retry]\nfactor = 0",
        "archive = \"expire\"\ndepth = 3",
        "[retry]\nattempts = 0",
        "[page]\ntypes = [\"html\"]",
    ] {
        let message = refused(text);
        assert!(!message.contains('\n') && !message.is_empty(), "{message}");
    }
}

#[test]
fn we_say_who_we_are() {
    let plain = Identity::new(None, None).unwrap();
    assert_eq!(plain.user_agent, concat!("drumlin/", env!("CARGO_PKG_VERSION")));
    assert_eq!(plain.token, "drumlin");
    let ours = Identity::new(None, Some("https://example.org/bot")).unwrap();
    assert!(ours.user_agent.ends_with(" (+https://example.org/bot)"));
    let own = Identity::new(Some("my-crawler/2.0"), Some("me@example.org")).unwrap();
    assert_eq!(
        (own.user_agent.as_str(), own.token.as_str()),
        ("my-crawler/2.0 (+me@example.org)", "my-crawler")
    );
    let whole = Identity::new(Some("my_crawler (+me@example.org)"), Some("me@example.org")).unwrap();
    assert_eq!(whole.user_agent, "my_crawler (+me@example.org)");
}

#[test]
fn we_do_not_pass_for_others() {
    for user_agent in
        ["Mozilla/5.0", "Googlebot", "nice/1.0 (compatible; Googlebot/2.1)", "", "/1.0", "a\nb", "bot2000"]
    {
        assert!(Identity::new(Some(user_agent), None).is_err(), "{user_agent:?}");
    }
    for token in [
        "Googlebot-Image/1.0",
        "googlebot-x",
        "PerplexityBot",
        "OAI-SearchBot",
        "Google-Extended",
        "curl/8",
        "wget",
        "Scrapy/2",
        "Nutch_x",
    ] {
        let told = Identity::new(Some(token), None).unwrap_err().0;
        assert!(told.contains("passes for another program"), "{told}");
    }
    for own in [
        "drumlin",
        "googlebotany/1.0",
        "curlew",
        "my-curl/1.0",
        "own/1.0 (made with Scrapy; https://curl.example/)",
    ] {
        assert!(Identity::new(Some(own), None).is_ok(), "{own}");
    }
    for contact in
        ["", "me", "me@", "@example.org", "example.org", "ftp://example.org", "me@ex ample.org", "a@b.c) x"]
    {
        assert!(Identity::new(None, Some(contact)).is_err(), "{contact:?}");
    }
}
