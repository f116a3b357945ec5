use super::small;
use crate::{HostId, Leaf, Place, Resolution, Scheme, Trap, Web, WebConfig, What, character};
use proptest::prelude::*;

#[test]
fn every_host_is_found_by_its_name() {
    let web = small();
    let hosts: Vec<HostId> = web.hosts().collect();
    assert!(hosts.len() > 100, "{} hosts", hosts.len());
    for host in hosts {
        let name = web.name_of(host);
        assert_eq!(web.host(&name), Some(host), "{name}");
        assert_eq!(web.host(&name.to_uppercase()), Some(host), "{name}");
        let labels: Vec<&str> = name.split('.').collect();
        assert_eq!(
            (labels.last(), labels.len()),
            (Some(&"test"), 2 + usize::from(host.host != HostId::APEX))
        );
    }
    for name in [
        "",
        "test",
        "www.nothing0.test",
        "harbour.test",
        "x0.harbour0.test",
        "localhost",
        "a.www.raven1.test",
    ] {
        assert_eq!(web.host(name), None, "{name}");
    }
}

#[test]
fn the_same_thing_under_other_urls_has_one_canonical_url() {
    let web = Web::new(WebConfig {
        hosts: crate::HostMix { sessions: 1000, ..Default::default() },
        ..small().config
    });
    let mut tried = 0;
    for host in web.hosts().filter(|host| host.host != HostId::APEX && web.pages_of(*host) > 3) {
        assert!(matches!(web.character(host).trap, Some(Trap::SessionsServed | Trap::SessionsCleaned)));
        let plain = Place { host, scheme: Scheme::Http, what: What::Page(3), session: None };
        let url = web.url_of(&plain);
        let joint = if url.contains('?') { '&' } else { '?' };
        let session = web.url_of(&Place { session: Some(9), ..plain });
        assert_ne!(session, url);
        for other in
            [session, format!("{url}{joint}utm_source=x"), format!("{url}#a"), url.replace("%C3", "%c3")]
        {
            assert_eq!(web.canonical(&other).as_deref(), Some(url.as_str()), "{other}");
        }
        assert_ne!(web.canonical(&format!("{url}{joint}page=2")).as_deref(), Some(url.as_str()));
        tried += 1;
    }
    assert!(tried > 10, "{tried} hosts tried");
}

#[test]
fn default_ports_make_one_identity_of_two_schemes() {
    let web = Web::new(WebConfig { http_port: 80, https_port: 443, ..small().config });
    let secure = web.hosts().find(|host| web.character(*host).scheme == Scheme::Https).unwrap();
    let name = web.name_of(secure);
    let wanted = Some(format!("https://{name}/"));
    assert_eq!(web.canonical(&format!("http://{name}/")), wanted);
    assert_eq!(web.canonical(&format!("https://{name}:443/#top")), wanted);
    assert_eq!(web.canonical(&format!("http://{name}:8080/")), None);
}

#[test]
fn addresses_are_loopback_unless_meant_to_be_private() {
    let web = small();
    let mut kinds = [0; 4];
    for host in web.hosts() {
        let kind = match web.address_of(&web.name_of(host), 0) {
            Resolution::Address { address, .. } if address.is_loopback() => 0,
            Resolution::Address { address, .. } if address.is_private() => 1,
            Resolution::Address { address, .. } => panic!("{address} is neither"),
            Resolution::NoSuchName => 2,
            Resolution::ServerFailure => 3,
        };
        kinds[kind] += 1;
    }
    assert!(kinds[0] > 90 && kinds[1] + kinds[2] + kinds[3] > 5, "{kinds:?}");
    assert_eq!(web.address_of("elsewhere.test", 0), Resolution::NoSuchName);
}

/// What is asked alone is drawn alone: it is what the whole character says.
#[test]
fn each_trait_of_a_host_is_that_of_its_character() {
    let farm = crate::Farms { domains: 2, hosts: 3, pages: 2, linked: 50 };
    let web = Web::new(WebConfig { farms: farm, rings: farm, ..small().config });
    for host in web.hosts() {
        let whole = web.character(host);
        assert_eq!(character::scheme(&web.config, host), whole.scheme);
        assert_eq!(character::robots(&web.config, host), whole.robots);
        assert_eq!(character::name(&web.config, host), whole.name);
        assert_eq!(character::certificate(&web.config, host), whole.certificate);
    }
}

fn any_what() -> impl Strategy<Value = What> {
    let leaves = prop::sample::select(crate::place::LEAVES.map(|row| row.0).to_vec());
    prop_oneof![
        (0..40_u64).prop_map(What::Page),
        (leaves, 0..20_u64).prop_map(|(leaf, index)| What::Leaf(leaf, index * 2)),
        (0..40_u64).prop_map(|index| What::Leaf(Leaf::Print, index)),
        (1..=4_u64, 0..40_u64).prop_map(|(left, page)| What::Hop { left, page }),
        (0..90_000_u64).prop_map(What::Month),
        (0..50_u64).prop_map(What::Maze),
        Just(What::Robots),
        Just(What::Policy),
        Just(What::Sitemap),
        Just(What::SitemapPart(0)),
    ]
}

proptest! {
    #[test]
    fn a_url_names_the_place_it_was_made_of(what in any_what(), domain in 0..50_u32, seed in 0..9_u64) {
        let web = Web::new(WebConfig::small(seed, 4_000));
        let host = HostId::www(domain);
        let pages = web.pages_of(host);
        let place = Place { host, scheme: web.character(host).scheme, what, session: None };
        let url = web.url_of(&place);
        let read = web.place(&url).unwrap();
        let there = match what {
            What::Page(index) | What::Leaf(_, index) | What::Hop { page: index, .. } => index < pages,
            What::Month(_) => web.character(host).trap == Some(Trap::Calendar),
            What::Maze(_) => web.character(host).trap == Some(Trap::Maze),
            _ => true,
        };
        prop_assert_eq!(read.what, if there { what } else { What::Nothing }, "{}", url);
        let parsed = url::Url::parse(&url).unwrap();
        prop_assert_eq!(parsed.as_str(), url.as_str());
    }

    #[test]
    fn any_text_may_be_asked_about(text in "\\PC{0,60}", target in "/[a-z0-9/?=&%.\u{e9}-]{0,40}") {
        let web = small();
        let _ = web.structure(&text, 5);
        let _ = web.canonical(&format!("http://{}:8080{target}", web.name_of(HostId::www(1))));
        prop_assert_eq!(web.structure(&text, 5), web.structure(&text, 5));
    }
}
