use super::examples::{capture, location, spooled};
use crate::unfinished::{Remainder, Unfinished};
use crate::{CaptureSeq, ParseJob, Source, Wants};
use frontier::Kind;

const PAGE: CaptureSeq = CaptureSeq(4);
const BOTH: Wants = Wants { links: true, row: true };
const LINKS: Wants = Wants { links: true, row: false };
const ROW: Wants = Wants { links: false, row: true };

fn remainder(wants: Wants) -> Remainder {
    Remainder { kind: Kind::Page, depth: 3, hops: 0, location: None, wants, again: false, row_made: false }
}

/// A page that is durable.
fn committed(wants: Wants) -> Unfinished {
    let mut unfinished = Unfinished::default();
    unfinished.begin(PAGE, remainder(wants));
    assert!(job(&mut unfinished).is_none(), "nothing is parsed before it is durable");
    let held = capture("http://a.example/1", "HTTP/1.1 200 OK", "12345");
    unfinished.committed(PAGE, location(4), held);
    unfinished
}

fn job(unfinished: &mut Unfinished) -> Option<ParseJob> {
    unfinished.next_job(64, &super::examples::config().rules)
}

/// After a crash: what a checkpoint keeps, read back.
fn crashed(unfinished: &Unfinished) -> Unfinished {
    let bytes = postcard::to_allocvec(&unfinished.save()).unwrap();
    let mut after = Unfinished::default();
    after.load(postcard::from_bytes(&bytes).unwrap());
    after.queue_all();
    after
}

#[test]
fn links_and_row_are_derived_once_and_the_capture_is_forgotten() {
    let mut unfinished = committed(BOTH);
    let parse = job(&mut unfinished).unwrap();
    assert_eq!((parse.wants, parse.depth), (BOTH, 3));
    assert!(matches!(parse.source, Source::Held(_)));
    assert!(job(&mut unfinished).is_none());
    assert_eq!(unfinished.unparsed(), 1);
    unfinished.parse_ended(PAGE, true);
    unfinished.links_done(PAGE);
    assert_eq!(unfinished.get(PAGE).unwrap().wants, ROW, "the row is not durable yet");
    unfinished.rows_done(&[(1, 3), (4, 9)]);
    assert!(unfinished.get(PAGE).is_none());
    assert_eq!(unfinished.unparsed(), 0);
}

#[test]
fn captures_of_earlier_runs_have_a_turn_where_parsers_always_have_fresh_ones() {
    let mut unfinished = crashed(&committed(BOTH));
    let fresh = |nth: u64| {
        let (seq, held) = (CaptureSeq(100 + nth), capture("http://a.example/2", "HTTP/1.1 200 OK", "12345"));
        (seq, location(seq.0), held)
    };
    let handed = (0..20).map(|nth| {
        let (seq, location, held) = fresh(nth);
        unfinished.begin(seq, remainder(BOTH));
        unfinished.committed(seq, location, held);
        job(&mut unfinished).unwrap().capture
    });
    assert_eq!(handed.collect::<Vec<_>>().iter().position(|seq| *seq == PAGE), Some(7));
}

#[test]
fn a_body_that_memory_does_not_hold_is_read_back_and_counted_all_the_same() {
    let mut unfinished = Unfinished::default();
    unfinished.begin(PAGE, remainder(BOTH));
    unfinished.committed(PAGE, location(4), spooled("http://a.example/1", "HTTP/1.1 200 OK", "12345"));
    assert_eq!(unfinished.fresh(), 1, "dispatch waits for its parse too");
    assert!(matches!(job(&mut unfinished).unwrap().source, Source::Stored));
}

#[test]
fn a_page_without_a_row_waits_for_none() {
    let mut unfinished = committed(BOTH);
    job(&mut unfinished).unwrap();
    unfinished.parse_ended(PAGE, false);
    assert_eq!(unfinished.get(PAGE).unwrap().wants, LINKS);
    unfinished.links_done(PAGE);
    assert!(unfinished.get(PAGE).is_none());
}

#[test]
fn rows_before_links_forget_nothing() {
    let mut unfinished = committed(BOTH);
    job(&mut unfinished).unwrap();
    unfinished.parse_ended(PAGE, true);
    unfinished.rows_done(&[(4, 4)]);
    assert_eq!(unfinished.get(PAGE).unwrap().wants, LINKS);
    unfinished.links_done(PAGE);
    assert!(unfinished.get(PAGE).is_none());
}

#[test]
fn a_shorter_path_derives_links_again_and_never_the_row() {
    let mut unfinished = committed(BOTH);
    unfinished.derive_again(PAGE, 2, location(4));
    let parse = job(&mut unfinished).unwrap();
    assert_eq!((parse.wants, parse.depth), (BOTH, 2));
    unfinished.derive_again(PAGE, 1, location(4));
    assert!(job(&mut unfinished).is_none(), "its links are on their way");
    assert_eq!(unfinished.get(PAGE).unwrap().depth, 1, "and will be one link away");
    unfinished.parse_ended(PAGE, true);
    unfinished.links_done(PAGE);
    for row_is_durable in [false, true] {
        unfinished.derive_again(PAGE, 0, location(4));
        let parse = job(&mut unfinished).unwrap();
        assert_eq!(
            (parse.wants, parse.depth, parse.location),
            (LINKS, 0, location(4)),
            "the row has been made"
        );
        assert!(matches!(parse.source, Source::Stored));
        assert!(unfinished.get(PAGE).unwrap().again);
        unfinished.parse_ended(PAGE, false);
        unfinished.links_done(PAGE);
        assert_eq!(unfinished.get(PAGE).is_some_and(|page| page.wants.row), !row_is_durable);
        unfinished.rows_done(&[(4, 4)]);
    }
}

#[test]
fn a_page_long_done_is_derived_from_again_and_forgotten_again() {
    let mut unfinished = Unfinished::default();
    unfinished.derive_again(PAGE, 1, location(4));
    let mut after = crashed(&unfinished);
    for unfinished in [&mut unfinished, &mut after] {
        let parse = job(unfinished).unwrap();
        assert_eq!((parse.wants, parse.depth, parse.location), (LINKS, 1, location(4)));
        unfinished.parse_ended(PAGE, false);
        unfinished.links_done(PAGE);
        assert!(unfinished.get(PAGE).is_none());
    }
}

/// Its row is made once more after a crash when a shorter path to the page is found: what is under way has no links.
#[test]
fn a_shorter_path_found_while_the_row_is_made_takes_another_parse() {
    let mut unfinished = committed(BOTH);
    unfinished.links_done(PAGE);
    let mut unfinished = crashed(&unfinished);
    assert_eq!(job(&mut unfinished).unwrap().wants, ROW);
    unfinished.derive_again(PAGE, 1, location(4));
    assert!(job(&mut unfinished).is_none(), "its row is under way");
    assert_eq!(unfinished.parse_ended(PAGE, true), ROW, "and its links are not");
    let parse = job(&mut unfinished).unwrap();
    assert_eq!((parse.wants, parse.depth), (LINKS, 1));
    assert_eq!(unfinished.parse_ended(PAGE, false), LINKS);
    assert_eq!(unfinished.get(PAGE).unwrap().wants, BOTH, "neither is durable");
    assert_eq!(unfinished.unparsed(), 0);
}

#[test]
fn a_shorter_path_found_before_the_row_is_made_once_more_takes_no_other_parse() {
    let mut unfinished = committed(BOTH);
    unfinished.links_done(PAGE);
    let mut unfinished = crashed(&unfinished);
    unfinished.derive_again(PAGE, 1, location(4));
    assert_eq!(job(&mut unfinished).unwrap().wants, BOTH);
    assert!(job(&mut unfinished).is_none());
    assert_eq!(unfinished.parse_ended(PAGE, true), BOTH);
    assert!(job(&mut unfinished).is_none_or(|parse| !parse.wants.row));
}

#[test]
fn after_a_crash_exactly_what_is_missing_is_derived() {
    let mut unfinished = committed(BOTH);
    assert_eq!(job(&mut crashed(&unfinished)).unwrap().wants, BOTH);
    job(&mut unfinished).unwrap();
    unfinished.parse_ended(PAGE, true);
    assert_eq!(job(&mut crashed(&unfinished)).unwrap().wants, BOTH, "the row was not durable");
    unfinished.links_done(PAGE);
    assert_eq!(job(&mut crashed(&unfinished)).unwrap().wants, ROW);
    unfinished.rows_done(&[(4, 4)]);
    assert!(job(&mut crashed(&unfinished)).is_none());
}

#[test]
fn what_never_became_durable_is_forgotten_by_a_crash() {
    let mut unfinished = Unfinished::default();
    unfinished.begin(PAGE, remainder(BOTH));
    let mut after = crashed(&unfinished);
    assert!(job(&mut after).is_none() && after.get(PAGE).is_none());
}

#[test]
fn links_that_are_wanted_once_more_are_not_counted_twice() {
    let mut unfinished = committed(BOTH);
    job(&mut unfinished).unwrap();
    unfinished.parse_ended(PAGE, true);
    unfinished.links_done(PAGE);
    for _ in 0..2 {
        unfinished.want_links(PAGE, remainder(ROW));
    }
    assert!(unfinished.get(PAGE).unwrap().again);
    assert_eq!(job(&mut unfinished).unwrap().wants, LINKS, "its row is made");
    assert!(job(&mut unfinished).is_none());

    let mut forgotten = Unfinished::default();
    let known = Remainder { location: Some(location(4)), ..remainder(Wants { links: false, row: false }) };
    forgotten.want_links(PAGE, known);
    assert!(forgotten.get(PAGE).unwrap().again);
    assert_eq!(job(&mut forgotten).unwrap().wants, LINKS);
}
