use crate::traps::limits::{FINGERPRINTS, PROBE_EVERY, TEMPLATES};
use crate::{Fingerprint, Suspicion, Template, Templates, TrapReason, Yield};
use proptest::prelude::*;
use stdx::Rng;
use weburl::{KeyHash, Url};

/// Of no probe.
const KEY: KeyHash = KeyHash(1);

fn url(rest: &str) -> String {
    Url::parse(&format!("http://www.example.com{rest}")).expect(rest).as_str().to_owned()
}

fn template(rest: &str) -> Template {
    Template::of(&url(rest))
}

fn note(templates: &mut Templates, rest: &str, gave: Yield) {
    templates.note(&url(rest), gave);
}

fn judge(templates: &Templates, rest: &str) -> Option<Suspicion> {
    templates.judge(&url(rest), KEY)
}

/// A page unlike any other.
fn story(rng: &mut Rng) -> Yield {
    Yield::Content(Fingerprint(rng.next_u64()))
}

/// A page that says what it said of all other days.
fn month(rng: &mut Rng) -> Yield {
    Yield::Content(Fingerprint(0x5EED ^ 1 << rng.below(64)))
}

#[test]
fn urls_of_one_script_have_one_pattern() {
    for (one, other) in [
        ("/calendar/2024/05", "/calendar/1999/12"),
        ("/calendar/2024-05-01", "/calendar/1999-12-31"),
        ("/item.php?id=7&page=2", "/item.php?page=1&id=10000"),
        ("/s/0123456789abcdef01234567/a", "/s/fedcba98765432100123abcd/b"),
        ("/news/a-story-of-three-words.html", "/news/another-story-with-more-words.html"),
        ("/shop?f[0]=red", "/shop?f[1]=blue"),
        ("/maze/left/right/left", "/maze/right/right/up"),
        ("/git?p=a;a=blob;f=src/x;hb=HEAD", "/git?p=b&a=blob&f=y&hb=master"),
        ("/shop?mode=0123456789abcdef01234567", "/shop?mode=fedcba98765432100123abcd"),
    ] {
        assert_eq!(template(one), template(other), "{one} {other}");
    }
}

#[test]
fn urls_of_different_scripts_have_different_ones() {
    let urls = [
        "/",
        "/calendar/2024/05",
        "/calendar/2024/05/01",
        "/calendar/may",
        "/news/2024/05",
        "/news/a-story-of-three-words",
        "/news/a-story-of-three-words.pdf",
        "/item.php?id=7",
        "/item.php?id=7&page=2",
        "/git?p=a",
        "/git?p=a;a=blob",
        "/git?p=a;a=tree",
        "/git?p=a;a=tree;h=1",
        "/ticket/7?format=csv",
        "/ticket/7?format=rss",
        "/about.html",
        "/contact.html",
    ];
    let mut templates: Vec<Template> = urls.into_iter().map(template).collect();
    templates.sort_unstable();
    templates.dedup();
    assert_eq!(templates.len(), urls.len());
}

#[test]
fn a_pattern_that_says_the_same_again_and_again_waits_longer_and_longer() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(1));
    let calendar = "/calendar/2024/05";
    let mut penalties = Vec::new();
    for _ in 0..600 {
        note(&mut templates, calendar, month(&mut rng));
        penalties.extend(judge(&templates, calendar).map(|suspicion| suspicion.penalty.get()));
    }
    penalties.dedup();
    assert_eq!(penalties, [1, 2, 3, 4, 5, 6]);
    let reason = judge(&templates, calendar).map(|suspicion| suspicion.reason);
    assert_eq!(reason, Some(TrapReason::Barren(599)), "the first of them was new");
    assert_eq!(judge(&templates, "/news/1"), None, "others do not suffer");
}

#[test]
fn what_is_said_again_and_again_is_remembered_among_much_that_is_new() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(9));
    let (login, news) = ("/login?next=1", "/news/1");
    for _ in 0..40 {
        note(&mut templates, login, Yield::Content(Fingerprint(0x5EED)));
        (0..FINGERPRINTS * 2 / 3).for_each(|_| note(&mut templates, news, story(&mut rng)));
    }
    assert_eq!(judge(&templates, login).map(|suspicion| suspicion.reason), Some(TrapReason::Barren(39)));
}

#[test]
fn words_that_change_little_by_little_are_new_in_time() {
    let (mut templates, page) = (Templates::default(), "/page/1");
    for bits in 0..=64 {
        let said = u64::MAX.checked_shr(bits).unwrap_or(0);
        note(&mut templates, page, Yield::Content(Fingerprint(said)));
    }
    assert_eq!(templates.of_url(&url(page)).fresh, 10, "the first, and each that differs by seven bits");
}

#[test]
fn a_new_set_of_parameters_for_every_page_is_judged_by_the_others_of_its_path() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(10));
    for number in 0..20 {
        note(&mut templates, "/query?id=1", story(&mut rng));
        note(&mut templates, &format!("/query?id=1&{}=1", spelled(number)), month(&mut rng));
    }
    assert_eq!(
        judge(&templates, "/query?id=1&other=2"),
        None,
        "as long as others of its path give something"
    );
    for number in 20..40 {
        note(&mut templates, "/query?id=1", story(&mut rng));
        note(&mut templates, &format!("/query?id=1&{}=1", spelled(number)), month(&mut rng));
    }
    let reason = judge(&templates, "/query?id=1&other=2").map(|suspicion| suspicion.reason);
    assert!(matches!(reason, Some(TrapReason::BarrenQueries(20..))), "{reason:?}");
    for path in ["/query?id=2", "/query", "/query/x?other=2", "/list?other=2"] {
        assert_eq!(judge(&templates, path), None, "{path}");
    }
}

#[test]
fn errors_are_nothing_new() {
    let (mut templates, gone) = (Templates::default(), "/old/1");
    (0..17).for_each(|_| note(&mut templates, gone, Yield::Nothing));
    assert!(judge(&templates, gone).is_some());
}

#[test]
fn pages_with_something_to_say_are_never_suspected() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(2));
    let shop = "/item?id=1";
    for fetch in 0..10_000 {
        let gave = if fetch % 4 == 0 { story(&mut rng) } else { month(&mut rng) };
        note(&mut templates, shop, gave);
        assert_eq!(judge(&templates, shop), None, "one page in four is new");
    }
}

#[test]
fn a_pattern_recovers_by_its_probes() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(3));
    let list = "/list?page=1";
    (0..5_000).for_each(|_| note(&mut templates, list, month(&mut rng)));
    let mut judged = 0;
    while judge(&templates, list).is_some() {
        judged += 1;
        if templates.judge(&url(list), KeyHash(judged)).is_none() {
            note(&mut templates, list, story(&mut rng));
        }
    }
    assert!(judged <= 9 * PROBE_EVERY, "{judged}");
}

#[test]
fn a_new_pattern_for_every_page_is_counted_with_the_others() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(4));
    let trap = |number: u64| format!("/{}/x", spelled(number));
    (0..4_000).for_each(|number| note(&mut templates, &trap(number), month(&mut rng)));
    templates.check_invariants();
    assert!(judge(&templates, &trap(1 << 40)).is_some(), "one that nobody has seen");
}

/// As many patterns as are counted, the rarest of which is barren.
fn crowded() -> Templates {
    let mut templates = Templates::default();
    let mut rng = Rng::new(6);
    for number in 0..TEMPLATES as u64 - 2 {
        (0..200).for_each(|_| note(&mut templates, &format!("/{}/x", spelled(number)), story(&mut rng)));
    }
    (0..100).for_each(|_| note(&mut templates, "/login?next=1", Yield::Nothing));
    templates
}

#[test]
fn a_newcomer_has_nothing_against_it_that_another_pattern_did() {
    let (mut templates, mut rng) = (crowded(), Rng::new(7));
    let (login, fresh) = ("/login?next=1", "/fresh/1.pdf");
    assert!(judge(&templates, login).is_some());
    assert_eq!(judge(&templates, fresh), None);
    note(&mut templates, fresh, story(&mut rng));
    assert_eq!(judge(&templates, fresh), None);
    note(&mut templates, fresh, Yield::Nothing);
    assert_eq!(judge(&templates, fresh), None);
    assert_eq!(templates.of_url(&url(fresh)).barren, 1);
}

#[test]
fn a_pattern_that_is_not_counted_shows_no_counts_of_another() {
    let mut templates = crowded();
    let of = |templates: &Templates, path: &str| {
        let pattern = templates.of_url(&url(path));
        (pattern.is_counted, pattern.is_at_most, pattern.fetches, pattern.barren)
    };
    assert_eq!(of(&templates, "/login?next=1"), (true, true, 100, 100));
    assert_eq!(of(&templates, "/fresh/1.pdf"), (true, true, 0, 0), "it has not been fetched");
    (0..40).for_each(|number| note(&mut templates, &format!("/{}.pdf", spelled(number)), Yield::Nothing));
    assert_eq!(of(&templates, "/fresh/1.pdf"), (false, true, 0, 0));
    let rare = judge(&templates, "/fresh/1.pdf").map(|suspicion| suspicion.reason);
    assert!(matches!(rare, Some(TrapReason::BarrenRare(_))), "{rare:?}");
}

#[test]
fn what_is_said_of_a_score_is_true_of_it() {
    let (mut templates, mut rng, list) = (Templates::default(), Rng::new(8), "/list?page=1");
    (0..100).for_each(|_| note(&mut templates, list, Yield::Nothing));
    note(&mut templates, list, story(&mut rng));
    let said = judge(&templates, list).map(|suspicion| suspicion.reason.to_string());
    let expected =
        "pages of URLs like it mostly had nothing new (50: one more for each, half for each that had)";
    assert_eq!(said.as_deref(), Some(expected));
}

/// A number in letters, so that it looks like a word.
fn spelled(mut number: u64) -> String {
    let mut letters = String::from("w");
    while number > 0 {
        letters.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    letters
}

#[test]
fn what_a_host_keeps_is_bounded() {
    let (mut templates, mut rng) = (Templates::default(), Rng::new(5));
    for number in 0..100_000 {
        note(&mut templates, &format!("/{}/x", spelled(number)), story(&mut rng));
    }
    templates.check_invariants();
    let bytes = postcard::to_allocvec(&templates).expect("plain data");
    assert!(bytes.len() <= 1_024, "{}", bytes.len());
    assert_eq!(postcard::from_bytes::<Templates>(&bytes).expect("what was written"), templates);
}

proptest! {
    /// A pattern in common use keeps its place and its count, whatever else there is.
    #[test]
    fn the_common_patterns_stay(numbers in prop::collection::vec(0_u64..2_000, 17..600), common in 0_u64..2_000) {
        let mut templates = Templates::default();
        let of = |number| format!("/{}", spelled(number));
        let mut fetches = 0;
        for number in numbers {
            note(&mut templates, &of(number), Yield::Nothing);
            note(&mut templates, &of(common), Yield::Nothing);
            fetches += 1 + u16::from(number == common);
            templates.check_invariants();
        }
        let reason = judge(&templates, &of(common)).map(|suspicion| suspicion.reason);
        prop_assert_eq!(reason, Some(TrapReason::Barren(fetches)));
    }
}
