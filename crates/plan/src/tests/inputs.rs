use crate::{Bound, InputError, Inputs, Plan, in_digits, irlbot};

/// The whole figures must agree to a thousandth.
#[track_caller]
fn check(what: &str, computed: f64, by_hand: f64) {
    assert!((computed / by_hand - 1.0).abs() < 1e-3, "{what}: computed {computed}, by hand {by_hand}");
}

#[test]
fn ten_billion_pages_in_five_days() {
    let plan = Plan::of(&Inputs::default()).unwrap();
    check("pages/s", plan.rate.pages_per_s, 23_148.1);
    check("links/s", plan.rate.links_per_s, 2_685_185.0);
    check("disk checks/s", plan.rate.disk_checks_per_s, 886_111.0);
    check("bits in", plan.network.in_bits_per_s, 7.7778e9 + 426.3 * 2_160.0 * 8.0);
    check("archive", plan.storage.archive_bytes, 440e12);
    check("seen URLs", plan.frontier.seen_urls, 128.89e9);
    check("pending bytes", plan.frontier.pending_bytes, 118.89e9 * 110.0);
    check("hosts", plan.names.hosts, 184.16e6);
    check("look-ups/s", plan.names.lookups_per_s, 944.4);
    let across = 1.0 - 1.0 / plan.nodes as f64;
    check("exchanged", plan.network.exchanged_links_per_s, 886_111.0 * across);
}

/// The paper's own crawl: one server, and the figures that §VIII reports of it.
fn irlbot_crawl() -> Inputs {
    Inputs {
        pages: 6_380_051_942.0,
        days: 41.27,
        links: 374_707_295_503.0 / 6_380_051_942.0,
        page_bytes: 143e12 / 6_380_051_942.0,
        unique: 0.1107,
        cores: 4.0,
        cpu_ms_per_page: 4e3 / irlbot::CPU_PAGES_PER_S,
        cache_checks_per_s: 2e6 / 4.0,
        disk_bytes_per_s: 675e6,
        net_bits_per_s: 1e9,
        load: 1.0,
        ..Inputs::default()
    }
}

#[test]
fn irlbot_fits_on_its_one_server() {
    let plan = Plan::of(&irlbot_crawl()).unwrap();
    check("pages/s", plan.rate.pages_per_s, 1_789.0);
    assert_eq!(plan.nodes, 1);
    assert!((plan.network.in_bits_per_s / 319e6 - 1.0).abs() < 0.02, "{}", plan.network.in_bits_per_s);
    assert!((plan.frontier.seen_urls / 41.5e9 - 1.0).abs() < 0.01, "{}", plan.frontier.seen_urls);
    assert!((plan.frontier.seen_bytes / 332e9 - 1.0).abs() < 0.01, "{}", plan.frontier.seen_bytes);
    assert!(plan.network.exchanged_links_per_s.abs() < f64::EPSILON, "nothing leaves a single node");
}

#[test]
fn nodes_are_the_least_that_satisfy_every_bound() {
    let base = Inputs::default();
    let slow_disk = Inputs { disk_bytes_per_s: 100e6, disk_share: 0.01, ..base };
    let slow_net = Inputs { net_bits_per_s: 1e8, ..base };
    let slow_cpu = Inputs { cpu_ms_per_page: 60.0, ..base };
    let cases = [(slow_disk, Bound::UrlChecks), (slow_net, Bound::Network), (slow_cpu, Bound::Processor)];
    for (inputs, bound) in cases {
        let plan = Plan::of(&inputs).unwrap();
        assert_eq!(plan.bounds.binding(), bound);
        let share = plan.rate.pages_per_s / plan.nodes as f64;
        assert!(plan.checks.pages_per_s.drum >= share, "{bound}");
        assert!(plan.rate.processor_pages_per_s_per_node >= share, "{bound}");
    }
    let writes_much = Inputs { record_bytes: 1e6, ..base };
    assert_eq!(Plan::of(&writes_much).unwrap().bounds.binding(), Bound::OtherDisk);
}

#[test]
fn more_pages_never_need_fewer_nodes() {
    let nodes = |e: i32| Plan::of(&Inputs { pages: 10f64.powi(e), ..Inputs::default() }).unwrap().nodes;
    let all: Vec<u64> = (3..13).map(nodes).collect();
    assert!(all.windows(2).all(|pair| pair[0] <= pair[1]), "{all:?}");
    assert_eq!(all[0], 1);
}

#[test]
fn impossible_inputs_are_named() {
    let base = Inputs::default();
    let not_positive = |inputs: Inputs| match Plan::of(&inputs) {
        Err(InputError::NotPositive { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(not_positive(Inputs { pages: 0.0, ..base }), "pages");
    assert_eq!(not_positive(Inputs { days: f64::NAN, ..base }), "days");
    assert_eq!(not_positive(Inputs { load: -0.5, ..base }), "load");
    assert_eq!(not_positive(Inputs { net_bits_per_s: f64::INFINITY, ..base }), "net_bits_per_s");
    let share = Plan::of(&Inputs { unique: 1.5, ..base });
    assert!(matches!(share, Err(InputError::NotAShare { name: "unique", .. })), "{share:?}");
    let memory = Plan::of(&Inputs { ram_bytes: 95e6, ..base });
    assert!(matches!(memory, Err(InputError::TooLittleMemory { least, .. }) if least > 95.9e6), "{memory:?}");
    let dry = Plan::of(&Inputs { links: 5.0, ..base });
    assert!(matches!(dry, Err(InputError::RunsDry { .. })), "{dry:?}");
    let fast = Plan::of(&Inputs { days: 1e-12, ..base });
    assert!(matches!(fast, Err(InputError::TooFast { .. })), "{fast:?}");
}

#[test]
fn prints_for_people_and_for_programs() {
    let plan = Plan::of(&Inputs::default()).unwrap();
    let table = plan.to_string();
    assert!(table.starts_with("10,000,000,000 pages in 5 days: "), "{table}");
    let daily = Plan::of(&Inputs { days: 1.0, ..Inputs::default() }).unwrap().to_string();
    assert!(daily.starts_with("10,000,000,000 pages in 1 day: "), "{daily}");
    assert!(table.contains("23,148/s") && table.contains("440 TB"), "{table}");
    let json: serde_json::Value = serde_json::to_value(&plan).unwrap();
    assert_eq!(json["inputs"]["pages"], 10e9);
    assert_eq!(json["checks"]["alpha"]["drum"], plan.checks.alpha.drum);
    assert_eq!(json["nodes"], plan.nodes);
}

#[test]
fn no_number_is_longer_than_it_says() {
    let base = Inputs::default();
    let vast = [
        Inputs { pages: 1e300, days: 1e300, ..base },
        Inputs { seen: 1e300, ..base },
        Inputs { pages: 1e300, ..base },
        Inputs { pages: -1e300, ..base },
        Inputs { unique: 1e300, ..base },
        Inputs { net_bits_per_s: 1e300, ..base },
    ];
    for inputs in vast {
        let said = Plan::of(&inputs).map_or_else(|error| error.to_string(), |plan| plan.to_string());
        let longest = said.lines().map(str::len).max();
        assert!(longest.is_some_and(|bytes| bytes < 100), "{said}");
    }
    assert_eq!(in_digits(0.5), "0.5");
    assert_eq!(in_digits(-3.0), "-3");
}
