use super::{get, hrefs, small};
use crate::{
    Conditions, HostId, HostMix, Leaf, Place, RobotsClass, Scheme, Validators, Verdict, Web, WebConfig, What,
};

/// Body bytes of a URL at time 0.
fn body(web: &Web, url: &str) -> Vec<u8> {
    let parsed = url::Url::parse(url).unwrap();
    let scheme = if parsed.scheme() == "https" { Scheme::Https } else { Scheme::Http };
    let target = &parsed[url::Position::BeforePath..];
    web.respond(&get(parsed.host_str().unwrap(), target, scheme)).body
}

#[test]
fn the_bytes_carry_exactly_the_links_of_the_structure() {
    let web = small();
    let mut pages = 0;
    for host in web.hosts().filter(|host| host.host != HostId::APEX).take(60) {
        let front = web.place(&web.root_of(host)).unwrap();
        for index in 0..web.pages_of(host).min(20) {
            let url = web.url_of(&Place { what: What::Page(index), ..front });
            check_links(&web, &url);
            pages += 1;
        }
        for leaf in [Leaf::Private, Leaf::Members, Leaf::Print, Leaf::PrivateOpen] {
            check_links(&web, &web.url_of(&Place { what: What::Leaf(leaf, 0), ..front }));
        }
        for what in [What::Month(24_301), What::Maze(0), What::Maze(3)] {
            check_links(&web, &web.url_of(&Place { what, ..front }));
        }
    }
    assert!(pages > 300, "{pages} pages");
}

fn check_links(web: &Web, url: &str) {
    let shape = web.structure(url, 0).unwrap();
    let mut wanted: Vec<String> = shape.links.iter().map(str::to_owned).collect();
    let mut found = hrefs(url, &body(web, url));
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted, "{url}");
}

#[test]
fn a_copy_has_the_bytes_and_the_links_of_its_page() {
    let web = small();
    let front = web.place(&web.seeds(1)[0]).unwrap();
    for index in [0, 2, 4, 12] {
        let [page, copy] =
            [What::Page(index), What::Leaf(Leaf::Copy, index)].map(|what| web.url_of(&front.with(what)));
        let shapes = [&page, &copy].map(|url| web.structure(url, 0).unwrap());
        assert_eq!(shapes[0].content, shapes[1].content);
        assert_eq!(body(&web, &page), body(&web, &copy));
        assert_eq!(hrefs(&copy, &body(&web, &copy)), hrefs(&page, &body(&web, &page)));
    }
}

#[test]
fn sizes_are_those_of_the_real_web() {
    let web = Web::new(WebConfig::realistic(11, 100_000));
    let urls = (0..400).map(|index| {
        let host = HostId::www(index % 20);
        let place = web.place(&web.root_of(host)).unwrap();
        web.url_of(&place.with(What::Page(u64::from(index) % web.pages_of(host))))
    });
    let mut sizes: Vec<usize> = urls.map(|url| body(&web, &url).len()).collect();
    sizes.sort_unstable();
    let (median, mean) = (sizes[sizes.len() / 2], sizes.iter().sum::<usize>() / sizes.len());
    assert!((115_000..165_000).contains(&median), "median {median}");
    assert!((200_000..290_000).contains(&mean), "mean {mean}");
}

#[test]
fn a_body_is_as_long_as_its_shape_says() {
    let web = Web::new(WebConfig::realistic(2, 10_000));
    for url in web.seeds(20) {
        let shape = web.structure(&url, 0).unwrap();
        let length = body(&web, &url).len() as u64;
        if shape.size_bytes > 40_000 {
            let off = length.abs_diff(shape.size_bytes) as f64 / shape.size_bytes as f64;
            assert!(off < 0.15, "{url}: {length} against {}", shape.size_bytes);
        }
    }
}

#[test]
fn pages_are_in_the_encoding_they_declare() {
    let web = small();
    for host in web.hosts().filter(|host| host.host != HostId::APEX).take(100) {
        let bytes = body(&web, &web.root_of(host));
        let charset = web.character(host).charset;
        let utf8 = matches!(charset, crate::Charset::Utf8Header | crate::Charset::Utf8Meta);
        let text = String::from_utf8_lossy(&bytes);
        assert!(!utf8 || std::str::from_utf8(&bytes).is_ok());
        assert_eq!(text.contains("charset="), !format!("{charset:?}").ends_with("Header"), "{charset:?}");
    }
}

#[test]
fn robots_text_says_what_its_verdict_says() {
    let text = |class: RobotsClass| class.text(2, "http://www.raven1.test/sitemap.xml");
    let forbidden = |class: RobotsClass, target| class.verdict(target) == Verdict::Forbidden;
    assert!(text(RobotsClass::Huge).len() > 500 << 10);
    assert!(text(RobotsClass::Some).contains("Disallow: /private/\nAllow: /private/open/"));
    assert!(
        forbidden(RobotsClass::Some, "/private/3.html")
            && !forbidden(RobotsClass::Some, "/private/open/3.html")
    );
    assert!(text(RobotsClass::Wildcards).contains("Disallow: /*.pdf$\nAllow: /paper/*.pdf$"));
    assert!(
        forbidden(RobotsClass::Wildcards, "/slides/1.pdf")
            && !forbidden(RobotsClass::Wildcards, "/paper/1.pdf")
    );
    assert!(
        forbidden(RobotsClass::Wildcards, "/a?id=1&print=1") && !forbidden(RobotsClass::Wildcards, "/a?id=1")
    );
    assert!(forbidden(RobotsClass::Group, "/members/1.html") && !forbidden(RobotsClass::Group, "/"));
    assert!(text(RobotsClass::Delay).contains("Crawl-delay: 2"));
    for class in RobotsClass::OPEN {
        assert!(!forbidden(class, "/") && !forbidden(class, "/travel/winter-bridge-17.html"), "{class:?}");
    }
    for class in RobotsClass::CLOSED {
        assert!(forbidden(class, "/"), "{class:?}");
    }
}

#[test]
fn sitemaps_list_pages_and_parts() {
    let web = Web::new(WebConfig { giant_pages: 3_000, ..WebConfig::small(7, 2_000).calm() });
    let giant = web.place(&web.root_of(HostId::www(1))).unwrap();
    let index = body(&web, &web.url_of(&giant.with(What::Sitemap)));
    assert_eq!(String::from_utf8(index).unwrap().matches("<sitemap><loc>").count(), 4);
    let part = body(&web, &web.url_of(&giant.with(What::SitemapPart(1))));
    let mut plain = vec![0; 1 << 20];
    let length = libdeflater::Decompressor::new().gzip_decompress(&part, &mut plain).unwrap();
    let plain = std::str::from_utf8(&plain[..length]).unwrap();
    assert_eq!(plain.matches("<url><loc>").count(), 500);
    for line in plain.lines().filter_map(|line| line.trim().strip_prefix("<url><loc>")) {
        let url = line.strip_suffix("</loc></url>").unwrap().replace("&amp;", "&");
        assert_eq!(web.structure(&url, 0).unwrap().status, 200);
    }
}

#[test]
fn an_entity_tag_that_still_holds_saves_the_body() {
    let web = small();
    let host = web.name_of(HostId::www(0));
    let scheme = web.character(HostId::www(0)).scheme;
    let first = web.respond(&get(&host, "/", scheme));
    let tag = &first.headers.iter().find(|header| header.name == "etag").unwrap().value;
    let second = web.respond(&crate::Request { conditions: having(tag), ..get(&host, "/", scheme) });
    assert_eq!((first.status, second.status, second.body.len()), (200, 304, 0));
}

fn having(tag: &str) -> Conditions<'_> {
    Conditions { if_none_match: Some(tag), ..Conditions::default() }
}

#[test]
fn hosts_have_dates_and_lie_as_their_character_says() {
    let small = WebConfig::small(9, 2_000);
    let web = Web::new(WebConfig { hosts: HostMix { dated: 300, liars: 600, ..small.hosts }, ..small });
    let mut met = Vec::new();
    for host in web.hosts().filter(|host| host.host != HostId::APEX) {
        let (character, name) = (web.character(host), web.name_of(host));
        let at = |time_ms| crate::Request { time_ms, ..get(&name, "/", character.scheme) };
        let said = |request: &crate::Request<'_>| {
            let response = web.respond(request);
            let field = response.headers.iter().find(|field| ["etag", "last-modified"].contains(&field.name));
            field.map(|field| (response.status, field.name, field.value.clone()))
        };
        let (Some(now), Some(later)) = (said(&at(0)), said(&at(5))) else { continue };
        if ![200, 304].contains(&now.0) {
            continue;
        }
        let again = said(&crate::Request { conditions: having(&now.2), ..at(5) }).unwrap();
        let since = Conditions { if_modified_since: Some(&now.2), ..Conditions::default() };
        let since = said(&crate::Request { conditions: since, ..at(5) }).unwrap();
        let expected = match character.validators {
            Validators::Tags | Validators::Shared => (200, "etag", true, 304, 200),
            Validators::Dates => (200, "last-modified", true, 200, 304),
            Validators::Eager => (304, "etag", true, 304, 200),
            Validators::Restless => (200, "etag", false, 200, 200),
        };
        assert_eq!(
            (now.0, now.1, now == later, again.0, since.0),
            expected,
            "{name}: {:?}",
            character.validators
        );
        assert_eq!(now.2 == "\"1\"", character.validators == Validators::Shared);
        if !met.contains(&character.validators) {
            met.push(character.validators);
        }
    }
    assert_eq!(met.len(), 5, "{met:?}");
}

#[test]
fn rules_that_are_elsewhere_are_there_and_say_what_the_verdict_says() {
    let small = WebConfig::small(9, 2_000);
    let hosts = HostMix { robots: 1000, elsewhere: 700, ..small.hosts };
    let web = Web::new(WebConfig { hosts, ..small });
    let is_elsewhere = |host: &HostId| web.character(*host).robots == RobotsClass::Elsewhere;
    let (mut hosts, mut abroad) = (0, 0);
    for host in web.hosts().filter(|host| host.host != HostId::APEX).filter(is_elsewhere) {
        let there = web.structure(&format!("{}robots.txt", web.root_of(host)), 0).unwrap().redirect.unwrap();
        let text = String::from_utf8(body(&web, &there)).unwrap();
        assert!(text.contains("Disallow: /private/\nAllow: /private/open/"), "{there}");
        assert_eq!(web.verdict(&there), Verdict::Allowed);
        hosts += 1;
        abroad += u32::from(web.place(&there).unwrap().host.domain != host.domain);
    }
    assert!(hosts > 50 && abroad > hosts / 2, "{abroad} of {hosts} are abroad");
}
