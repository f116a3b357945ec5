use super::small;
use crate::checker::{Clock, Limits, forbidden, politeness, repeats, strays};
use crate::{Contact, HostId, Leaf, RobotsClass, Scheme, Web, What};
use std::net::Ipv4Addr;

const LIMITS: Limits =
    Limits { host_delay_ms: 1000, address_delay_ms: 250, domain_starts_per_second: Some(4), slack_ms: 0 };

fn contact(web: &Web, host: HostId, target: &str, start_ms: u64) -> Contact {
    Contact {
        start_us: start_ms * 1000,
        end_us: start_ms * 1000 + 10_000,
        client_port: 5000,
        address: web.server_of(host),
        scheme: Scheme::Http,
        host: web.name_of(host),
        target: target.to_owned(),
        status: 200,
        body_bytes: 1,
    }
}

fn check(log: &[Contact], wanted: &[Clock]) {
    let found: Vec<Clock> =
        politeness(log, &small(), &LIMITS).into_iter().map(|violation| violation.clock).collect();
    assert_eq!(found, wanted);
}

#[test]
fn each_clock_is_kept_from_the_end_of_one_contact_to_the_start_of_the_next() {
    let web = small();
    let at = |ms| contact(&web, HostId::www(0), "/", ms);
    check(&[at(0), at(1010)], &[]);
    check(&[at(1010), at(0)], &[]);
    check(&[at(0), at(1009)], &[Clock::Host]);
    check(&[at(0), at(5)], &[Clock::Host, Clock::Address]);
    let elsewhere =
        |ms| Contact { address: Ipv4Addr::new(127, 9, 9, 9), host: "www.other.test".into(), ..at(ms) };
    check(&[elsewhere(0), at(0), elsewhere(2000)], &[]);
    let neighbour = |ms| Contact { host: "www.other.test".into(), ..at(ms) };
    check(&[at(0), neighbour(259)], &[Clock::Address]);
    check(&[at(0), neighbour(260)], &[]);
}

#[test]
fn a_long_contact_covers_a_short_one_within_it() {
    let web = small();
    let long = Contact { end_us: 9_000_000, ..contact(&web, HostId::www(0), "/", 0) };
    let within = Contact { host: "www.other.test".into(), ..contact(&web, HostId::www(0), "/", 10) };
    let after = contact(&web, HostId::www(0), "/", 9_500);
    check(&[long, within, after], &[Clock::Address, Clock::Host]);
}

#[test]
fn hosts_of_one_domain_do_not_add_up() {
    let web = small();
    let spread = |number: u64, ms| Contact {
        host: format!("s{number}.harbour3.test"),
        address: Ipv4Addr::new(127, 7, 7, number as u8),
        ..contact(&web, HostId::www(0), "/", ms)
    };
    let log: Vec<Contact> = (0..5).map(|number| spread(number, number * 240)).collect();
    check(&log, &[Clock::Domain]);
    let log: Vec<Contact> = (0..5).map(|number| spread(number, number * 250)).collect();
    check(&log, &[]);
}

#[test]
fn a_crawl_delay_counts_once_it_has_been_read() {
    let web = small();
    let host = web.hosts().find(|host| web.character(*host).robots == RobotsClass::Delay).unwrap();
    let page = |ms| contact(&web, host, "/", ms);
    check(&[page(0), page(1500)], &[]);
    check(&[contact(&web, host, "/robots.txt", 0), page(1500)], &[Clock::Host]);
    check(&[contact(&web, host, "/robots.txt", 0), page(2010)], &[]);
}

#[test]
fn forbidden_misread_and_repeated_contacts_are_found() {
    let web = small();
    let host = web.hosts().find(|host| web.character(*host).robots == RobotsClass::Some).unwrap();
    let front = web.place(&web.root_of(host)).unwrap();
    let ask = |target: &str| Contact { scheme: front.scheme, ..contact(&web, host, target, 0) };
    let leaf = |leaf| {
        let mut target = String::new();
        web.write_target(&web.character(host), &front.with(What::Leaf(leaf, 0)), &mut target);
        ask(&target)
    };
    let log = [
        ask("/"),
        leaf(Leaf::Private),
        leaf(Leaf::PrivateOpen),
        ask("/robots.txt"),
        ask("/#"),
        leaf(Leaf::Ghost),
    ];
    assert_eq!(forbidden(&log, &web), [&log[1]]);
    assert_eq!(strays(&log, &web), [&log[4], &log[5]]);
    let log = [ask("/"), ask("/robots.txt"), ask("/robots.txt"), ask("/?utm_source=a")];
    assert_eq!(repeats(&log, &web), [&log[3]]);
}

#[test]
fn a_line_of_the_log_is_read_back() {
    let one = Contact { target: "/\"\\\u{e9}".into(), ..contact(&small(), HostId::www(0), "", 3) };
    assert_eq!(Contact::parse(&one.line()).unwrap(), one);
    assert!(!one.line().contains('\n'));
}
