use super::world::{World, discovery, key, plain};
use crate::{Admission, CaptureSeq, Origin, UrlState};
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn a_known_url_is_not_new_and_the_first_form_stays() {
    let mut world = World::new(plain);
    assert_eq!(world.find("http://a.example/?b=2&a=1", 3), Admission::New);
    assert_eq!(world.find("https://a.example/?a=1&b=2", 3), Admission::Known);
    world.run();
    assert_eq!(world.pages(), ["http://a.example/?b=2&a=1"]);
}

#[test]
fn a_shorter_path_names_the_capture() {
    let mut world = World::new(plain);
    world.find("http://a.example/", 3);
    assert_eq!(world.find("http://a.example/", 2), Admission::Shallower { capture: None });
    world.run();
    let UrlState::Fetched { depth: 2, capture } = *world.state("http://a.example/") else { panic!() };
    assert_eq!(world.find("http://a.example/", 1), Admission::Shallower { capture: Some(capture) });
    assert_eq!(world.find("http://a.example/", 1), Admission::Known);
    assert!(capture > CaptureSeq(0));
}

#[test]
fn what_is_no_url_is_said_to_be_none() {
    let mut world = World::new(plain);
    let mut found = discovery("http://a.example/", 0);
    found.url = "gopher://a.example/".into();
    assert_eq!(world.frontier.admit(&found, &Origin::Seed), Admission::Malformed);
    assert_eq!(world.frontier.urls().count(), 0);
}

proptest! {
    /// The seen-set against a map of least depths: in any order, any number of times.
    #[test]
    fn admission_keeps_each_url_once_at_its_least_depth(found in prop::collection::vec((0..40_u32, 0..6_u32), 1..200)) {
        let mut world = World::new(plain);
        let mut model: BTreeMap<u32, u32> = BTreeMap::new();
        for (n, depth) in found {
            let url = format!("http://h{}.example/{n}", n % 7);
            let known = model.get(&n).copied();
            let expected = match known {
                None => Admission::New,
                Some(least) if depth < least => Admission::Shallower { capture: None },
                Some(_) => Admission::Known,
            };
            prop_assert_eq!(world.find(&url, depth), expected);
            model.insert(n, known.map_or(depth, |least| least.min(depth)));
            world.frontier.check_invariants();
        }
        prop_assert_eq!(world.frontier.pending(), model.len() as u64);
        for (n, least) in model {
            let url = format!("http://h{}.example/{n}", n % 7);
            prop_assert_eq!(world.frontier.state(key(&url)).unwrap().depth(), least);
        }
    }
}
