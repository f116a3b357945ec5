use super::{Needs, OTHERS};
use crate::config::Config;
use crate::settings::{self, Settings};
use crate::wiring;

const ONE: Needs =
    Needs { requests: 1000, files_a_request: 2, cores: 1, idle_a_core: 256, lookups_a_core: 64 };

#[test]
fn each_request_takes_its_files_and_each_core_its_sockets() {
    assert_eq!(ONE.descriptors(), 1000 * 2 + 256 + 64 + OTHERS);
    assert_eq!(Needs { cores: 4, ..ONE }.descriptors(), 1000 * 2 + 4 * (256 + 64) + OTHERS);
    assert_eq!(Needs { files_a_request: 3, ..ONE }.descriptors(), 1000 * 3 + 256 + 64 + OTHERS);
}

#[test]
fn a_crawl_needs_what_its_configuration_says() {
    let needs = |text: &str| {
        let seeded = Settings { seed: Some("2a".into()), ..Settings::defaults() };
        let settings = seeded.overlaid(&settings::read("test", text).unwrap());
        wiring::open_files(&Config::new(&settings).unwrap())
    };
    let cores = needs("").cores;
    let few = Needs { requests: 8, files_a_request: 2, cores, idle_a_core: 8, lookups_a_core: 2 * 64 };
    let two_servers = "concurrency = 8\ndns = [\"192.0.2.1\", \"192.0.2.2\"]";
    assert_eq!(needs(two_servers), few);
    let earlier = format!("{two_servers}\nearlier = \"/before\"");
    assert_eq!(needs(&earlier), Needs { files_a_request: 3, ..few });
}
