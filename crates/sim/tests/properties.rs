//! Any small web, any configuration, a few deaths: the crawl comes to its end and no judge finds anything wrong.

use crawler::Exit;
use disk::{CrashMode, Fault};
use proptest::prelude::*;
use sim::{Life, Loss, Network, Setup, Site, Trial, Until};
use simweb::{HostMix, LeafMix, Sizes, WebConfig};
use weburl::Scope;

fn webs() -> impl Strategy<Value = WebConfig> {
    let shape = (any::<u64>(), 10..150_u64, 1..6_u32, 1..8_u32, 3..40_u32);
    (shape, any::<bool>(), hosts(), leaves()).prop_map(|(shape, standard_ports, hosts, leaves)| {
        let (seed, pages, domains, addresses, links) = shape;
        let (http_port, https_port) = if standard_ports { (80, 443) } else { (8080, 8443) };
        let sizes = Sizes { median: 1_000, mean: 1_500 };
        let small = WebConfig::small(seed, pages).without_traps();
        WebConfig { domains, addresses, links, http_port, https_port, sizes, hosts, leaves, ..small }
    })
}

/// Shares by the thousand: none, a few, many, all.
fn share() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), 1..100_u32, 100..600_u32, Just(1000)]
}

fn hosts() -> impl Strategy<Value = HostMix> {
    let kinds = (share(), share(), share(), share(), share());
    let attacks = (0..200_u32, 0..200_u32, 0..100_u32, share());
    (kinds, attacks, 0..200_u32, 0..200_u32, 0..200_u32, 0..100_u32).prop_map(
        |(kinds, (storms, faltering, stalls, elsewhere), broken, dead, flapping, private)| {
            let (https, robots, closed, mirrors, sessions) = kinds;
            HostMix {
                https,
                robots,
                closed,
                mirrors,
                sessions,
                slow: 100,
                broken,
                dead_names: dead,
                flapping_names: flapping,
                private_names: private,
                bad_certificates: broken,
                calendars: 0,
                mazes: 0,
                huge: 1000,
                storms,
                faltering,
                stalls,
                elsewhere,
                dated: 0,
                liars: 0,
            }
        },
    )
}

fn leaves() -> impl Strategy<Value = LeafMix> {
    (share(), share(), 0..200_u32, share(), share(), 0..100_u32).prop_map(
        |(redirects, missing, errors, copies, guarded, ruined)| LeafMix {
            redirects,
            missing,
            errors,
            copies,
            guarded,
            documents: missing,
            ruined,
        },
    )
}

fn lives() -> impl Strategy<Value = Life> {
    let fault = prop_oneof![Just(Fault::Io), Just(Fault::TornWrite), Just(Fault::Full)];
    let until = prop_oneof![
        (1..60_000_u64).prop_map(Until::Ms),
        (0..900_u64, fault).prop_map(|(call, fault)| Until::Call(call, fault)),
    ];
    let loss = prop_oneof![
        Just(Loss::Kill),
        proptest::sample::select(CrashMode::ALL.to_vec()).prop_map(Loss::Power),
    ];
    (until, loss, 10..5_000_u64).prop_map(|(until, loss, downtime_ms)| Life { until, loss, downtime_ms })
}

#[derive(Debug, Clone, Copy)]
struct Told {
    concurrency: usize,
    depth: Option<u32>,
    checkpoint_bytes: u64,
}

fn told() -> impl Strategy<Value = Told> {
    let concurrency = prop_oneof![Just(1), 2..5_usize, Just(64)];
    let depth = prop_oneof![2 => Just(None), 1 => (0..5_u32).prop_map(Some)];
    (concurrency, depth, 1_000..100_000_u64).prop_map(|(concurrency, depth, checkpoint_bytes)| Told {
        concurrency,
        depth,
        checkpoint_bytes,
    })
}

#[expect(clippy::disallowed_methods, reason = "the nightly run is asked for by the environment")]
fn cases() -> u32 {
    if std::env::var("DRUMLIN_NIGHTLY").is_ok() { 500 } else { 20 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_crawl_keeps_its_promises(
        config in webs(),
        seeds in 1..4_u32,
        told in told(),
        lives in proptest::collection::vec(lives(), 0..5),
        seed in any::<u64>(),
    ) {
        let site = Site::new(config, seeds);
        let mut setup = Setup::new(&site, Scope::Any, seed);
        setup.crawl.concurrency = told.concurrency;
        setup.crawl.depth = told.depth;
        setup.crawl.sitemaps = told.depth.is_none();
        setup.crawl.checkpoint_bytes = told.checkpoint_bytes;
        setup.crawl.frontier.retry.attempts = 30;
        let mut trial = Trial::new(&site, setup, Network::new(site.web.clone(), seed), seed);
        let ended = lives.iter().find_map(|life| trial.live(life));
        prop_assert_eq!(ended.unwrap_or_else(|| trial.finish()), Exit::Done);
        let wrong = trial.judge_done();
        prop_assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(4)]);
    }
}
