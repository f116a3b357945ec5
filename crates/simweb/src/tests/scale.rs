//! What a large web has and a small one lacks: a giant, rings of bought domains, servers that use up time.

use crate::{
    Behaviour, Farms, HostId, HostMix, LinkList, Pace, Place, RobotsClass, Scheme, Web, WebConfig, What,
};

fn vast() -> WebConfig {
    let wild = WebConfig::realistic(3, 10_000_000);
    WebConfig {
        farms: Farms { domains: 2, hosts: 1_000_000, pages: 5, linked: 100 },
        rings: Farms { domains: 100_000, hosts: 1, pages: 50, linked: 200 },
        giant_pages: 100_000_000,
        giant_links: 10,
        ..wild
    }
}

fn page(web: &Web, host: HostId, index: u64) -> String {
    web.url_of(&Place { host, scheme: web.character(host).scheme, what: What::Page(index), session: None })
}

/// Hosts that the pages with this index link to, over the first domains.
fn linked_hosts(web: &Web, domains: std::ops::Range<u32>) -> Vec<(HostId, HostId)> {
    let mut list = LinkList::default();
    let mut pairs = Vec::new();
    for host in domains.map(HostId::www) {
        web.list_links(&page(web, host, 1 % web.pages_of(host)), &mut list);
        pairs.extend(list.outlinks().map(|link| (host, link.host)));
    }
    pairs
}

#[test]
fn a_list_used_again_holds_the_links_of_the_structure() {
    let web = Web::new(vast());
    let mut list = LinkList::default();
    for domain in 0..300 {
        let url = page(&web, HostId::www(domain), 0);
        web.list_links(&url, &mut list);
        let structure = web.structure(&url, 0).unwrap();
        assert!(list.iter().eq(structure.links.iter()), "{url}");
        assert!(list.outlinks().all(|link| web.host(link.name) == Some(link.host)));
    }
    web.list_links("http://elsewhere.example/", &mut list);
    assert!(list.is_empty());
}

#[test]
fn every_ordinary_page_links_to_other_pages_of_the_giant() {
    let web = Web::new(vast().calm());
    let pairs = linked_hosts(&web, 100..400);
    let to_giant = pairs.iter().filter(|(_, to)| *to == web.giant().unwrap()).count();
    assert!((2_900..3_200).contains(&to_giant), "{to_giant} links from 300 pages");
}

#[test]
fn rings_keep_to_themselves_and_have_bought_links() {
    let config = vast().calm();
    let web = Web::new(config);
    let first = config.domains + config.farms.domains;
    let inside = linked_hosts(&web, first..first + 100);
    let elsewhere = inside.iter().filter(|(from, to)| from.domain != to.domain);
    assert!(elsewhere.clone().all(|(_, to)| to.domain >= first), "a ring links only within");
    assert!(elsewhere.count() > inside.len() / 4, "and that is what it is for");
    let outside = linked_hosts(&web, 0..400);
    let bought = outside.iter().filter(|(_, to)| to.domain >= first).count();
    assert!((50..600).contains(&bought), "{bought} of {} links", outside.len());
}

#[test]
fn servers_that_use_up_time_do_so_until_they_are_healed() {
    const HEALS_MS: u64 = 1_000_000;
    let small = WebConfig::small(5, 4_000);
    let hosts = HostMix { storms: 300, faltering: 300, stalls: 100, ..small.hosts };
    let web = Web::new(WebConfig { hosts, heals_ms: Some(HEALS_MS), ..small });
    let (mut stormy, mut faltering, mut stalled) = (0, 0, 0);
    for host in web.hosts().filter(|host| host.host != HostId::APEX) {
        let character = web.character(host);
        let url = page(&web, host, 0);
        let robots = format!("{}robots.txt", web.root_of(host));
        let bad = |url: &str, window_ms: u64| {
            let shapes = (0..9).map(|window| web.structure(url, window * window_ms).unwrap());
            shapes.filter(|shape| shape.status == 503).count()
        };
        match (character.pace, character.robots) {
            (Pace::Stormy, _) => {
                stormy += 1;
                assert_eq!(bad(&url, web.config().storm_ms), 3, "{url}");
                let left = (0..9)
                    .filter_map(|w| web.structure(&url, w * web.config().storm_ms).unwrap().retry_after_s);
                assert!(left.eq([20, 20, 20]), "{url}");
            }
            (Pace::Prompt, RobotsClass::Faltering) => {
                faltering += 1;
                assert_eq!(bad(&robots, web.config().flap_ms), 3, "{robots}");
            }
            (_, RobotsClass::Stalled) => stalled += 1,
            _ => {}
        }
        let healed = web.structure(&url, HEALS_MS).unwrap();
        assert!(healed.status < 500 && !matches!(healed.behaviour, Behaviour::Slow { .. }), "{url}");
        let rules = web.structure(&robots, HEALS_MS).unwrap().status;
        assert!(
            rules < 500 || character.robots == RobotsClass::Unavailable || character.scheme == Scheme::Https
        );
    }
    assert!(stormy > 20 && faltering > 20 && stalled > 10, "{stormy} {faltering} {stalled}");
}
