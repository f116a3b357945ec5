use super::{Door, Errand};
use crate::Token;
use http::{HeaderMap, HeaderName, HeaderValue};

const TOKEN: &str = "Bearer 00000000000000000000000000000007";

fn token() -> Token {
    let mut secret = [0; 16];
    secret[0] = 7;
    Token::of(secret)
}

fn loopback() -> Door {
    Door::Loopback(token())
}

/// The status with which a request is sent away, or 200.
fn check(door: &Door, errand: Errand, headers: &[(&str, &str)]) -> u16 {
    let header = |(name, value): &(&str, &str)| {
        (HeaderName::try_from(*name).unwrap(), HeaderValue::try_from(*value).unwrap())
    };
    let headers: HeaderMap = headers.iter().map(header).collect();
    door.admit(&headers, errand).map_or_else(|denied| denied.status.as_u16(), |()| 200)
}

#[test]
fn on_loopback_everybody_may_look_and_the_token_changes() {
    let host = ("host", "127.0.0.1:8080");
    assert_eq!(check(&loopback(), Errand::Look, &[host]), 200);
    assert_eq!(check(&loopback(), Errand::Change, &[host]), 401);
    assert_eq!(check(&loopback(), Errand::Change, &[host, ("authorization", TOKEN)]), 200);
    let in_any_case = TOKEN.replace('B', "b");
    assert_eq!(check(&loopback(), Errand::Change, &[host, ("authorization", &in_any_case)]), 200);
    for wrong in ["", "Bearer ", "Bearer 0", &TOKEN[7..], &TOKEN.replace('7', "8"), &format!("{TOKEN}0")] {
        assert_eq!(check(&loopback(), Errand::Change, &[host, ("authorization", wrong)]), 401, "{wrong}");
    }
}

#[test]
fn a_name_that_only_leads_to_this_machine_is_refused() {
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1:80", ""] {
        assert_eq!(check(&loopback(), Errand::Page, &[("host", host)]), 421, "{host}");
    }
    assert_eq!(check(&loopback(), Errand::Page, &[]), 421);
    for host in ["localhost", "LocalHost", "localhost:9000"] {
        assert_eq!(check(&loopback(), Errand::Look, &[("host", host)]), 200, "{host}");
    }
}

#[test]
fn every_address_of_loopback_is_this_machine() {
    for host in ["127.0.0.1", "127.0.0.2:8080", "[::1]:8080", "[::1]", "[::ffff:127.0.0.3]:80"] {
        assert_eq!(check(&loopback(), Errand::Look, &[("host", host)]), 200, "{host}");
    }
    for host in ["128.0.0.1", "[::2]:8080", "[fe80::1]", "[", "[]", "0.0.0.0"] {
        assert_eq!(check(&loopback(), Errand::Look, &[("host", host)]), 421, "{host}");
    }
}

#[test]
fn pages_of_other_sites_are_refused_even_with_the_token() {
    let base = [("host", "localhost:8080"), ("authorization", TOKEN)];
    let with = |name, value| [&base[..], &[(name, value)]].concat();
    let ours = with("origin", "http://localhost:8080");
    assert_eq!(check(&loopback(), Errand::Change, &ours), 200);
    for origin in ["https://evil.example", "null", "http://localhost:8081", "https://localhost:8080"] {
        assert_eq!(check(&loopback(), Errand::Change, &with("origin", origin)), 403, "{origin}");
        assert_eq!(check(&loopback(), Errand::Look, &with("origin", origin)), 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(check(&loopback(), Errand::Look, &with("sec-fetch-site", site)), 403, "{site}");
    }
    assert_eq!(check(&loopback(), Errand::Look, &with("sec-fetch-site", "same-origin")), 200);
}

#[test]
fn from_afar_looking_needs_the_token_too() {
    let door = Door::Remote(token());
    let host = ("host", "crawler.example:8080");
    assert_eq!(check(&door, Errand::Page, &[host]), 200);
    assert_eq!(check(&door, Errand::Look, &[host]), 401);
    assert_eq!(check(&door, Errand::Look, &[host, ("authorization", TOKEN)]), 200);
}

#[test]
fn behind_something_that_encrypts_the_page_may_change_what_it_may_without() {
    let door = Door::Remote(token());
    let base = [("host", "crawler.example"), ("authorization", TOKEN)];
    for (origin, status) in [
        ("https://crawler.example", 200),
        ("http://crawler.example", 200),
        ("https://evil.example", 403),
        ("https://crawler.example:8443", 403),
    ] {
        assert_eq!(
            check(&door, Errand::Change, &[&base[..], &[("origin", origin)]].concat()),
            status,
            "{origin}"
        );
    }
}

#[test]
fn the_socket_needs_no_token() {
    assert_eq!(check(&Door::Socket, Errand::Change, &[("host", "drumlin")]), 200);
    assert_eq!(check(&Door::Socket, Errand::Change, &[("origin", "https://evil.example")]), 403);
}
