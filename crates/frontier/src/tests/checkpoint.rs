use super::world::{Answer, Ask, CONFIG, DAY, HOUR, SECOND, START, World, open, open_on, plain};
use crate::arrears::{Arrear, Asks};
use crate::seen::Seen;
use crate::{Error, Frontier, Hunger, Place, Stop, UrlState, WaitingFor};
use std::collections::BTreeMap;
use std::sync::Arc;
use weburl::KeyHash;

/// A few hosts with URLs in every state.
fn varied() -> World {
    let web = |ask: &Ask<'_>| match ask.url {
        "http://a.example/robots.txt" => Answer::Rules("User-agent: *\nDisallow: /no\nCrawl-delay: 2".into()),
        url if url.contains("down.example") && !ask.is_name() => {
            Answer::Fails(crate::FailureKind::ConnectRefused)
        }
        "http://a.example/busy" => Answer::RetryAfter(503, 3 * DAY),
        "http://b.example/flaky" if ask.before < 2 => Answer::Status(500),
        _ => plain(ask),
    };
    let mut world = World::new(web);
    for n in 0..30 {
        world.find(&format!("http://a.example/{n}"), n % 5);
        world.find(&format!("http://b.example/{n}?q"), n % 5);
        world.find(&format!("http://a.example/no/{n}"), 1);
    }
    for url in ["http://a.example/busy", "http://b.example/flaky", "http://down.example/"] {
        world.find(url, 0);
    }
    world
}

/// States without what a stop forgets: turns taken.
fn states(frontier: &Frontier) -> BTreeMap<KeyHash, UrlState> {
    let mut states = super::world::states(frontier);
    for state in states.values_mut() {
        if let UrlState::Pending { place: place @ (Place::InFlight | Place::AtHand), .. } = state {
            *place = Place::AtHand;
        }
    }
    states
}

/// What every host will fetch, in order, when nothing else happens.
fn order(frontier: Frontier, now: stdx::Timestamp) -> Vec<(String, Vec<String>)> {
    let mut world = World::new(plain);
    (world.frontier, world.now) = (frontier, now);
    world.run();
    let mut hosts: Vec<String> = world.log.iter().map(|contact| contact.host.clone()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let urls_of = |host: &String| {
        let pages = world.pages().into_iter().filter(|url| url.contains(host.as_str()));
        pages.map(str::to_owned).collect()
    };
    hosts.iter().map(|host| (host.clone(), urls_of(host))).collect()
}

#[test]
fn a_checkpoint_keeps_every_url_in_its_state() {
    let mut world = varied();
    for _ in 0..40 {
        world.run_for(5 * SECOND);
        let back = world.restored(Stop::Clean);
        assert_eq!(states(&back), states(&world.frontier));
        assert_eq!(back.pending(), world.frontier.pending());
        assert_eq!((back.fetched(), back.parked()), (world.frontier.fetched(), world.frontier.parked()));
        assert_eq!(back.excluded(), world.frontier.excluded());
        assert_eq!(back.hosts_with_work(), world.frontier.hosts_with_work());
    }
    assert!(world.frontier.fetched() >= 31, "the host that is not held is done");
    assert_eq!(world.frontier.parked(), 0);
    world.run();
    assert_eq!((world.frontier.excluded()["robots"], world.frontier.parked()), (30, 2));
}

#[test]
fn a_checkpoint_is_the_same_for_the_same_contents() {
    let mut world = varied();
    world.run_for(30 * SECOND);
    let (state, disk) = world.cut();
    let mut back = open(CONFIG, &disk, Some(&state));
    assert_eq!(back.cut().unwrap().state, state);
}

#[test]
fn arrears_that_nobody_could_append_are_damage() {
    let aux = vec![0; drum::limits::MAX_AUX_BYTES + 1];
    let arrears = [
        Arrear::new(KeyHash(1), Asks::Verdict, (), b""),
        Arrear::new(KeyHash(1), Asks::Verdict, Seen::at(1), &aux),
    ];
    for arrear in arrears {
        let mut world = varied();
        world.frontier.arrears.seen.push_back(arrear);
        let (state, disk) = world.cut();
        assert!(matches!(open_on(CONFIG, Arc::new(disk), Some(&state)), Err(Error::Damaged { .. })));
    }
}

#[test]
fn a_restored_shard_draws_each_class_in_order() {
    let mut world = varied();
    let urls = order(world.restored(Stop::Clean), START);
    assert_eq!(urls.len(), 3);
    for (host, urls) in urls {
        let mut depth = |url: &String| match world.state(url) {
            UrlState::Pending { pending, .. } => (pending.class(), pending.order),
            other => panic!("{other:?}"),
        };
        for class in crate::Class::ALL {
            let orders: Vec<u64> =
                urls.iter().map(&mut depth).filter(|d| d.0 == class).map(|d| d.1).collect();
            assert!(orders.is_sorted(), "{host} {class:?}: {orders:?}");
        }
    }
}

#[test]
fn two_restores_draw_alike() {
    let mut world = varied();
    world.run_for(20 * SECOND);
    let [one, two] = [(); 2].map(|()| order(world.restored(Stop::Clean), world.now));
    assert_eq!(one, two);
}

#[test]
fn after_a_clean_stop_clocks_are_as_they_were() {
    let mut world = World::new(plain).seed(&["http://a.example/1", "http://a.example/2"]);
    world.run_for(40);
    assert_eq!(world.log.len(), 1);
    let back = world.restored(Stop::Clean);
    assert_eq!(back.next_due(), Some(world.log[0].ended + 1000));
}

#[test]
fn after_an_unclean_stop_everything_waits_its_full_delay() {
    let slow = |ask: &Ask<'_>| match ask.url {
        "http://a.example/robots.txt" => Answer::Rules("User-agent: *\nCrawl-delay: 7".into()),
        "http://b.example/1" => Answer::Slow(200, 400),
        _ => plain(ask),
    };
    let urls = ["http://a.example/1", "http://a.example/2", "http://b.example/1", "http://b.example/2"];
    let mut world = World::new(slow).seed(&urls);
    world.find("http://c.example/", 1);
    world.run_for(1500);
    let mut back = world.restored(Stop::Unclean);
    let waiting = back.waiting(9);
    let until = |host: &str| waiting.iter().find(|w| w.host == host).unwrap().until.since_ms(world.now);
    assert_eq!((until("a.example"), until("b.example")), (7000, 4000));
    assert!(waiting.iter().all(|w| w.for_what == WaitingFor::Restart));
    let found = super::world::discovery("http://new.example/", 0);
    back.admit(&[found], &crate::Origin::Seed).unwrap();
    let job = back.start_job(world.now, Hunger::Starving).unwrap().unwrap();
    back.finish_job(job.run().unwrap()).unwrap();
    assert_eq!(back.next_due(), Some(world.now + 1000), "a host that nobody remembers may have been asked");
}

#[test]
fn a_longer_hold_outlives_an_unclean_stop() {
    let mut world = varied();
    world.run_for(HOUR);
    let back = world.restored(Stop::Unclean);
    let busy = back.waiting(9).into_iter().find(|w| w.host == "a.example").unwrap();
    assert!(busy.until.since_ms(START) > 2 * DAY);
    assert_eq!(busy.for_what, WaitingFor::RetryAfter);
}
