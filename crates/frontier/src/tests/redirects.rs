use super::world::{Answer, Ask, World, plain};
use crate::limits::MAX_HOPS;
use crate::{Exclusion, Redirect, UrlState};

fn same(url: &str) -> Answer {
    Answer::To(Redirect::SameKey(url.to_owned()))
}

#[track_caller]
fn check_limit(world: &mut World, url: &str) {
    let UrlState::Excluded { rule, .. } = world.state(url) else { panic!("{:?}", world.state(url)) };
    assert_eq!(rule, Exclusion::RedirectLimit);
}

#[test]
fn another_form_of_the_same_url_goes_next_in_its_host() {
    let https = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => same("https://a.example/1"),
        _ => plain(ask),
    };
    let mut world = World::new(https).seed(&["http://a.example/1", "http://a.example/2"]);
    world.run();
    assert_eq!(world.pages(), ["http://a.example/1", "https://a.example/1", "http://a.example/2"]);
    assert_eq!(world.gaps("a.example"), [1000; 4], "and asks https for its rules");
    assert_eq!(world.frontier.fetched(), 2);
}

#[test]
fn a_redirect_to_itself_ends_at_once() {
    let round = |ask: &Ask<'_>| if ask.is_robots() { plain(ask) } else { same(ask.url) };
    let mut world = World::new(round).seed(&["http://a.example/1"]);
    world.run();
    assert_eq!(world.pages().len(), 1);
    check_limit(&mut world, "http://a.example/1");
}

#[test]
fn a_url_that_is_to_be_asked_for_again_is_until_the_hop_limit() {
    let once = |ask: &Ask<'_>| match (ask.is_robots(), ask.before) {
        (false, 0) => Answer::To(Redirect::Again),
        _ => plain(ask),
    };
    let mut world = World::new(once).seed(&["http://a.example/1"]);
    world.run();
    assert_eq!((world.pages().len(), world.frontier.fetched()), (2, 1));
    let always = |ask: &Ask<'_>| if ask.is_robots() { plain(ask) } else { Answer::To(Redirect::Again) };
    let mut world = World::new(always).seed(&["http://a.example/1"]);
    world.run();
    assert_eq!(world.pages().len(), 11);
    check_limit(&mut world, "http://a.example/1");
}

#[test]
fn a_round_of_forms_ends_at_the_hop_limit() {
    let round = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => same("https://a.example/1"),
        "https://a.example/1" => same("http://a.example/1"),
        _ => plain(ask),
    };
    let mut world = World::new(round).seed(&["http://a.example/1"]);
    world.run();
    assert_eq!(world.pages().len(), usize::from(MAX_HOPS) + 1);
    check_limit(&mut world, "http://a.example/1");
}

#[test]
fn a_circle_of_forms_ends_where_it_is_seen_to_be_one() {
    let round = |ask: &Ask<'_>| match ask.url {
        "http://a.example/1" => same("https://a.example/1"),
        "https://a.example/1" => Answer::To(Redirect::Circle("http://a.example/1".to_owned())),
        _ => plain(ask),
    };
    let mut world = World::new(round).seed(&["http://a.example/1"]);
    world.run();
    assert_eq!(world.pages().len(), 2);
    check_limit(&mut world, "http://a.example/1");
}

#[test]
fn a_redirect_to_another_url_is_final_here() {
    for redirect in [Redirect::OtherKey("http://b.example/".into()), Redirect::Nowhere] {
        let away = move |ask: &Ask<'_>| match ask.url {
            "http://a.example/1" => Answer::To(redirect.clone()),
            _ => plain(ask),
        };
        let mut world = World::new(away).seed(&["http://a.example/1"]);
        world.run();
        assert!(matches!(world.state("http://a.example/1"), UrlState::Fetched { .. }));
        assert_eq!(world.log.len(), 2);
    }
}

#[test]
fn a_form_on_the_same_host_with_a_dot_goes_on() {
    let dot = |ask: &Ask<'_>| match ask.url {
        "http://a.example./1" => same("http://a.example/1"),
        _ => plain(ask),
    };
    let mut world = World::new(dot).seed(&["http://a.example./1"]);
    world.run();
    assert_eq!(world.pages(), ["http://a.example./1", "http://a.example/1"]);
    assert_eq!(world.frontier.fetched(), 1);
}
