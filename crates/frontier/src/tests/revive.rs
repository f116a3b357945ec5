//! Parked URLs that are put back.

use super::world::{Answer, Ask, CONFIG, DAY, Entry, SECOND, World, open, plain, replay, states};
use crate::{
    Attempt, Exclusion, FailureKind, FrontierConfig, Memory, Place, Revival, Stop, Subject, UrlState, Yield,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use weburl::Bans;

const BROKEN: [&str; 3] = ["http://a.example/1", "http://a.example/2", "http://b.example/1"];
const DOWN: [&str; 2] = ["http://down.example/1", "http://down.example/2"];

/// A web in which URLs fail five times and hosts are down for as long, and then all is well.
fn healing(ask: &Ask<'_>) -> Answer {
    let is_robots = ask.url.ends_with("robots.txt");
    match ask.url {
        url if url.contains("down") && is_robots && ask.before < 5 => {
            Answer::Fails(FailureKind::ConnectRefused)
        }
        url if BROKEN.contains(&url) && ask.before < 5 => Answer::Status(500),
        _ => plain(ask),
    }
}

/// All of them are parked.
fn world() -> World {
    let mut world = World::new(healing).seed(&BROKEN).seed(&DOWN);
    world.run_for(DAY);
    assert_eq!((world.frontier.parked(), world.frontier.pending()), (5, 0));
    world
}

fn host(name: &str) -> Arc<Bans> {
    let mut bans = Bans::default();
    bans.add_host(name);
    Arc::new(bans)
}

fn fetched(world: &mut World, url: &str) -> bool {
    matches!(world.state(url), UrlState::Fetched { .. })
}

#[test]
fn all_that_is_parked_gets_fresh_attempts() {
    let mut world = world();
    world.frontier.revive(Revival { number: 1, of: None });
    world.run_for(DAY);
    for url in BROKEN.iter().chain(&DOWN) {
        assert!(fetched(&mut world, url), "{url}: {:?}", world.state(url));
    }
    assert_eq!((world.frontier.parked(), world.frontier.pending(), world.frontier.fetched()), (0, 0, 5));
    assert_eq!(world.frontier.revivals().count(), 0, "it is done");
}

#[test]
fn what_was_not_meant_stays_parked() {
    let mut world = world();
    world.frontier.revive(Revival { number: 1, of: Some(host("a.example")) });
    world.run_for(DAY);
    assert!(fetched(&mut world, BROKEN[0]) && fetched(&mut world, BROKEN[1]));
    assert_eq!((world.frontier.parked(), world.frontier.pending()), (3, 0));
    world.frontier.revive(Revival { number: 2, of: Some(host("down.example")) });
    world.frontier.revive(Revival { number: 3, of: Some(host("b.example")) });
    world.run_for(DAY);
    assert_eq!((world.frontier.parked(), world.frontier.fetched()), (0, 5), "one after the other");
}

#[test]
fn what_fails_again_is_parked_again() {
    let broken = |ask: &Ask<'_>| if ask.url == BROKEN[0] { Answer::Status(500) } else { plain(ask) };
    let mut world = World::new(broken).seed(&[BROKEN[0]]);
    world.run();
    for number in 1..3 {
        world.frontier.revive(Revival { number, of: None });
        world.run();
        assert_eq!(world.frontier.parked(), 1);
        assert_eq!(world.pages().len() as u64, 5 * (number + 1), "five attempts each time");
    }
}

#[test]
fn a_retry_that_is_not_done_goes_on_after_a_restart() {
    let mut world = world();
    world.frontier.revive(Revival { number: 7, of: None });
    let left: Vec<u64> = world.frontier.revivals().collect();
    assert_eq!(left, [7]);
    let (state, disk) = world.cut();
    let mut frontier = open(world.config, &disk, Some(&state));
    frontier.revive_on(Revival { number: 7, of: None });
    frontier.resume(Stop::Clean, world.now, Arc::new(crate::Everything)).unwrap();
    world.restart(frontier, disk);
    world.run_for(DAY);
    assert_eq!((world.frontier.parked(), world.frontier.fetched()), (0, 5));
}

const SLOW: [&str; 2] = ["http://slow.example/1", "http://slow.example/2"];

/// Hosts that ask for five minutes and a second, so many times.
fn slow(times: u32) -> impl Fn(&Ask<'_>) -> Answer + 'static {
    move |ask| {
        let is_slow = ask.is_robots() && ask.before < times;
        if is_slow { Answer::Rules("User-agent: *\nCrawl-delay: 301".into()) } else { plain(ask) }
    }
}

fn robots_asked(world: &World) -> usize {
    world.log.iter().filter(|contact| contact.url.ends_with("/robots.txt")).count()
}

#[test]
fn rules_with_a_long_crawl_delay_are_asked_for_again() {
    let mut world = World::new(slow(2)).seed(&SLOW);
    for (number, parked) in [(1, 2), (2, 2), (3, 0)] {
        world.run_for(SECOND * 60);
        assert_eq!((robots_asked(&world), world.frontier.parked()), (number, parked));
        world.frontier.revive(Revival { number: number as u64, of: None });
    }
    let [robots, page] = [&world.log[2], &world.log[3]];
    assert_eq!(page.started.since_ms(robots.ended), CONFIG.delay.host_ms, "what is forgotten holds nobody");
    assert_eq!(world.frontier.fetched(), 2);
}

#[test]
fn an_authority_with_a_long_crawl_delay_is_asked_again() {
    let slow = |ask: &Ask<'_>| if ask.url.starts_with("https:") { slow(1)(ask) } else { plain(ask) };
    let mut world = World::new(slow).seed(&["http://a.example/1", "https://a.example/2"]);
    world.run_for(DAY / 2);
    assert_eq!((world.frontier.fetched(), world.frontier.parked()), (1, 1));
    world.frontier.revive(Revival { number: 1, of: None });
    world.run_for(DAY / 4);
    assert_eq!((robots_asked(&world), world.frontier.fetched(), world.frontier.parked()), (3, 2, 0));
    world.frontier.check_invariants();
}

const INNER: [&str; 2] = ["http://inner.example/1", "http://inner.example/2"];

/// A host at a private address, which may be contacted once its rules were asked for in vain.
fn private(ask: &Ask<'_>) -> Answer {
    let is_refused = ask.url == "http://inner.example/robots.txt" && ask.before < 1;
    if is_refused { Answer::Fails(FailureKind::AddressRefused) } else { plain(ask) }
}

/// It was refused, and somebody else was fetched.
fn refusing() -> World {
    let mut world = World::new(private).seed(&INNER).seed(&BROKEN[..1]);
    world.run_for(DAY);
    assert_eq!((world.frontier.refused(), world.frontier.pending(), world.frontier.fetched()), (2, 0, 1));
    let state = world.state(INNER[0]);
    assert!(matches!(state, UrlState::Excluded { rule: Exclusion::AddressRefused, .. }), "{state:?}");
    world
}

#[test]
fn hosts_whose_addresses_were_refused_are_asked_again() {
    let mut world = refusing();
    world.frontier.revive(Revival { number: 1, of: Some(host("a.example")) });
    world.run_for(DAY);
    assert_eq!(world.frontier.refused(), 2, "they were not meant");
    world.frontier.revive(Revival { number: 2, of: None });
    world.run_for(DAY);
    assert_eq!((world.frontier.refused(), world.frontier.pending(), world.frontier.fetched()), (0, 0, 3));
    assert!(!world.frontier.excluded().contains_key(Exclusion::AddressRefused.name()), "none is left");
}

/// A web of hosts, more than memory holds.
fn large(web: impl Fn(&Ask<'_>) -> Answer + 'static) -> World {
    let memory = Memory { resident_bytes: 16 << 10, ..CONFIG.memory };
    let mut world = World::with(FrontierConfig { memory, ..CONFIG }, web);
    for n in 0..200 {
        world.find(&format!("http://h{n}.example{n}.com/"), 0);
    }
    world.run_for(DAY);
    world
}

/// Hosts that were refused once.
fn closed() -> World {
    let world = large(|ask| {
        let is_refused = ask.is_robots() && ask.before < 1;
        if is_refused { Answer::Fails(FailureKind::AddressRefused) } else { plain(ask) }
    });
    assert_eq!((world.frontier.refused(), world.frontier.pending(), world.frontier.fetched()), (200, 0, 0));
    assert!(world.frontier.hosts_on_disk().len() > 50, "some of them are on disk");
    world
}

#[test]
fn they_are_asked_again_where_they_are_on_disk() {
    let mut world = closed();
    world.frontier.revive(Revival { number: 1, of: None });
    world.run_for(DAY);
    assert_eq!((world.frontier.refused(), world.frontier.pending(), world.frontier.fetched()), (0, 0, 200));
    world.frontier.check_invariants();
}

#[test]
fn who_is_refused_again_stays_out() {
    let refuse = |_: &Ask<'_>| Answer::Fails(FailureKind::AddressRefused);
    let mut world = World::new(refuse).seed(&INNER);
    world.run_for(DAY);
    for number in 1..3 {
        world.frontier.revive(Revival { number, of: None });
        world.run_for(DAY);
        assert_eq!((world.frontier.refused(), world.frontier.pending(), world.frontier.fetched()), (2, 0, 0));
    }
}

/// A replay does no jobs: hosts on disk are not let go on before what they were asked is said again.
#[test]
fn what_was_fetched_after_a_retry_is_fetched_after_a_crash() {
    check_after_a_crash(closed());
    let slow = large(slow(1));
    assert_eq!(slow.frontier.parked(), 200);
    check_after_a_crash(slow);
}

#[track_caller]
fn check_after_a_crash(mut world: World) {
    let (state, disk) = world.cut();
    let covered = world.journal.len();
    world.revive(Revival { number: 1, of: None });
    world.run_for(DAY);
    assert_eq!(world.frontier.fetched(), 200);
    let mut frontier = open(world.config, &disk, Some(&state));
    replay(&mut frontier, &world.journal[covered..]).unwrap();
    frontier.resume(Stop::Unclean, world.now, Arc::new(crate::Everything)).unwrap();
    assert_eq!(frontier.fetched(), 200);
    world.restart(frontier, disk);
    world.run_for(DAY);
    assert_eq!((world.frontier.refused(), world.frontier.pending()), (0, 0));
    world.check_answered_once();
}

/// Something of it has been parsed late.
#[test]
fn a_host_that_comes_into_memory_before_the_job_that_would_see_to_it_goes_on() {
    let mut world = closed();
    let name = |n: u32| format!("h{n}.example{n}.com");
    let asleep = (0..200).map(name).find(|name| world.frontier.resident(name).is_none()).unwrap();
    world.frontier.revive(Revival { number: 1, of: None });
    world.frontier.apply_yield(&format!("http://{asleep}/"), Yield::Nothing).unwrap();
    world.run_for(DAY);
    assert_eq!((world.frontier.refused(), world.frontier.fetched()), (0, 200));
}

/// Every page fails, and so does the look-up of one name.
fn dead(ask: &Ask<'_>) -> Answer {
    match ask.url {
        "dns:down.example" => Answer::Fails(FailureKind::NameNotFound),
        _ if ask.is_robots() || ask.is_name() => plain(ask),
        _ => Answer::Status(500),
    }
}

/// A cut, what had been said by then, and which words a checkpoint keeps beside it.
struct Kept {
    state: crate::FrontierState,
    disk: disk::MemDisk,
    covered: usize,
    words: Vec<Revival>,
}

impl Kept {
    fn of(world: &mut World) -> Self {
        let (state, disk) = world.cut();
        let words = world.frontier.revivals().map(|number| Revival { number, of: None }).collect();
        Self { state, disk, covered: world.journal.len(), words }
    }
}

/// What has been tried of each, by a journal.
fn tries(journal: &[Entry]) -> BTreeMap<&str, usize> {
    let mut tries = BTreeMap::new();
    for entry in journal {
        if let Entry::Attempt(Attempt { url, subject: Subject::Page(_) | Subject::Name, .. }, _) = entry {
            *tries.entry(url.as_str()).or_default() += 1;
        }
    }
    tries
}

/// The life after a crash that left so much of the journal of the life before it.
fn next_life(life: &World, kept: &Kept, journal: &[Entry]) -> World {
    let mut world = World::new(dead);
    let disk = kept.disk.kill();
    let mut frontier = open(world.config, &disk, Some(&kept.state));
    kept.words.iter().for_each(|word| frontier.revive_on(word.clone()));
    replay(&mut frontier, &journal[kept.covered..]).unwrap();
    let counted = frontier.parked() + frontier.pending();
    assert!(frontier.undecided() > 0 || counted == 5, "each counts once, not {counted}");
    let parked = states(&frontier).values().filter(|state| matches!(state, UrlState::Parked { .. })).count();
    assert_eq!(frontier.parked(), parked as u64, "after {} entries", journal.len());
    frontier.resume(Stop::Unclean, life.now, Arc::new(crate::Everything)).unwrap();
    world.restart(frontier, disk);
    world.now = life.now;
    world.journal = journal.to_vec();
    world.run_for(DAY);
    world
}

#[test]
fn a_word_is_spent_once_wherever_a_crash_comes() {
    let mut life = World::new(dead).seed(&BROKEN).seed(&DOWN);
    let mut cuts = vec![Kept::of(&mut life)];
    for number in 1..=2 {
        life.run_for(DAY);
        assert_eq!((life.frontier.parked(), life.frontier.pending()), (5, 0));
        life.revive(Revival { number, of: None });
        cuts.push(Kept::of(&mut life));
        life.run_for(20 * SECOND);
        cuts.push(Kept::of(&mut life));
    }
    life.run_for(DAY);
    for kept in &cuts {
        for end in (kept.covered..=life.journal.len()).rev().step_by(3) {
            let journal = &life.journal[..end];
            let words = journal.iter().filter(|entry| matches!(entry, Entry::Revived(_))).count();
            let next = next_life(&life, kept, journal);
            assert_eq!((next.frontier.parked(), next.frontier.pending()), (5, 0));
            for (url, tries) in tries(&next.journal) {
                assert_eq!(tries, 5 * (words + 1), "{url} after {end} entries, from {}", kept.covered);
            }
        }
    }
}

/// A page fails four times, then its host five, and then it again.
fn falling(ask: &Ask<'_>) -> Answer {
    match ask.before {
        _ if ask.is_robots() || ask.is_name() => plain(ask),
        4..9 => Answer::Fails(FailureKind::ConnectRefused),
        _ => Answer::Status(500),
    }
}

#[test]
fn what_a_parked_host_has_gets_fresh_attempts_too() {
    for mut world in [World::new(falling).seed(&BROKEN[..1]), large(falling)] {
        world.run_for(DAY);
        let urls = world.frontier.parked();
        assert_eq!(world.pages().len() as u64, 9 * urls);
        world.revive(Revival { number: 1, of: None });
        world.run_for(DAY);
        assert_eq!(world.pages().len() as u64, (9 + 5) * urls, "five more each");
        assert_eq!(world.frontier.parked(), urls);
    }
}

/// Nobody runs the crawl: the word waits for its next run.
#[test]
fn a_word_counts_at_once_for_whoever_asks() {
    let mut world = large(|ask| if ask.is_robots() && ask.before < 5 { refused() } else { plain(ask) });
    world.run_for(DAY);
    assert_eq!(world.frontier.parked(), 200);
    let asleep: Vec<String> = (0..200)
        .map(|n| format!("http://h{n}.example{n}.com/"))
        .filter(|url| world.frontier.resident(weburl::Url::parse(url).unwrap().host()).is_none())
        .collect();
    assert!(asleep.len() > 50);
    world.revive(Revival { number: 1, of: None });
    for url in asleep {
        let url = weburl::Url::parse(&url).unwrap();
        let known = world.frontier.look_up(super::world::key(url.as_str()), &url, world.now).unwrap();
        assert!(matches!(known.state, Some(UrlState::Pending { .. })), "{:?}", known.state);
        assert_eq!(known.host.unwrap().barred, None);
    }
    let mut world = World::new(dead).seed(&BROKEN);
    world.run_for(DAY);
    world.revive(Revival { number: 1, of: Some(host("a.example")) });
    let is_back = |state: &UrlState| matches!(state, UrlState::Pending { place: Place::PutBack, pending } if pending.attempts == 0);
    let states = BROKEN.map(|url| world.state(url));
    assert_eq!(states.each_ref().map(is_back), [true, true, false], "{states:?}");
}

fn refused() -> Answer {
    Answer::Fails(FailureKind::ConnectRefused)
}
