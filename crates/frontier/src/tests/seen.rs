use super::world::{CONFIG, World, discovery, key, location_of, plain, states};
use crate::arrears::{Arrear, Asks};
use crate::url_record::{End, UrlRecord};
use crate::{CaptureSeq, FrontierConfig, Location, Origin, Paths, Shallower, UrlState};
use proptest::prelude::*;
use std::collections::BTreeMap;
use weburl::Url;

const SHORTEST: FrontierConfig = FrontierConfig { paths: Paths::Shortest, ..CONFIG };

fn fetched(state: &UrlState) -> (u32, CaptureSeq, Option<Location>) {
    let UrlState::Fetched { depth, capture, location } = state else { panic!("{state:?}") };
    (*depth, *capture, *location)
}

#[test]
fn a_known_url_is_not_new_and_the_first_form_stays() {
    let mut world = World::new(plain);
    world.find("http://a.example/?b=2&a=1", 3);
    world.find("https://a.example/?a=1&b=2", 3);
    world.run();
    world.find("https://a.example/?a=1&b=2", 3);
    world.run();
    assert_eq!(world.pages(), ["http://a.example/?b=2&a=1"]);
    assert_eq!(states(&world.frontier).len(), 1);
}

#[test]
fn a_shorter_path_names_the_capture_and_where_it_is() {
    let mut world = World::with(SHORTEST, plain);
    world.find("http://a.example/", 3);
    world.run();
    let (depth, capture, location) = fetched(&world.state("http://a.example/"));
    assert_eq!((depth, location), (3, Some(location_of(capture))));
    assert_eq!(world.shallower, []);
    world.find("http://a.example/", 1);
    world.find("http://a.example/", 2);
    world.decide();
    let key = key("http://a.example/");
    let expected = Shallower { key, capture, location: location_of(capture), depth: 1 };
    assert_eq!(world.shallower, [expected]);
    assert_eq!(world.state("http://a.example/").depth(), 1);
}

#[test]
fn a_shorter_path_to_a_page_that_waits_counts_when_it_is_fetched() {
    let mut world = World::with(SHORTEST, plain);
    world.find("http://a.example/", 3);
    world.decide();
    world.find("http://a.example/", 2);
    world.decide();
    assert_eq!(world.shallower, []);
    world.run();
    let told: Vec<u32> = world.shallower.iter().map(|told| told.depth).collect();
    assert_eq!(told, [2]);
}

#[test]
fn where_every_path_counts_alike_nobody_is_told() {
    let mut world = World::new(plain);
    world.find("http://a.example/", 3);
    world.run();
    world.find("http://a.example/", 1);
    world.decide();
    assert_eq!(world.shallower, []);
}

#[test]
fn what_was_admitted_lately_is_remembered() {
    let mut world = World::with(SHORTEST, plain);
    let found = discovery("http://a.example/", 2);
    assert!(!world.frontier.seen_lately(found.key, 2));
    world.frontier.admit(std::slice::from_ref(&found), &Origin::Seed).unwrap();
    assert!(world.frontier.seen_lately(found.key, 2));
    assert!(!world.frontier.seen_lately(found.key, 1), "a shorter path is another matter");
    world.frontier.admit(std::slice::from_ref(&found), &Origin::Seed).unwrap();
    assert_eq!(world.frontier.undecided(), 1);
}

proptest! {
    /// The seen-set against a map of least depths: in any order, any number of times.
    #[test]
    fn admission_keeps_each_url_once_at_its_least_depth(found in prop::collection::vec((0..40_u32, 0..6_u32), 1..200)) {
        let mut world = World::with(SHORTEST, plain);
        let mut model: BTreeMap<u32, u32> = BTreeMap::new();
        for (n, depth) in found {
            let url = format!("http://h{}.example/{n}", n % 7);
            world.find(&url, depth);
            let least = model.entry(n).or_insert(depth);
            *least = depth.min(*least);
            if depth == 3 {
                world.decide();
            }
            world.frontier.check_invariants();
        }
        world.run();
        prop_assert_eq!(world.pages().len(), model.len());
        let states = states(&world.frontier);
        for (n, least) in model {
            let key = key(&format!("http://h{}.example/{n}", n % 7));
            prop_assert_eq!(states[&key].depth(), least);
            let told = world.shallower.iter().filter(|told| told.key == key).map(|told| told.depth);
            let path = world.first_path(key);
            prop_assert_eq!(told.min().unwrap_or(path).min(path), least, "links are derived by the least depth");
        }
    }
}

/// A bucket was full, and a job runs: what has been put by is merged with what is known, as it will be.
#[test]
fn a_shorter_path_that_finds_no_room_takes_no_answer_away() {
    const URL: &str = "http://a.example/";
    let mut world = World::with(SHORTEST, plain);
    world.find(URL, 3);
    world.run();
    let (_, capture, location) = fetched(&world.state(URL));
    let update = UrlRecord { end: End::None, depth: 1 };
    world.frontier.arrears.records.push_back(Arrear::new(key(URL), Asks::Verdict, update, &[]));
    let looked_up = world.frontier.look_up(key(URL), &Url::parse(URL).unwrap(), world.now).unwrap();
    for state in [looked_up.state.as_ref(), states(&world.frontier).get(&key(URL))] {
        assert_eq!(state.map(fetched), Some((1, capture, location)));
    }
}
