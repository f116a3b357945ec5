//! Clocks of servers between two nodes: whose turn it is is lent for one contact.

use super::{Node, OUR_CLAIM, Owner, config_of_two, page_of, server_of};
use crate::CrawlConfig;
use crate::tests::examples::{START, url};
use cluster::limits::ASK_AGAIN_MS;
use cluster::{Ask, ClaimId, Grant, LeaseEnd, Lending, Message, Release};
use frontier::{NamedGroup, NamedGroups, Stop};
use std::sync::Arc;

pub(super) fn ask(claim: u64) -> Message {
    let address = server_of(Owner::Me);
    Message::Asks(vec![Ask { claim: ClaimId(claim), address, delay_ms: 250, pending: 1 }])
}

fn grant(claim: u64) -> Message {
    Message::Grants(vec![Grant { claim: ClaimId(claim), waited_ms: 0 }])
}

fn contacted(claim: u64) -> Message {
    let end = LeaseEnd::Contacted { ago_ms: 0 };
    Message::Releases(vec![Release { claim: ClaimId(claim), end }])
}

#[test]
fn a_server_of_another_node_is_contacted_under_its_lease() {
    let server = server_of(Owner::Peer);
    let mut node = Node::introduced(&[page_of(Owner::Me)], server);
    let asked =
        Message::Asks(vec![Ask { claim: ClaimId(OUR_CLAIM), address: server, delay_ms: 250, pending: 1 }]);
    assert_eq!(node.said(), std::slice::from_ref(&asked));
    node.wait(ASK_AGAIN_MS);
    assert_eq!(node.said(), [asked]);
    assert_eq!(node.fetches.len(), 0);
    node.hear(grant(OUR_CLAIM));
    assert_eq!(node.fetches.len(), 1, "robots.txt");
    node.hear(grant(OUR_CLAIM));
    assert_eq!(node.fetches.len(), 1, "granted once, however often it is said");
    node.answer("HTTP/1.1 404 Not Found", "");
    assert_eq!(node.said(), [contacted(OUR_CLAIM)]);
}

#[test]
fn a_server_is_lent_to_one_at_a_time_and_only_to_the_living() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    node.hear(ask(1));
    assert_eq!(node.said(), [grant(1)]);
    node.hear(ask(2));
    node.wait(500);
    assert_eq!(node.said(), []);
    node.hear(contacted(1));
    node.wait(249);
    assert_eq!(node.said(), []);
    node.wait(1);
    let waited = Grant { claim: ClaimId(2), waited_ms: 750 };
    assert_eq!(node.said(), [Message::Grants(vec![waited])]);
    node.hear(ask(3));
    node.wait(Lending::new(60_000).lease_ms() + 250);
    let grants = node.said().into_iter().filter(|message| *message != Message::Grants(vec![waited]));
    assert_eq!(grants.collect::<Vec<_>>(), [], "claim 3 is of a node that says nothing any more");
    node.hear(ask(3));
    assert_eq!(node.said(), [grant(3)]);
}

#[test]
fn a_node_that_was_started_anew_has_ended_its_contacts() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    node.hear(ask(1));
    node.said();
    node.hear_of_run(2, ask(1));
    assert_eq!(node.said(), []);
    node.wait(250);
    let granted = Message::Grants(vec![Grant { claim: ClaimId(1), waited_ms: 250 }]);
    assert_eq!(node.said(), [granted]);
    node.hear_of_run(1, contacted(1));
    node.hear_of_run(2, ask(2));
    node.wait(1_000);
    assert_eq!(node.said(), [], "what an earlier run says is not listened to");
}

#[test]
fn after_an_unclean_stop_nothing_is_lent_before_every_lease_has_ended() {
    let mut node = Node::started(Stop::Unclean, &[], server_of(Owner::Me));
    node.commit();
    node.said();
    let all_over = START + Lending::new(60_000).lease_ms() + 250;
    node.now = all_over - 1;
    node.hear(ask(1));
    assert_eq!(node.said(), []);
    node.wait(1);
    assert_eq!(node.said(), [Message::Grants(vec![Grant { claim: ClaimId(1), waited_ms: 1 }])]);
}

/// Its server's clock is another node's, its group's clock is each node's own.
#[test]
fn a_groups_clock_runs_from_where_a_contact_under_a_lease_begins() {
    let page = page_of(Owner::Me);
    let hosts = vec![url(&page).host().parse().unwrap()];
    let group = NamedGroup { name: "one".to_owned(), hosts, interval_ms: 5_000 };
    let groups = Arc::new(NamedGroups::new(vec![group]).unwrap());
    let config = CrawlConfig { groups, ..config_of_two() };
    let mut node = Node::with(config, Stop::Clean, std::slice::from_ref(&page), server_of(Owner::Peer));
    node.commit();
    node.wait(5_000);
    node.hear(grant(OUR_CLAIM));
    node.wait(15);
    node.answer("HTTP/1.1 404 Not Found", "");
    let standing = node.crawler.group_standing(url(&page).host()).expect("it is in one");
    assert_eq!(standing.until, START + 5_000 + 15 + 5_000);
}
