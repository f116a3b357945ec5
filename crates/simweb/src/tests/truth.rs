use super::small;
use crate::{End, HostMix, Media, Plan, Scope, Truth, Verdict, Web, WebConfig};
use stdx::{Set, set};

fn truth(web: &Web, scope: Scope, depth: Option<u32>) -> Truth {
    web.truth(&Plan { seeds: &web.seeds(1), scope, depth })
}

#[test]
fn a_calm_web_is_all_pages() {
    let web = Web::new(WebConfig::small(1, 1_500).calm());
    let truth = truth(&web, Scope::Any, None);
    let pages: u64 = web.hosts().map(|host| web.pages_of(host)).sum();
    assert_eq!(truth.pages().count() as u64, pages);
    assert!(truth.urls.values().all(|fate| matches!(fate.end, End::Page(_) | End::Redirect(301))));
}

#[test]
fn a_wild_web_ends_in_every_way() {
    let web = small();
    let truth = truth(&web, Scope::Any, None);
    let ends: Set<End> = truth.urls.values().map(|fate| fate.end).collect();
    let wanted = [
        End::Page(Media::Html),
        End::Page(Media::Pdf),
        End::Redirect(301),
        End::Redirect(302),
        End::Error(404),
        End::Error(410),
        End::Error(500),
        End::Ruined,
        End::Unreachable,
        End::Forbidden,
        End::Trap,
    ];
    for end in wanted {
        assert!(ends.contains(&end), "{end:?}");
    }
    assert!(!ends.contains(&End::Error(503)), "what flaps is had in the end");
    assert!(truth.pages().count() > 1_000, "{} pages", truth.pages().count());
    for url in truth.forbidden() {
        assert_eq!(web.verdict(url), Verdict::Forbidden, "{url}");
    }
}

/// A second walk that shares nothing with the first but the question what a URL answers: depth by depth, over
/// structures, retried until nothing flaps.
#[test]
fn a_naive_crawl_of_the_structure_finds_the_truth() {
    let config = WebConfig::small(9, 1_200).without_traps();
    let hosts = HostMix { broken: 0, dead_names: 0, private_names: 0, bad_certificates: 0, ..config.hosts };
    let web = Web::new(WebConfig { hosts, ..config });
    let mut known: Set<String> = set();
    let mut pages: Set<String> = set();
    let mut queue = web.seeds(1);
    while let Some(url) = queue.pop() {
        let url = web.canonical(&url).unwrap();
        if !known.insert(url.clone()) || web.verdict(&url) == Verdict::Forbidden {
            continue;
        }
        let shapes = (0..3).map(|window| web.structure(&url, window * web.config().flap_ms).unwrap());
        let shape = shapes.min_by_key(|shape| shape.status).unwrap();
        let whole = matches!(shape.behaviour, crate::Behaviour::Normal | crate::Behaviour::Slow { .. });
        if shape.status == 200 && whole && shape.media == Media::Html {
            pages.insert(url);
        }
        if whole {
            queue.extend(shape.redirect.into_iter().chain(shape.links.iter().map(str::to_owned)));
        }
    }
    let truth = truth(&web, Scope::Any, None);
    assert_eq!(pages, truth.pages().map(str::to_owned).collect());
    assert_eq!(known, truth.urls.keys().cloned().collect());
}

#[test]
fn scope_and_depth_bound_the_walk() {
    let web = small();
    let [host, domain, any] = [Scope::Host, Scope::Domain, Scope::Any].map(|scope| truth(&web, scope, None));
    assert!(host.urls.len() < domain.urls.len() && domain.urls.len() < any.urls.len());
    let near = truth(&web, Scope::Any, Some(2));
    assert!(near.urls.len() < any.urls.len() && near.urls.values().all(|fate| fate.depth <= 2));
    for (url, fate) in near.urls {
        assert_eq!(any.urls[&url], fate, "{url}");
    }
}

#[test]
fn equal_seeds_make_equal_webs_and_others_do_not() {
    let of = |seed| truth(&Web::new(WebConfig::small(seed, 500)), Scope::Any, None);
    assert_eq!(of(4), of(4));
    assert_ne!(of(4), of(5));
}
