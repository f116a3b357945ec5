//! References beside the `url` crate, and keys.

use fuzz::Fuzz;
use weburl::{Folding, Key, Url, UrlError, surt};

const BASES: [&str; 4] = [
    "http://a.test",
    "https://a.test:8080/b/c/d?q=/e/../f",
    "http://[::1]:81/b//",
    "https://user@a.test/%2e/b;c",
];

const SEEDS: [&str; 10] = [
    "http://A.test:80/%7Ea/../b?c=1&b=2#d",
    "//münchen.test/ü?ü",
    "../../x/./y/",
    "?a=b&utm_source=x&PHPSESSID=0123456789abcdef",
    "http:\\\\a.test\\b",
    " http://1.2.3/ ",
    "https://[2001:db8::1]:443/",
    "http://a.test/;jsessionid=ABCDEF0123456789?x",
    "mailto:a@b",
    "http://%61.test/%zz%C3%A9%2F",
];

const WORDS: [&str; 20] = [
    "http://",
    "https:",
    "//",
    "/",
    "\\",
    "..",
    ".",
    "%2e",
    "%",
    "?",
    "#",
    "@",
    ":",
    "[",
    "]",
    "xn--",
    "utm_source=",
    "&",
    ";",
    "ß",
];

/// What the parser by itself says a crawler may ask for: nobody's password is used.
fn by_parser(base: &str, reference: &str) -> Option<String> {
    let mut url = url::Url::parse(base).ok()?.join(reference).ok()?;
    url.set_fragment(None);
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    if is_web {
        url.set_username("").and_then(|()| url.set_password(None)).expect("a URL with a host");
    }
    is_web.then(|| url.to_string())
}

/// Where the crate falls behind the standard: carets in paths, and more than two slashes in front.
fn is_beyond_the_parser(reference: &str) -> bool {
    let text = reference.trim_start_matches(|c: char| c <= ' ');
    let slashes = text.chars().take_while(|c| matches!(c, '/' | '\\' | '\t' | '\n' | '\r'));
    reference.contains('^') || slashes.filter(|c| matches!(c, '/' | '\\')).count() > 2
}

/// And where `..` may not have removed a drive letter: it is still there.
fn has_drive(url: &str) -> bool {
    let is_drive = |segment: &[u8]| matches!(segment, [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    url.split(['/', '?']).any(|segment| is_drive(segment.as_bytes()))
}

/// The parser has no limit.
fn is_too_long(ours: &Result<Url, UrlError>) -> bool {
    matches!(ours, Err(UrlError::TooLong { .. }))
}

#[test]
fn references() {
    Fuzz::new("references").seeds(SEEDS).words(&WORDS).executions(20_000).run(|input| {
        let reference = String::from_utf8_lossy(input);
        if is_beyond_the_parser(&reference) {
            return;
        }
        for base in BASES {
            let ours = Url::parse(base).expect("a URL").join(&reference);
            let theirs = by_parser(base, &reference);
            if theirs.as_deref().is_some_and(has_drive) {
                continue;
            }
            if let Ok(ours) = &ours {
                assert_eq!(Some(ours.as_str()), theirs.as_deref(), "{reference} in {base}");
                assert_eq!(Url::parse(ours.as_str()).as_ref(), Ok(ours));
            } else if let Some(theirs) = theirs.filter(|_| !is_too_long(&ours)) {
                panic!("{ours:?}, not {theirs}: {reference} in {base}");
            }
        }
    });
}

#[test]
fn keys() {
    Fuzz::new("keys").seeds(SEEDS).words(&WORDS).executions(20_000).run(|input| {
        let text = String::from_utf8_lossy(input);
        drop(surt(&text));
        let Ok(url) = Url::parse(&text).or_else(|_| Url::parse("http://a.test/").expect("a URL").join(&text))
        else {
            return;
        };
        let key = Key::of(&url, &Folding::default());
        assert!(key.as_str().len() <= 3 * url.as_str().len() + 16, "{} of {url}", key.as_str());
        let path = url.request_target();
        assert!(path.starts_with('/') && url.as_str().ends_with(path), "{path} of {url}");
        assert!(url.authority().len() <= url.as_str().len() && !weburl::pld(url.host()).is_empty());
    });
}
