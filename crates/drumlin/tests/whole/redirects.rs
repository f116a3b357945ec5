//! Redirects, each kind once: what the server was asked for, and what was archived.

use crate::support::crawl::Crawl;
use crate::support::names;
use crate::support::script::{Ask, Reply, Script};
use simweb::server::{ServerOptions, StartError, start};
use simweb::{HostMix, Plan, Scope, WebConfig};
use std::net::Ipv4Addr;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Crawls what a script serves from the front page of `a.test`.
fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 2)));
    Crawl::new(dns, &[&server.url("a.test", "/")])
}

/// A server of three hosts without robots.txt, whose front pages are `a.test`'s links and nothing.
fn serve(
    links: &'static [&'static str],
    answer: impl Fn(&Ask<'_>) -> Reply + Send + Sync + 'static,
) -> Script {
    Script::start(move |ask| match (ask.host, ask.target) {
        (_, "/robots.txt") => Reply::status(404),
        ("a.test", "/") => Reply::page(links),
        _ => answer(ask),
    })
}

/// Crawls, and compares the statuses archived of `a.test`'s paths.
fn check(server: &Script, wanted: &[(&str, u16)]) {
    let holdings = crawl(server).run_to_the_end();
    let front = server.url("a.test", "");
    let found: Vec<(&str, u16)> = holdings
        .statuses()
        .into_iter()
        .filter_map(|(url, status)| url.strip_prefix(&front).map(|path| (path, status)))
        .filter(|(path, _)| *path != "/")
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_session_identifier_that_is_redirected_away_is_the_same_url() {
    const DIRTY: &str = "/shop?sid=0123456789abcdef0123456789abcdef";
    let server = serve(&[DIRTY], |ask| match ask.target {
        "/shop" => Reply::page(&["/shop?sid=fedcba9876543210fedcba9876543210", "/shop"]),
        target if target.contains(TOKEN) => Reply::redirect(302, "/shop"),
        _ => Reply::status(410),
    });
    check(&server, &[("/shop", 200), (DIRTY, 302)]);
    assert_eq!(
        server.log().len(),
        4,
        "robots.txt, the front page, two forms of the shop: {:?}",
        server.log()
    );
}

#[test]
fn a_repaired_encoding_is_the_same_url() {
    let server = serve(&["/%7Euser"], |ask| match ask.target {
        "/%7Euser" => Reply::redirect(301, "/~user"),
        "/~user" => Reply::page(&["/%7euser", "/~user"]),
        _ => Reply::status(410),
    });
    check(&server, &[("/%7Euser", 301), ("/~user", 200)]);
}

#[test]
fn a_redirect_to_itself_is_asked_for_once_more_at_most() {
    let server = serve(&["/again"], |_| Reply::redirect(302, "/again"));
    check(&server, &[("/again", 302)]);
}

#[test]
fn a_loop_is_walked_once() {
    let server = serve(&["/loop"], |ask| match ask.target {
        "/loop" => Reply::redirect(302, "/pool"),
        _ => Reply::redirect(302, "/loop"),
    });
    check(&server, &[("/loop", 302), ("/pool", 302)]);
}

#[test]
fn forms_of_one_url_that_redirect_to_each_other_come_to_an_end() {
    let server = serve(&["/shop?sid=0123456789abcdef0123456789abcdef"], |ask| match ask.target {
        "/shop" => Reply::redirect(302, &format!("/shop?sid={TOKEN}")),
        _ => Reply::redirect(302, "/shop"),
    });
    assert_eq!(crawl(&server).run().code, Some(0));
    let hops = server.log().iter().filter(|seen| seen.target.starts_with("/shop")).count();
    assert_eq!(hops, 4, "round twice");
}

#[test]
fn a_chain_is_followed_to_the_limit() {
    let server = serve(&["/hop/0"], |ask| {
        let hop: u32 = ask.target.trim_start_matches("/hop/").parse().expect("a hop");
        Reply::redirect(302, &format!("/hop/{}", hop + 1))
    });
    assert_eq!(crawl(&server).run().code, Some(0));
    let hops = server.log().iter().filter(|seen| seen.target.starts_with("/hop/")).count();
    assert_eq!(hops, 11, "the URL and ten hops");
}

#[test]
fn another_host_gets_its_own_robots_txt_and_clocks() {
    let server = Script::start(|ask| match (ask.host, ask.target) {
        ("b.test", "/robots.txt") => Reply::text("User-agent: *\nDisallow: /private/\n"),
        (_, "/robots.txt") => Reply::status(404),
        ("a.test", "/") => Reply::page(&["/away", "/astray"]),
        ("a.test", "/away") => Reply::redirect(301, &format!("http://b.test:{}/landed", ask.port)),
        ("a.test", "/astray") => Reply::redirect(301, &format!("http://b.test:{}/private/landed", ask.port)),
        _ => Reply::page(&[]),
    });
    check(&server, &[("/astray", 301), ("/away", 301)]);
    let times = |target| server.times("b.test", target);
    assert_eq!((times("/robots.txt"), times("/landed"), times("/private/landed")), (1, 1, 0));
}

#[test]
fn a_redirect_into_a_forbidden_path_is_not_followed() {
    let server = Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::text("User-agent: drumlin\nDisallow: /private/\nDisallow: /*?sid=\n"),
        "/" => Reply::page(&["/innocent", "/shop"]),
        "/innocent" => Reply::redirect(302, "/private/cellar"),
        // The same key: the URL goes on under a form that is forbidden.
        "/shop" => Reply::redirect(302, &format!("/shop?sid={TOKEN}")),
        _ => Reply::page(&[]),
    });
    check(&server, &[("/innocent", 302), ("/shop", 302)]);
    assert_eq!(server.log().len(), 4, "{:?}", server.log());
}

#[test]
fn a_redirect_out_of_scope_is_not_followed() {
    let server = serve(&["/away"], |ask| Reply::redirect(302, &format!("http://b.test:{}/", ask.port)));
    assert_eq!(crawl(&server).flag("--scope", "host").run().code, Some(0));
    assert!(server.log().iter().all(|seen| seen.host == "a.test"), "{:?}", server.log());
}

#[test]
fn http_to_https_is_the_same_url() {
    // Only with the ports that need not be written are the two one identity.
    let hosts = HostMix { https: 1000, ..HostMix::default() };
    let config = WebConfig { http_port: 80, https_port: 443, hosts, ..WebConfig::small(41, 60).calm() };
    let server = match start(config, ServerOptions::default()) {
        Err(StartError::Bind { port, .. }) => return println!("skipped: port {port} is not to be had"),
        server => server.expect("certificates"),
    };
    let seeds = server.web.seeds(1);
    let plain = seeds[0].replacen("https:", "http:", 1);
    assert_ne!(plain, seeds[0]);
    let crawl = Crawl::new(server.dns, &[&plain]);
    let ca = crawl.file("ca.pem", &server.ca_pem);
    let holdings = crawl.flag("--ca-file", &ca).run_to_the_end();
    assert_eq!(holdings.repeated(), [""; 0]);
    let truth = server.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth: None });
    let pages = holdings.pages().filter(|page| page.status == 200);
    let mut pages: Vec<String> = pages.filter_map(|page| server.web.canonical(&page.url)).collect();
    pages.sort_unstable();
    assert_eq!(pages, truth.pages().collect::<Vec<_>>());
    let moved = holdings.statuses().into_iter().filter(|(url, _)| *url == plain).collect::<Vec<_>>();
    assert_eq!(moved, [(plain.as_str(), 301)]);
}

/// A site whose hosts send whoever shows no cookie round again, beside one that has to see none.
fn site_with_a_cookie() -> Script {
    Script::start(|ask| match (ask.host, ask.target, ask.cookies) {
        (_, "/robots.txt", _) => Reply::status(404),
        ("b.test", _, "") | ("a.test" | "www.a.test", "/more", "seen=yes") => Reply::page(&[]),
        ("a.test" | "www.a.test", target, "") => {
            Reply::redirect(302, target).header("Set-Cookie", "seen=yes; Domain=a.test; Path=/")
        }
        ("a.test", "/", "seen=yes") => {
            let of = |host: &str| format!("http://{host}:{}/more", ask.port);
            Reply::page(&["/more", &of("www.a.test"), &of("b.test")])
        }
        _ => Reply::status(410),
    })
}

#[test]
fn cookies_are_shown_where_the_operator_says_so() {
    let server = site_with_a_cookie();
    let pages = |crawl: Crawl| {
        let holdings = crawl.flag("--scope", "any").run_to_the_end();
        let pages = holdings.statuses().into_iter().filter(|(_, status)| *status == 200);
        pages.map(|(url, _)| url.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(pages(crawl(&server)), [""; 0]);
    let found = pages(crawl(&server).config("cookies = true\n"));
    let wanted = [("a.test", "/"), ("a.test", "/more"), ("b.test", "/more"), ("www.a.test", "/more")];
    assert_eq!(found, wanted.map(|(host, path)| server.url(host, path)));
    assert_eq!((server.times("a.test", "/more"), server.times("www.a.test", "/more")), (1, 1));
}
