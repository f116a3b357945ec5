//! STAR, BEAST and traps at work in a shard: what passes, what waits, and how it is explained.

use super::world::{Answer, Ask, CONFIG, Pacing, SECOND, World, key, plain, states};
use crate::limits::{FREE_PASS_BYTES, GATHERED_LEAST, PRESSURE_INTERVAL_MS, RIPE_MS};
use crate::stored_host::StoredHead;
use crate::{
    Budget, BudgetFunction, Class, Deferral, Doing, Explanation, FailureKind, Fingerprint, FrontierConfig,
    HostFacts, HostKey, Hunger, LookUp, Memory, More, Need, Origin, Place, Ranking, SeedBudgets, Star, Stop,
    TrapReason, TrapRule, UrlState, Yield,
};
use weburl::Url;

const BUDGETED: FrontierConfig = FrontierConfig {
    star: Star { function: BudgetFunction::Flat(3), seeds: SeedBudgets::Unlimited },
    ..CONFIG
};

fn page(n: u32) -> Origin {
    Origin::Document(format!("http://from{n}.org/"))
}

fn vote(n: u32) -> Origin {
    Origin::Voted(format!("http://from{n}.org/"))
}

fn explain(world: &World, url: &str) -> Explanation {
    world.frontier.look_up(key(url), &Url::parse(url).unwrap(), world.now).unwrap()
}

fn is_deferred(world: &World, url: &str) -> bool {
    matches!(explain(world, url).state, Some(UrlState::Pending { place: Place::Deferred(_), .. }))
}

#[test]
fn a_stranger_has_its_budget_and_the_rest_waits_its_round() {
    let mut world = World::with(BUDGETED, plain);
    for n in 0..10 {
        world.find_as(&format!("http://stranger.com/{n}"), 1, &page(0)).unwrap();
    }
    world.decide();
    assert_eq!((world.frontier.pending(), world.frontier.deferred()), (10, 7));
    let domain = explain(&world, "http://stranger.com/9").domain.unwrap();
    assert_eq!((domain.budget, domain.deferred, domain.hosts), (Budget::Pages(3), 7, 1));
    assert!(is_deferred(&world, "http://stranger.com/9"));
    world.run();
    assert_eq!((world.frontier.fetched(), world.frontier.deferred()), (10, 0));
}

#[test]
fn hosts_at_hand_are_listed_with_what_they_wait_for() {
    let mut world = World::with(BUDGETED, plain);
    world.find("http://mine.com/", 0);
    for n in 0..3 {
        world.find_as(&format!("http://www.mine.com/{n}"), 1, &page(0)).unwrap();
    }
    world.decide();
    let mut listed: Vec<_> =
        world.frontier.hosts_at_hand(0, 9).map(|host| (host.name(), host.pending())).collect();
    listed.sort_unstable();
    assert_eq!(listed, [("mine.com", 1), ("www.mine.com", 3)]);
    assert_eq!(world.frontier.places_at_hand(), 2);
    assert_eq!(world.frontier.hosts_at_hand(1, 9).count(), 1);
    let facts = |world: &World| -> Vec<HostFacts> {
        world.frontier.hosts_at_hand(0, 9).map(|host| host.facts()).collect()
    };
    assert!(facts(&world).iter().all(|host| host.doing == Doing::Wait && host.contacts == 0));
    assert!(world.frontier.hosts_at_hand(0, 9).all(|host| host.suspicion().is_none()));
    world.run();
    assert!(facts(&world).iter().all(|host| host.doing == Doing::Nothing && host.contacts > host.pending));
}

/// Of a host nothing is forgotten when it is written, but for whom it shares its clock with.
#[test]
fn a_host_that_is_written_is_listed_as_it_was_in_memory() {
    let mut world = World::with(BUDGETED, plain);
    for n in 0..40 {
        world.find(&format!("http://h{n}.example{n}.com/"), 0);
    }
    world.decide();
    world.run_for(20);
    for ((_, host), listed) in world.frontier.hosts.iter().zip(world.frontier.hosts_at_hand(0, 99)) {
        let (written, was) = (StoredHead::parse(&host.encode()).unwrap().facts(), listed.facts());
        if was.doing == Doing::Wait {
            assert!(written.until <= was.until && written.doing == Doing::Sleep, "{written:?}");
        }
        assert_eq!(written, HostFacts { doing: written.doing, until: written.until, ..was });
    }
}

#[test]
fn hosts_on_disk_are_listed_from_any_of_them_on() {
    let memory = Memory { resident_bytes: 16 << 10, ..CONFIG.memory };
    let mut world = World::with(FrontierConfig { memory, ..CONFIG }, plain);
    for n in 0..200 {
        world.find(&format!("http://h{n}.example{n}.com/"), 0);
    }
    world.decide();
    let disk = world.frontier.hosts_on_disk();
    let keys = |after: Option<HostKey>, most: usize| {
        let mut keys = Vec::new();
        disk.read(after, |key, facts| {
            assert!(facts.pending == 1 && facts.name.starts_with('h'), "{facts:?}");
            keys.push(key);
            if keys.len() < most { More::Yes } else { More::No }
        })
        .unwrap();
        keys
    };
    let all = keys(None, usize::MAX);
    assert!(all.len() > 50 && all.len() as u64 == disk.len() && all.is_sorted(), "{}", all.len());
    assert_eq!(keys(Some(all[20]), 5), all[21..26]);
    assert_eq!(HostKey::parse(&all[7].text()), Some(all[7]));
    let names = (0..200).map(|n| format!("h{n}.example{n}.com"));
    assert!(names.clone().all(|name| world.frontier.facts_of(&name).unwrap().is_some()));
    let at_hand = names.filter(|name| world.frontier.is_at_hand(name)).count();
    assert_eq!(at_hand + all.len(), 200);
}

#[test]
fn a_domain_that_a_seed_names_has_no_budget() {
    let mut world = World::with(BUDGETED, plain);
    world.find("http://mine.com/", 0);
    for n in 0..10 {
        world.find_as(&format!("http://www.mine.com/{n}"), 1, &page(0)).unwrap();
    }
    world.decide();
    assert_eq!((world.frontier.pending(), world.frontier.deferred()), (11, 0));
}

#[test]
fn a_domain_is_known_by_the_domains_that_link_to_it() {
    let mut world = World::with(BUDGETED, plain);
    for n in 0..10 {
        world.find_as(&format!("http://a.known.com/{n}"), 1, &vote(n % 4)).unwrap();
        world.find_as(&format!("http://c.known.com/{n}"), 1, &page(10 + n)).unwrap();
        world.find_as("http://b.known.com/", 1, &Origin::Voted("http://a.known.com/".into())).unwrap();
    }
    world.decide();
    let domain = explain(&world, "http://b.known.com/").domain.unwrap();
    assert_eq!((domain.in_degree, domain.name.as_str()), (4, "known.com"));
    world.find_as("http://a.known.com/0", 1, &vote(4)).unwrap();
    world.find_as("http://a.known.com/later", 1, &page(5)).unwrap();
    world.decide();
    let domain = explain(&world, "http://b.known.com/").domain.unwrap();
    assert_eq!(domain.in_degree, 5, "a vote for a URL that is known counts");
    assert_eq!(world.frontier.in_degrees().domains(), 1);
}

#[test]
fn a_domain_that_has_earned_a_budget_is_a_class_higher() {
    let star = Star { function: BudgetFunction::default(), seeds: SeedBudgets::Unlimited };
    let mut world = World::with(FrontierConfig { star, ..CONFIG }, plain);
    world.find("http://seeded.com/", 9);
    world.find_as("http://stranger.com/", 9, &page(0)).unwrap();
    for n in 0..100 {
        world.find_as(&format!("http://known.com/{n}"), 9, &vote(n)).unwrap();
    }
    let ranking = Ranking { threshold: 1, most: 100, above: 99, domains: 1000 };
    world.frontier.set_ranking(ranking);
    world.decide();
    world.frontier.promote(world.now);
    let mut turn_in = |class| world.frontier.next_turn(class, world.now).map(|turn| turn.need);
    let need = |name: &str| Some(Need::Resolve { name: name.into(), look_up: LookUp::Known });
    assert_eq!([turn_in(Class::Medium), turn_in(Class::Medium)], [need("known.com"), None]);
}

#[test]
fn what_has_gathered_is_decided_although_nobody_is_hungry() {
    let mut world = World::with(CONFIG, plain);
    world.frontier.start_job(world.now, Hunger::Fed).unwrap();
    let due = |world: &World| world.frontier.job_due(Hunger::Fed).is_some_and(|at| at < world.now + RIPE_MS);
    for n in 0..GATHERED_LEAST {
        assert!(!due(&world), "{n} are not worth a job");
        world.find(&format!("http://a.com/{n}"), 1);
    }
    assert!(due(&world));
    let job = world.frontier.start_job(world.now, Hunger::Fed).unwrap().unwrap();
    world.frontier.finish_job(job.run().unwrap()).unwrap();
    assert_eq!(world.frontier.undecided(), 0);
}

#[test]
fn memory_that_stays_short_is_made_free_again_however_fed_the_crawl() {
    let mut world = World::with(CONFIG, plain);
    for n in 0..100 {
        world.find(&format!("http://{n}.example/"), 1);
    }
    world.decide();
    assert_eq!(world.frontier.job_due(Hunger::Fed), None);
    world.frontier.config.memory.resident_bytes = 1 << 10;
    assert!(world.frontier.is_pressed());
    let last = world.frontier.last_job.unwrap();
    world.frontier.was_pressed = false;
    assert_eq!(world.frontier.job_due(Hunger::Fed), Some(last + world.frontier.refill_latency_ms()));
    world.frontier.was_pressed = true;
    assert_eq!(world.frontier.job_due(Hunger::Fed), Some(last + PRESSURE_INTERVAL_MS));
}

#[test]
fn a_few_are_decided_in_time_in_a_crawl_that_is_always_fed() {
    let mut world = World::with(CONFIG, plain);
    let began = world.now;
    world.frontier.start_job(began, Hunger::Fed).unwrap();
    assert_eq!(world.frontier.job_due(Hunger::Fed), None);
    world.find("http://a.com/", 1);
    let ripe = began + RIPE_MS;
    assert_eq!(world.frontier.job_due(Hunger::Fed), Some(ripe));
    let job = world.frontier.start_job(ripe, Hunger::Fed).unwrap().expect("they are ripe");
    world.frontier.finish_job(job.run().unwrap()).unwrap();
    assert_eq!(world.frontier.undecided(), 0);
}

/// Otherwise a crawl of one large site would go through all its keys after every page.
#[test]
fn a_hungry_crawl_does_not_merge_what_would_feed_nobody() {
    let mut world = World::with(CONFIG, plain);
    world.pacing = Pacing::Paced;
    world.find("http://small.com/0", 1);
    for n in 0..=FREE_PASS_BYTES / 4 {
        world.find(&format!("http://large.com/{n}"), 1);
    }
    world.decide();
    let due = |world: &World| world.frontier.job_due(Hunger::Hungry).is_some();
    world.find("http://large.com/more", 1);
    world.find("http://small.com/1", 1);
    assert!(!due(&world), "both have something at hand");
    world.run_for(5 * SECOND);
    assert_eq!(world.frontier.undecided(), 0, "the small one ran dry, which was a reason to merge");
    assert!(world.pages().contains(&"http://small.com/1"));
    world.find("http://large.com/yet/more", 1);
    assert!(!due(&world));
    world.find("http://unknown.com/", 1);
    assert!(due(&world), "somebody may be waiting for this");
}

/// A host that nobody knows starves, which is no reason to read BEAST as long as a merge may feed the crawl.
#[test]
fn a_hungry_crawl_does_not_read_beast_and_a_starving_one_does() {
    let mut world = World::with(BUDGETED, plain);
    (0..10).for_each(|n| world.find_as(&format!("http://h{n}.stranger.com/"), 1, &page(0)).unwrap());
    let mut deferred_after = |hunger| {
        if let Some(job) = world.frontier.start_job(world.now, hunger).unwrap() {
            world.frontier.finish_job(job.run().unwrap()).unwrap();
        }
        world.frontier.deferred()
    };
    assert_eq!([Hunger::Hungry, Hunger::Hungry, Hunger::Starving].map(&mut deferred_after), [7, 7, 4]);
}

#[test]
fn a_suspect_waits_and_says_why() {
    let mut world = World::new(plain).seed(&["http://a.com/"]);
    let deep = format!("http://a.com/{}", "x/y/z/w/".repeat(12));
    world.find(&deep, 1);
    world.find("http://a.com/plain", 1);
    world.decide();
    assert!(is_deferred(&world, &deep) && !is_deferred(&world, "http://a.com/plain"));
    let Explanation { suspicion, pattern, deferral, .. } = explain(&world, &deep);
    let suspicion = suspicion.unwrap();
    assert!(pattern.form.starts_with("/<word>/<word>") || pattern.form.starts_with("/x/"), "{pattern:?}");
    assert!(matches!(deferral, Some(Deferral::After(turns)) if turns == u64::from(suspicion.penalty.get())));
    assert!(matches!(suspicion.reason, TrapReason::Depth(48) | TrapReason::Repeats(_)), "{suspicion}");
    world.run();
    assert_eq!(world.frontier.fetched(), 3, "it is put off, not dropped");
}

fn deep(n: u32) -> String {
    format!("http://a.com/{}{n}", "x/y/z/w/".repeat(12))
}

#[test]
fn a_hungry_crawl_leaves_suspects_waiting_while_their_host_has_something_else() {
    let mut world = World::new(plain);
    world.pacing = Pacing::Paced;
    for n in 0..10 {
        world.find(&deep(n), 1);
        world.find(&format!("http://a.com/{n}"), 1);
    }
    world.run_for(8 * SECOND);
    assert_eq!(world.frontier.deferred(), 10);
    world.run();
    let pages = world.pages();
    assert_eq!(pages.len(), 20);
    assert!(pages[..10].iter().all(|url| !url.contains("/x/")) && pages[10].contains("/x/"), "{pages:?}");
    assert!(world.gaps("a.com").iter().all(|gap| *gap < SECOND + 50), "and nobody stands still");
}

#[test]
fn a_host_that_has_nothing_else_but_retries_takes_suspects() {
    let mut world = World::new(|ask: &Ask<'_>| match ask.url {
        "http://a.com/fails" => Answer::Status(500),
        _ => plain(ask),
    });
    world.pacing = Pacing::Paced;
    world.find("http://a.com/fails", 1);
    (0..3).for_each(|n| world.find(&deep(n), 1));
    world.run_for(8 * SECOND);
    assert_eq!((world.frontier.fetched(), world.frontier.deferred()), (3, 0));
}

#[test]
fn what_is_put_off_shares_the_fate_of_its_host() {
    let mut world = World::new(|ask: &Ask<'_>| match ask.url {
        "http://a.com/gone" => Answer::Fails(FailureKind::AddressRefused),
        _ => plain(ask),
    });
    world.pacing = Pacing::Paced;
    world.find("http://a.com/gone", 1);
    (0..3).for_each(|n| world.find(&deep(n), 1));
    world.run();
    assert_eq!((world.frontier.pending(), world.frontier.deferred()), (0, 0));
}

#[test]
fn a_pattern_that_gives_nothing_new_is_put_off() {
    let mut world = World::new(plain);
    let same = Yield::Content(Fingerprint(7));
    world.find("http://a.com/", 0);
    world.decide();
    (0..200).for_each(|n| world.frontier.apply_yield(&format!("http://a.com/list/{n}"), same).unwrap());
    for n in 0..20 {
        world.find(&format!("http://a.com/list/{}", 1000 + n), 1);
        world.find(&format!("http://a.com/about-{n}.html"), 1);
    }
    world.decide();
    let deferred = states(&world.frontier).into_values().filter(|state| {
        matches!(state, UrlState::Pending { place: Place::Deferred(_), pending } if pending.url.contains("/list/"))
    });
    assert!(deferred.count() as u64 > 15 && world.frontier.deferred() <= 20, "but for probes");
    let reason =
        |n| explain(&world, &format!("http://a.com/list/{n}")).suspicion.map(|suspicion| suspicion.reason);
    assert!((1000..1020).any(|n| matches!(reason(n), Some(TrapReason::Barren(_)))));
    let held_back = world.frontier.traps().held_back(TrapRule::Barren);
    assert_eq!(held_back, world.frontier.deferred());
    let [suspect] = world.frontier.traps().suspects() else { panic!("one pattern is suspect") };
    let known =
        (suspect.host.as_str(), suspect.form.as_str(), suspect.fetches, suspect.fresh, suspect.held_back);
    assert_eq!(known, ("a.com", "/list/<number>", 200, 1, held_back));
    let pattern = explain(&world, "http://a.com/list/7").pattern;
    assert_eq!((pattern.form.as_str(), pattern.fetches, pattern.barren), ("/list/<number>", 200, 199));
    world.run();
    assert_eq!(world.frontier.fetched(), 41);
    let suspects = world.frontier.traps().suspects();
    assert!(suspects[0].fetches >= 200 && suspects[0].held_back == held_back, "{suspects:?}");
}

#[test]
fn what_waits_of_a_pattern_that_turns_out_to_give_nothing_new_comes_after_the_others() {
    let mut world = World::new(plain);
    world.find("http://a.com/", 0);
    (0..200).for_each(|n| world.find(&format!("http://a.com/list/{n}"), 2));
    (0..50).for_each(|n| world.find(&format!("http://a.com/about-{n}.html"), 9));
    world.decide();
    let same = Yield::Content(Fingerprint(7));
    (200..400).for_each(|n| world.frontier.apply_yield(&format!("http://a.com/list/{n}"), same).unwrap());
    world.run();
    let pages = world.pages();
    let last_other = pages.iter().rposition(|url| url.contains("/about-")).unwrap();
    assert!(last_other < 75, "after a window and probes: {pages:?}");
    assert_eq!((world.frontier.pending(), world.frontier.fetched()), (0, 251));
}

#[test]
fn what_is_found_later_comes_before_what_was_put_off() {
    let mut world = World::new(plain);
    (0..400).for_each(|n| world.find(&format!("http://a.com/list/{n}"), 2));
    world.decide();
    let same = Yield::Content(Fingerprint(7));
    (400..600).for_each(|n| world.frontier.apply_yield(&format!("http://a.com/list/{n}"), same).unwrap());
    world.run_for(60 * SECOND);
    assert!(world.pages().len() < 80);
    (0..20).for_each(|n| world.find(&format!("http://a.com/about-{n}.html"), 9));
    world.run();
    let pages = world.pages();
    let last_other = pages.iter().rposition(|url| url.contains("/about-")).unwrap();
    assert!(last_other < 160, "after what is at hand, and probes: {last_other}");
    assert_eq!((world.frontier.pending(), world.frontier.fetched()), (0, 420));
}

#[test]
fn a_pattern_of_soft_404s_is_put_off_and_they_are_counted() {
    let mut world = World::new(plain);
    let mut rng = stdx::Rng::new(1);
    world.find("http://a.com/", 0);
    world.decide();
    world.frontier.apply_yield("http://a.com/typo", Yield::Absent(Fingerprint(7))).unwrap();
    for n in 0..100 {
        let said = |words| Yield::Content(Fingerprint(words));
        world.frontier.apply_yield(&format!("http://a.com/old/{n}"), said(7)).unwrap();
        world.frontier.apply_yield(&format!("http://a.com/new/{n}"), said(rng.next_u64())).unwrap();
    }
    let reason = |explanation: &Explanation| explanation.suspicion.map(|suspicion| suspicion.reason);
    let mut old = (1000..1020).map(|n| explain(&world, &format!("http://a.com/old/{n}")));
    assert!(old.any(|old| reason(&old) == Some(TrapReason::Barren(100))));
    let new = explain(&world, "http://a.com/new/1000");
    assert_eq!((reason(&new), new.pattern.fresh), (None, 100));
    assert_eq!(new.host.unwrap().soft_404s, 100);
    world.frontier = world.restored(Stop::Clean);
    assert_eq!(explain(&world, "http://a.com/").host.unwrap().soft_404s, 100);
    assert_eq!(world.frontier.soft_404s(), 100);
}

#[test]
fn what_only_sitemaps_name_is_put_off_once_it_is_far_more_than_what_pages_do() {
    let mut world = World::new(plain);
    let sitemap = Origin::Sitemap("http://a.com/sitemap.xml".into());
    for n in 0..3000 {
        world.find_as(&format!("http://a.com/{n}"), 1, &sitemap).unwrap();
    }
    world.decide();
    assert!(world.frontier.deferred() > 0);
    assert!(matches!(
        explain(&world, "http://a.com/2999").suspicion.unwrap().reason,
        TrapReason::Flood(3000)
    ));
    assert_eq!(world.frontier.traps().held_back(TrapRule::Flood), world.frontier.deferred());
}

#[test]
fn a_farm_of_hosts_is_counted_and_so_are_no_more_patterns_than_fit() {
    let star = Star { function: BudgetFunction::Flat(16), ..BUDGETED.star };
    let mut world = World::with(FrontierConfig { star, ..BUDGETED }, plain);
    for n in 0..40 {
        world.find_as(&format!("http://h{n}.farm.com/"), 1, &page(0)).unwrap();
        world.find(&format!("http://deep{n}.com/{}", "a/b/c/d/".repeat(12)), 0);
    }
    world.decide();
    let traps = world.frontier.traps().clone();
    assert!(traps.held_back(TrapRule::Farm) > 20, "{traps:?}");
    let reason = |n| explain(&world, &format!("http://h{n}.farm.com/")).suspicion.map(|it| it.to_string());
    let put_off: Vec<u32> =
        (0..40).filter(|n| is_deferred(&world, &format!("http://h{n}.farm.com/"))).collect();
    let said = Some("its domain shows more new hosts than 4 a round".to_owned());
    assert!(put_off.len() > 20 && put_off.iter().all(|n| reason(*n) == said), "{:?}", reason(put_off[0]));
    assert!((0..40).filter(|n| !put_off.contains(n)).all(|n| reason(n).is_none()));
    let shapes = [TrapRule::Depth, TrapRule::Repeats].map(|rule| traps.held_back(rule));
    assert_eq!(shapes.iter().sum::<u64>(), 40, "{traps:?}");
    assert!(traps.suspects().len() == 16, "{}", traps.suspects().len());
    let restored = world.restored(crate::Stop::Clean);
    assert_eq!(restored.traps(), &traps, "a cut keeps it");
}

#[test]
fn delays_follow_the_budget_where_they_are_to() {
    let delay = crate::DelayPolicy { stranger_factor: 40, ..CONFIG.delay };
    let mut world = World::with(FrontierConfig { delay, ..BUDGETED }, |ask: &Ask<'_>| match ask.url {
        url if url.ends_with("robots.txt") => Answer::Status(404),
        _ => plain(ask),
    });
    world.find_as("http://stranger.com/1", 1, &page(0)).unwrap();
    world.find_as("http://stranger.com/2", 1, &page(0)).unwrap();
    world.find("http://mine.com/1", 0);
    world.find("http://mine.com/2", 0);
    world.run();
    assert_eq!(world.gaps("stranger.com"), [40_000; 2]);
    assert_eq!(world.gaps("mine.com"), [1000; 2]);
}
