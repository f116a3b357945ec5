use super::small;
use crate::{Behaviour, Farms, HostId, Leaf, LeafMix, Place, Scheme, Web, WebConfig, What};
use stdx::{Set, set};

#[test]
fn everything_hangs_on_one_seed() {
    let web = Web::new(WebConfig::small(3, 3_000).calm());
    let mut known: Set<String> = set();
    let mut queue = web.seeds(1);
    while let Some(url) = queue.pop() {
        let Some(url) = web.canonical(&url).filter(|url| known.insert(url.clone())) else { continue };
        let shape = web.structure(&url, 0).unwrap();
        queue.extend(shape.redirect.into_iter().chain(shape.links.iter().map(str::to_owned)));
    }
    for host in web.hosts().filter(|host| host.host != HostId::APEX) {
        for index in 0..web.pages_of(host) {
            let url =
                web.url_of(&Place { host, scheme: Scheme::Http, what: What::Page(index), session: None });
            assert!(known.contains(&url), "{url}");
        }
    }
}

#[test]
fn sizes_follow_a_power_law_and_add_up() {
    let web = Web::new(WebConfig::realistic(5, 200_000));
    let mut sizes: Vec<u64> =
        web.hosts().filter(|h| h.host != HostId::APEX).map(|host| web.pages_of(host)).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let total: u64 = sizes.iter().sum();
    assert!((190_000..270_000).contains(&total), "{total} pages");
    assert!(
        sizes[0] > 20 * sizes[sizes.len() / 2],
        "{total} {} against {}",
        sizes[0],
        sizes[sizes.len() / 2]
    );
}

#[test]
fn a_web_of_a_billion_pages_costs_nothing_until_it_is_asked() {
    let farms = Farms { domains: 3, hosts: 2_000_000, pages: 5, linked: 100 };
    let web =
        Web::new(WebConfig { farms, giant_pages: 100_000_000, ..WebConfig::realistic(1, 1_000_000_000) });
    let giant = HostId::www(1);
    let total = web.pages_of(giant);
    assert!(total > 100_000_000);
    let place = Place {
        host: giant,
        scheme: web.character(giant).scheme,
        what: What::Page(total - 1),
        session: None,
    };
    let shape = web.structure(&web.url_of(&place), 0).unwrap();
    assert_eq!((shape.place, shape.status), (place, 200));
    let farm = HostId { domain: web.config().domains + 2, host: 1_999_999 };
    let shape = web.structure(&web.root_of(farm), 0).unwrap();
    let inside = shape.links.iter().filter(|url| web.is_farm(web.place(url).unwrap().host)).count();
    assert_eq!(inside, shape.links.len(), "a farm links only to farms");
}

#[test]
fn what_flaps_is_good_most_of_the_time() {
    let web = small();
    let statuses = |leaf| {
        let place = Place { what: What::Leaf(leaf, 0), ..web.place(&web.seeds(1)[0]).unwrap() };
        let url = web.url_of(&place);
        (0..9)
            .map(|window| web.structure(&url, window * web.config().flap_ms).unwrap().status)
            .collect::<Vec<_>>()
    };
    for (leaf, bad) in [(Leaf::Flaky, 500), (Leaf::Busy, 503)] {
        let statuses = statuses(leaf);
        assert_eq!(statuses.iter().filter(|status| **status == bad).count(), 3, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 6, "{statuses:?}");
    }
}

#[test]
fn every_kind_of_neighbour_occurs_and_can_be_switched_off() {
    let (mut kinds, mut behaviours): (Set<Leaf>, Vec<Behaviour>) = (set(), Vec::new());
    let web = small();
    for_each_leaf(&web, |leaf, behaviour| {
        kinds.insert(leaf);
        behaviours.push(behaviour);
    });
    for (leaf, ..) in crate::place::LEAVES {
        let linked = !matches!(leaf, Leaf::Ghost | Leaf::Pool);
        assert_eq!(kinds.contains(&leaf), linked, "{leaf:?}");
    }
    assert!(behaviours.iter().any(|b| matches!(b, Behaviour::Truncate { .. })));
    let bare = Web::new(WebConfig { leaves: LeafMix::default(), ..web.config });
    for_each_leaf(&bare, |leaf, _| panic!("{leaf:?} in a web without"));
}

fn for_each_leaf(web: &Web, mut f: impl FnMut(Leaf, Behaviour)) {
    for host in web.hosts().filter(|host| host.host != HostId::APEX) {
        let front = web.place(&web.root_of(host)).unwrap();
        for index in 0..web.pages_of(host) {
            let shape = web.structure(&web.url_of(&Place { what: What::Page(index), ..front }), 0).unwrap();
            for url in shape.links.iter() {
                if let What::Leaf(leaf, _) = web.place(url).unwrap().what {
                    f(leaf, web.structure(url, 0).unwrap().behaviour);
                }
            }
        }
    }
}
