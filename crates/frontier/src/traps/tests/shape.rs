use crate::traps::form::Form;
use crate::traps::shape::glance::Glance;
use crate::{TrapReason, judge_shape};
use stdx::{Rng, Timestamp};
use weburl::Url;

/// In November 2023.
const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

fn judged(url: &str) -> Option<(TrapReason, u8)> {
    let suspicion = judge_shape(Url::parse(url).expect(url).as_str(), NOW)?;
    Some((suspicion.reason, suspicion.penalty.get()))
}

fn on_host(rest: &str) -> Option<(TrapReason, u8)> {
    judged(&format!("http://www.example.com{rest}"))
}

fn joined(count: u32, part: impl Fn(u32) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn ordinary_urls_are_above_suspicion() {
    for rest in [
        "/",
        "/2015/05/05/a-story.html",
        "/news/news/8903-a-story",
        "/dir/x/x/x/",
        "/i/1381153/40875/0/0/0",
        "/a/b/c/d/e/f/g/h/i/j/k/l",
        "/search?q=rust&page=2&sort=date&lang=en&size=20",
        "/shop?colour[]=red&colour[]=blue&colour[]=green&size[]=m",
        "/login?next=http%253A%252F%252Fwww.example.com%252Fa",
        "/events/2024/12/31",
        "/archive/1890/05/02/the-battle",
        "/calendar?date=2025-01-31",
        "/spec?version=20310405&id=2931",
    ] {
        assert_eq!(on_host(rest), None, "{rest}");
    }
}

#[test]
fn listings_in_another_order() {
    for rest in ["/?C=N;O=D", "/pub/linux/?C=M;O=A", "/pub/?C=S&O=D"] {
        assert_eq!(on_host(rest), Some((TrapReason::Order, 1)), "{rest}");
    }
    for rest in ["/pub/", "/pub/?C=N", "/pub/?C=X;O=D", "/shop?C=N;O=D", "/pub/?C=N;O=D;F=2&q=x"] {
        assert_eq!(on_host(rest), None, "{rest}");
    }
}

#[test]
fn paths_that_repeat_themselves() {
    for (rest, times, penalty) in [
        ("/blog/blog/blog/", 3, 2),
        ("/a/b/a/b/a/b/a/b/", 4, 3),
        ("/start/x/x/x/x/end", 4, 3),
        ("/swim/aktuell/lesen/swim/aktuell/lesen/", 2, 1),
    ] {
        assert_eq!(on_host(rest), Some((TrapReason::Repeats(times), penalty)), "{rest}");
    }
    let deep = "/de/news".repeat(30);
    assert_eq!(on_host(&deep), Some((TrapReason::Repeats(30), 8)));
}

#[test]
fn paths_deeper_than_anybody_files() {
    let deep = |segments: u32| joined(segments, |n| format!("/{n}"));
    assert_eq!(on_host(&deep(16)), None);
    assert_eq!(on_host(&deep(17)), Some((TrapReason::Depth(17), 1)));
    assert_eq!(on_host(&deep(32)), Some((TrapReason::Depth(32), 2)));
    assert_eq!(on_host(&deep(200)), Some((TrapReason::Depth(200), 4)));
}

#[test]
fn urls_longer_than_anybody_writes() {
    let long = |bytes: usize| on_host(&format!("/{}", "x".repeat(bytes - 23)));
    assert_eq!(long(768), None);
    assert_eq!(long(769), Some((TrapReason::Length(769), 1)));
    assert_eq!(long(8_000), Some((TrapReason::Length(8_000), 4)));
}

#[test]
fn queries_that_grow() {
    let query = |count| joined(count, |n| format!("p{n}=1&"));
    assert_eq!(on_host(&format!("/?{}", query(12))), None);
    assert_eq!(on_host(&format!("/?{}", query(13))), Some((TrapReason::Parameters(13), 1)));
    let facets = joined(9, |n| format!("f%5B{n}%5D=c&"));
    assert_eq!(on_host(&format!("/?{facets}")), Some((TrapReason::SameParameter(9), 2)));
    assert_eq!(on_host("/?a=1&a=2&a=3&a=4&a=5"), Some((TrapReason::SameParameter(5), 1)));
}

#[test]
fn urls_encoded_over_and_over() {
    assert_eq!(on_host("/?u=http%25252525253A"), Some((TrapReason::Encoded(5), 2)));
}

#[test]
fn calendars_of_years_that_nobody_plans_or_remembers() {
    for (rest, year, penalty) in [
        ("/calendar/2026/4", 2026, 1),
        ("/events/month/2031-02", 2031, 3),
        ("/?tribe-bar-date=2923-02-01", 2923, 8),
        ("/kalender?year=1931&month=2", 1931, 2),
        ("/index.php?option=com_jevents&day=1&Year=0007", 7, 6),
    ] {
        assert_eq!(on_host(rest), Some((TrapReason::Calendar(year), penalty)), "{rest}");
    }
}

#[test]
fn the_worst_suspicion_counts_and_speaks_plainly() {
    let both = format!("http://a.example/calendar/2026{}", "/x/y/z".repeat(9));
    let suspicion = judge_shape(&both, NOW).unwrap();
    assert_eq!(suspicion.to_string(), "a part of its path comes 9 times in a row (8 queues back)");
}

#[test]
fn what_has_no_twins_has_no_segment_twice() {
    const PARTS: [&str; 8] = ["a", "b", "news", "news-1", "swim", "swam", "2931", ""];
    let mut rng = Rng::new(1);
    let (mut told, mut distinct) = (0, 0);
    for _ in 0..10_000 {
        let segments = (0..rng.below(6)).map(|_| PARTS[rng.below(PARTS.len() as u64) as usize]);
        let segments: Vec<&str> = segments.collect();
        let url = format!("http://a.example/{}", segments.join("/"));
        let mut sorted: Vec<&str> = segments.into_iter().filter(|segment| !segment.is_empty()).collect();
        sorted.sort_unstable();
        let is_distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        let is_told = !Glance::at(Form::of(&url), 2023).has_twins;
        assert!(is_distinct || !is_told, "{url}");
        told += u32::from(is_told);
        distinct += u32::from(is_distinct);
    }
    assert!(told > 2_000 && told * 2 > distinct, "{told} of {distinct}");
}
