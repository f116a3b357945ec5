use super::*;

fn url(url: &str) -> Url {
    Url::parse(url).unwrap()
}

fn set(cookies: &Cookies, from: &str, set: &[&str]) {
    let mut headers = HeaderMap::new();
    for value in set {
        headers.append(SET_COOKIE, HeaderValue::from_str(value).unwrap());
    }
    cookies.note(&url(from), &headers);
}

fn shown(cookies: &Cookies, at: &str) -> String {
    let value = cookies.for_url(&url(at));
    value.map_or(String::new(), |value| String::from_utf8(value.as_bytes().to_vec()).unwrap())
}

/// Sets cookies at one URL and says what is shown at others.
#[track_caller]
fn check(from: &str, cookies: &[&str], want: &[(&str, &str)]) {
    let kept = Cookies::new(1 << 20);
    set(&kept, from, cookies);
    for (at, want) in want {
        assert_eq!(shown(&kept, at), *want, "{cookies:?} of {from} at {at}");
    }
}

#[test]
fn whoever_set_it_is_shown_it() {
    check(
        "https://www.example.com/a/b",
        &["seen=1"],
        &[
            ("https://www.example.com/a/", "seen=1"),
            ("https://www.example.com/a/c?d", "seen=1"),
            ("http://www.example.com:8080/a/c", "seen=1"),
            ("https://www.example.com/", ""),
            ("https://example.com/a/b", ""),
            ("https://shop.example.com/a/b", ""),
            ("https://www.example.org/a/b", ""),
        ],
    );
}

#[test]
fn attributes_say_where() {
    let wide = "seen=1; Domain=example.com; Path=/";
    let hosts = [
        ("https://example.com/", "seen=1"),
        ("https://shop.example.com/x", "seen=1"),
        ("https://example.org/", ""),
    ];
    check("https://www.example.com/a/b", &[wide], &hosts);
    let secure = [("https://example.com/", "seen=1"), ("http://example.com/", "")];
    check("https://example.com/", &["seen=1; Secure; HttpOnly; SameSite=Strict"], &secure);
    check("https://example.com/", &["seen=1; Path=/a"], &[("https://example.com/", "")]);
    check("https://example.com/", &["seen=1; Max-Age=0"], &[("https://example.com/", "")]);
    let long_ago = "seen=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    check("https://example.com/", &[long_ago], &[("https://example.com/", "")]);
}

#[test]
fn nobody_sets_it_for_others() {
    let nowhere = [("https://example.com/", ""), ("https://other.com/", ""), ("https://a.example.com/", "")];
    check("https://example.com/", &["seen=1; Domain=other.com"], &nowhere);
    check("https://example.com/", &["seen=1; Domain=a.example.com"], &nowhere);
    // A public suffix is not told from a domain; whoever names one is shown it at its own hosts alone.
    let own = [("https://a.co.uk/", "seen=1"), ("https://b.co.uk/", ""), ("https://x.a.co.uk/", "seen=1")];
    check("https://a.co.uk/", &["seen=1; Domain=co.uk"], &own);
    check("http://127.0.0.1/", &["seen=1"], &[("http://127.0.0.1/", "seen=1"), ("http://127.0.0.2/", "")]);
}

#[test]
fn several_are_shown_longer_paths_first() {
    let several = ["b=2; Path=/", "c=3; Path=/a", "a=\"1\"; Path=/", "b=4; Path=/", "no cookie", "=", "é=é"];
    check(
        "https://example.com/",
        &several,
        &[("https://example.com/a", "c=3; a=\"1\"; b=4; é=é"), ("https://example.com/", "a=\"1\"; b=4; é=é")],
    );
}

#[test]
fn what_expires_goes() {
    let cookies = Cookies::new(1 << 20);
    set(&cookies, "https://example.com/", &["seen=1"]);
    set(&cookies, "https://example.com/", &["seen=1; Max-Age=0"]);
    assert_eq!(shown(&cookies, "https://example.com/"), "");
}

#[test]
fn one_that_is_too_long_is_not_taken_and_many_are_not_all_shown() {
    let cookies = Cookies::new(1 << 20);
    let long = "x".repeat(COOKIE_BYTES - 2);
    set(&cookies, "https://example.com/", &[&format!("a={long}"), "c=1"]);
    assert_eq!(shown(&cookies, "https://example.com/"), format!("a={long}"), "there is no room for c");
    let half = "x".repeat(COOKIES_SHOWN_BYTES / 2 - 2);
    set(&cookies, "https://example.org/", &[&format!("a={half}"), &format!("b={half}"), "c=1"]);
    assert_eq!(shown(&cookies, "https://example.org/"), format!("a={half}; c=1"), "nor for b");
    set(&cookies, "https://example.net/", &[&format!("a=1; Comment={long}"), "b=2"]);
    assert_eq!(shown(&cookies, "https://example.net/"), "b=2");
}

#[test]
fn a_site_has_its_share() {
    let cookies = Cookies::new(1 << 20);
    for number in 0..1000 {
        set(&cookies, "https://example.com/", &[&format!("n{number}=1")]);
    }
    let full = shown(&cookies, "https://example.com/");
    assert!(full.contains("n0=1") && !full.contains("n999=1"), "those that were there stay");
    assert!(cookies.sites().get(&"example.com".to_owned()).unwrap().bytes <= COOKIES_OF_SITE_BYTES);
    let gone: Vec<String> = (0..1000).map(|number| format!("n{number}=; Max-Age=0")).collect();
    set(&cookies, "https://example.com/", &gone.iter().map(String::as_str).collect::<Vec<_>>());
    set(&cookies, "https://example.com/", &["new=1"]);
    assert!(shown(&cookies, "https://example.com/").contains("new=1"), "what has expired makes room");
}

#[test]
fn all_sites_have_their_share() {
    let cookies = Cookies::new(64 << 10);
    for number in 0..1000 {
        set(&cookies, &format!("https://site{number}.com/"), &["seen=1"]);
    }
    let known = (0..1000).filter(|number| !shown(&cookies, &format!("https://site{number}.com/")).is_empty());
    let known = known.count();
    assert!((20..=64).contains(&known), "{known} of a thousand");
}
