use super::attempts::Attempts;
use super::estimate::estimate_ms;
use super::json;
use super::line::live_line;
use super::rate::Window;
use crate::directory::LOG;
use snapshot::{Ending, Snapshot, Waits, WaitsFor};
use std::fs;

/// A crawl at a second: 10 pages and 1,000 bytes a second, a queue that changes by `growth` a second from 1,000.
fn at(second: u64, growth: i64) -> Snapshot {
    Snapshot {
        now_ms: second * 1000,
        pages: second * 10,
        bytes: second * 1000,
        queued: 1000_u64.saturating_add_signed(growth * second.cast_signed()),
        ..Snapshot::default()
    }
}

fn window(seconds: u64, growth: i64) -> Window {
    let mut window = Window::default();
    (0..=seconds).for_each(|second| window.add(&at(second, growth)));
    window
}

/// What is left at second 20, in seconds, by the limits of `bounds`.
fn check(bounds: &Snapshot, growth: i64) -> Option<u64> {
    let Snapshot { limit, size_limit, time_limit_ms, .. } = *bounds;
    let snapshot = Snapshot { limit, size_limit, time_limit_ms, ..at(20, growth) };
    estimate_ms(&snapshot, &window(20, growth)).map(|ms| ms / 1000)
}

#[test]
fn what_comes_first_ends_the_crawl() {
    let of = Snapshot::default;
    assert_eq!(check(&of(), 5), None, "a queue that grows has no end in sight");
    assert_eq!(check(&of(), -10), Some(80));
    assert_eq!(check(&Snapshot { limit: Some(500), ..of() }, 5), Some(30), "whoever set the limit, and when");
    let limits = Snapshot { limit: Some(500), size_limit: Some(25_000), ..of() };
    assert_eq!(check(&limits, 5), Some(5));
    assert_eq!(check(&Snapshot { time_limit_ms: Some(60_000), ..of() }, 5), Some(40));
    assert_eq!(check(&Snapshot { time_limit_ms: Some(60_000), ..of() }, -40), Some(5));
}

#[test]
fn hosts_at_rest_and_a_pause_shrink_no_queue() {
    let mut snapshot = at(20, -10);
    let left = |snapshot: &Snapshot| estimate_ms(snapshot, &window(20, -10));
    assert_eq!(left(&snapshot), Some(80_000));
    let mut rest = |urls| {
        let rests = Waits { hosts: 1, urls, first_ms: 86_400_000 };
        snapshot.strain.waits = [(WaitsFor::Overload, rests)].into();
        left(&snapshot)
    };
    assert_eq!([300, 800].map(&mut rest), [Some(50_000), None]);
    let paused = Snapshot { paused: true, limit: Some(500), ..at(20, -10) };
    assert_eq!(left(&paused), None);
    let line = live_line(&paused, window(20, 0).rate(), left(&paused), 200);
    assert!(line.starts_with("PAUSED: drumlin ctl DIR resume · 200 pages"), "{line}");
}

#[test]
fn the_window_forgets() {
    let mut window = window(20, 0);
    assert!((window.rate().pages - 10.0).abs() < 1e-9);
    for second in 21..=40 {
        window.add(&Snapshot { now_ms: second * 1000, ..at(20, 0) });
    }
    assert!(window.rate().pages.abs() < 1e-9, "nothing moved for longer than the window");
}

#[test]
fn the_line_fits_the_terminal() {
    let snapshot = Snapshot { hosts_active: 3, hosts_waiting: 7, ..at(1200, 1) };
    let line = |columns| live_line(&snapshot, window(20, 1).rate(), Some(245_000), columns);
    assert_eq!(
        line(200),
        "12,000 pages · 10.0/s · 1.0 KB/s · 2,200 queued · about 4 m 05 s left · hosts 3 active 7 waiting · 0 errors"
    );
    let mut merging = snapshot.clone();
    merging.strain.undecided = 4_321;
    assert!(live_line(&merging, window(20, 1).rate(), None, 200).ends_with(" · 4,321 links to merge"));
    for columns in 0..200 {
        assert!(line(columns).chars().count() < columns.max(1), "{columns}");
    }
}

#[test]
fn an_end_says_what_it_waits_for() {
    let mut snapshot =
        Snapshot { ending: Some(Ending::Finishing), in_flight: 1, unparsed: 1_200, ..at(1200, 1) };
    let line = |snapshot: &Snapshot| live_line(snapshot, window(20, 1).rate(), Some(245_000), 200);
    let at_end = line(&snapshot);
    assert!(at_end.starts_with("finishing: 1 request, 1,200 captures to parse · 12,000 pages"), "{at_end}");
    assert!(!at_end.contains("left"), "the queue is no longer what the end waits for: {at_end}");
    snapshot.ending = Some(Ending::Saving);
    assert!(line(&snapshot).starts_with("saving · 12,000 pages"));
}

#[test]
fn json_carries_the_snapshot() {
    let value = json::progress(&at(2, 0), window(2, 0).rate(), None);
    assert_eq!((value["event"].as_str(), value["pages"].as_u64()), (Some("progress"), Some(20)));
    assert_eq!(
        (value["pages_per_s"].as_f64(), value["time"].as_str()),
        (Some(10.0), Some("1970-01-01T00:00:02.000Z"))
    );
    assert!(value["left_ms"].is_null());
}

/// Lines that came to a file before it was full and put aside, and to the next, are all shown, in order.
#[test]
fn attempts_are_followed_into_the_next_file() {
    let dir = tempfile::tempdir().expect("a place");
    let (log, full) = (dir.path().join(LOG), dir.path().join("crawl.000000000002.log"));
    fs::write(&log, "1 t 200 -\n").expect("a file");
    let mut attempts = Attempts::follow(dir.path(), 2).expect("somebody asked");
    assert_eq!(attempts.new_lines(), "", "of earlier runs");
    fs::write(&log, "1 t 200 -\n2 t 404 -\n").expect("a file");
    fs::rename(&log, &full).expect("another name");
    assert_eq!(attempts.new_lines(), "2 t 404 -\n");
    fs::write(&log, "3 t 200 -\n4 t").expect("a file");
    assert_eq!(attempts.new_lines(), "3 t 200 -\n");
    fs::write(&log, "3 t 200 -\n4 t timeout -\n").expect("a file");
    assert_eq!(attempts.new_lines(), "4 t timeout -\n");
}
