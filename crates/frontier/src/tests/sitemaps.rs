//! Sitemaps beside pages.

use super::world::{DAY, HOUR, SECOND, World, discovery, key, plain};
use crate::limits::{SITEMAP_REST_MS, SITEMAPS_FREE};
use crate::{ClockOf, Discovery, Kind, Origin, WaitingFor, Yield};
use weburl::Url;

const HOST: &str = "a.example";

fn index() -> Origin {
    Origin::Sitemap(format!("http://{HOST}/index.xml"))
}

/// A host that an index of indexes gives so many sitemaps.
fn flooded(sitemaps: u64) -> World {
    let mut world = World::new(plain);
    for n in 0..sitemaps {
        let found = discovery(&format!("http://{HOST}/sitemap/{n}.xml"), 2);
        world.discover(Discovery { kind: Kind::Sitemap, ..found }, &index()).unwrap();
    }
    world
}

fn asked(world: &World, for_what: &str) -> u64 {
    world.pages().iter().filter(|url| url.contains(for_what)).count() as u64
}

#[test]
fn sitemaps_without_pages_are_asked_for_seldom_and_all_of_them_in_the_end() {
    let mut world = flooded(1000);
    world.run_for(HOUR);
    let in_an_hour = SITEMAPS_FREE..SITEMAPS_FREE + 12 + HOUR / SITEMAP_REST_MS;
    assert!(in_an_hour.contains(&asked(&world, "sitemap")), "{}", asked(&world, "sitemap"));
    let url = Url::parse(&format!("http://{HOST}/sitemap/999.xml")).unwrap();
    let host = world.frontier.look_up(key(url.as_str()), &url, world.now).unwrap().host.unwrap();
    assert!(host.clocks.iter().any(|clock| clock.of == ClockOf::Host(WaitingFor::Sitemaps)), "{host:?}");
    world.run_for(DAY);
    assert_eq!(world.frontier.fetched(), 1000);
}

#[test]
fn a_sitemap_is_not_held_back_for_pages_of_its_pattern() {
    let mut world = World::new(plain);
    world.find(&format!("http://{HOST}/"), 0);
    world.decide();
    for n in 0..200 {
        world.frontier.apply_yield(&format!("http://{HOST}/sitemap/{n}0.xml"), Yield::Nothing).unwrap();
    }
    for n in 0..10 {
        let found = discovery(&format!("http://{HOST}/sitemap/{n}.xml"), 2);
        world.discover(Discovery { kind: Kind::Sitemap, ..found }, &index()).unwrap();
    }
    world.decide();
    assert_eq!((world.frontier.deferred(), world.frontier.pending()), (0, 11));
}

#[test]
fn sitemaps_beside_pages_have_their_pace() {
    let mut world = flooded(500);
    (0..500).for_each(|n| world.find(&format!("http://{HOST}/{n}"), 9));
    world.run_for(1100 * SECOND);
    assert_eq!(world.frontier.fetched(), 1000);
}

/// Otherwise what a sitemap has listed would wait for the last of them.
#[test]
fn pages_that_are_put_off_come_when_sitemaps_are_beyond_their_share() {
    let mut world = flooded(1000);
    for n in 0..1000 {
        world.find_as(&format!("http://{HOST}/page/{n}"), 9, &index()).unwrap();
    }
    world.run_for(HOUR);
    assert_eq!(world.frontier.deferred(), 0);
    assert!(asked(&world, "page") > 300, "{}", asked(&world, "page"));
    world.run_for(DAY);
    assert_eq!(world.frontier.fetched(), 2000);
}
