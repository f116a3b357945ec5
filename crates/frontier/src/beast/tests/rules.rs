use super::web::Web;
use crate::beast::{Beast, BeastCounters, BeastQueue, Claim, Placement};
use crate::{Budget, Penalty};

fn is_wait(placement: Placement) -> bool {
    matches!(placement, Placement::Wait(_))
}

#[test]
fn the_first_budget_passes_and_the_next_ones_go_one_queue_further_each() {
    let mut web = Web::of([3]);
    let placements: Vec<Placement> = (0..9).map(|_| web.find(0)).collect();
    assert_eq!(placements[..3], [Placement::Pass; 3]);
    assert!(is_wait(placements[3]) && is_wait(placements[6]));
    assert_eq!(placements[3..6], [placements[3]; 3]);
    assert_eq!(placements[6..9], [placements[6]; 3]);
    assert_ne!(placements[3], placements[6]);
    web.check();
}

#[test]
fn what_fits_into_no_queue_goes_into_the_last() {
    let mut web = Web::of([1]);
    let placements: Vec<Placement> = (0..20).map(|_| web.find(0)).collect();
    let last = Placement::Wait(BeastQueue::LAST);
    assert!(placements[1..16].iter().all(|&placement| is_wait(placement) && placement != last));
    assert_eq!(placements[16..], [last; 4]);
}

#[test]
fn each_turn_lets_one_budget_pass_in_the_order_found() {
    let mut web = Web::of([2, 5]);
    for number in 0..30 {
        web.find(number % 2);
    }
    while web.read(1) {}
    let numbers = |domain| {
        let pages = web.passed.iter().filter(move |page| page.domain == domain);
        pages.map(|page| page.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0), (0..15).collect::<Vec<_>>());
    assert_eq!(web.domain(0).passed_in_turn.values().copied().collect::<Vec<_>>(), [2, 2, 2, 2, 2, 2, 2, 1]);
    assert_eq!(web.domain(1).passed_in_turn.values().copied().collect::<Vec<_>>(), [5, 5, 5]);
}

#[test]
fn a_budget_that_has_grown_moves_the_whole_line_up() {
    let mut web = Web::of([1]);
    web.find_many(0, 12);
    web.domains[0].budget = 100;
    assert_eq!(web.find(0), Placement::Pass, "its place in line is 12 of 100");
}

/// Its line is long: by their places the next URLs found would wait for queues that nobody reads while others have work.
#[test]
fn a_budget_that_has_grown_counts_at_once() {
    let mut web = Web::of([1]);
    web.find_many(0, 100);
    web.domains[0].budget = 5;
    let placements: Vec<Placement> = (0..6).map(|_| web.find(0)).collect();
    assert_eq!(placements[..4], [Placement::Pass; 4], "one of five has passed");
    assert!(is_wait(placements[4]) && is_wait(placements[5]));
    web.check();
}

#[test]
fn what_is_found_leaves_those_who_are_being_read_their_places() {
    let mut web = Web::of([2]);
    web.find_many(0, 20);
    assert!(web.read(1), "the next turn has begun, and one of two has been read");
    assert!(is_wait(web.find(0)));
    web.check();
}

#[test]
fn a_budget_that_has_shrunk_sends_back_to_wait_what_was_to_pass() {
    let mut web = Web::of([10]);
    web.find_many(0, 13);
    web.domains[0].budget = 1;
    while web.read(7) {}
    web.check();
    assert_eq!(web.domain(0).passed, 13);
    assert!(web.domain(0).passed_in_turn.values().skip(1).all(|&passed| passed == 1));
}

#[test]
fn a_suspect_waits_as_many_queues_as_its_penalty_says_and_then_passes() {
    for penalty in 1..=8 {
        let mut web = Web::of([10]);
        assert!(is_wait(web.find_suspect(0, Penalty::queues(penalty))));
        assert_eq!(web.find(0), Placement::Pass, "it takes nobody's place");
        while web.read(1) {}
        assert_eq!(web.beast.round(), u64::from(penalty));
        assert_eq!((web.domain(0).passed, web.reads), (2, 1));
    }
}

#[test]
fn a_domain_without_budget_never_waits_but_for_suspects() {
    let (mut beast, mut domain) = (Beast::default(), BeastCounters::default());
    let claim = Claim::within(Budget::Unlimited);
    for _ in 0..100_000 {
        assert_eq!(beast.place(&mut domain, claim), Placement::Pass);
    }
    assert_eq!(beast.advance(), None);
    let suspect = Claim { penalty: Penalty::queues(2), ..claim };
    assert!(is_wait(beast.place(&mut domain, suspect)));
    let reading = beast.advance().expect("a suspect waits");
    assert_eq!(beast.place_again(reading.queue, &mut domain, suspect), Placement::Pass);
}

#[test]
fn new_urls_do_not_take_the_places_that_a_split_makes() {
    let mut web = Web::of([1]);
    web.find_many(0, 1000);
    while web.beast.round() < 16 {
        web.read(1);
    }
    // QF is being split among 32 rounds; new URLs have the first 16 of them, but for the one that QF's first has taken.
    let before = web.beast.waiting_in(BeastQueue::LAST);
    web.find_many(0, 100);
    assert_eq!(web.beast.waiting_in(BeastQueue::LAST), before + 85);
    assert_eq!(web.beast.advance().expect("it waits").queue, BeastQueue::LAST);
    web.read(10);
    assert_eq!(web.beast.waiting_in(BeastQueue::LAST), before + 85 - 10);
    web.check();
}

#[test]
fn state_survives_being_written_in_the_middle_of_a_split() {
    let mut web = Web::of([1, 2, 3]);
    (0..3).for_each(|domain| web.find_many(domain, 200));
    (0..40).for_each(|_| assert!(web.read(3)));
    let bytes = postcard::to_allocvec(&web.beast).expect("plain data");
    assert_eq!(postcard::from_bytes::<Beast>(&bytes).expect("what was written"), web.beast);
    assert!(bytes.len() < 200, "{}", bytes.len());
}
