//! A node among two, by hand: what it says to the other, and when.

mod leases;

use super::examples::{START, capture, config, found, url};
use crate::peers::Contents;
use crate::{
    Action, Commitment, CrawlConfig, Crawler, Event, FetchJob, Fetched, OrderId, Outcome, Record,
    ResolveOutcome, Resolved, Rules, wire,
};
use archive::{Entry, ReplayEntry};
use cluster::limits::RESEND_MS;
use cluster::{Batch, Envelope, Message, NodeId, Placement, Rest};
use control::{Command, Refusal};
use disk::MemDisk;
use frontier::{Address, Discovery, Origin, Reach, RobotsAnswer, RobotsErrand, RobotsRecord, Stop};
use leases::ask;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use stdx::Timestamp;
use weburl::{Folding, Scope, ScopeRules};

const ME: NodeId = NodeId(1);
const PEER: NodeId = NodeId(2);
/// The first claim that the node makes in its first run.
const OUR_CLAIM: u64 = 1 << 32;

/// Who owns the shard of a host, or the clock of a server.
#[derive(Clone, Copy)]
enum Owner {
    Me,
    Peer,
}

impl Owner {
    fn id(self) -> NodeId {
        match self {
            Self::Me => ME,
            Self::Peer => PEER,
        }
    }
}

fn placement() -> Placement {
    Placement::new(ME, &[ME, PEER]).unwrap()
}

fn config_of_two() -> CrawlConfig {
    let rules =
        Rules { scope: ScopeRules::new(Scope::Any), folding: Folding::ALL, seed: config().rules.seed };
    CrawlConfig { rules: Arc::new(rules), placement: placement(), ..config() }
}

/// A page of a host in a shard of this owner.
fn page_of(owner: Owner) -> String {
    let name = |n: u32| format!("h{n}.example");
    let is_of = |n: &u32| placement().owner_of_shard(config().rules.shard(&name(*n))) == owner.id();
    format!("http://{}/", name((0..99).find(is_of).unwrap()))
}

/// A server whose clock is this owner's.
fn server_of(owner: Owner) -> IpAddr {
    let ip = |n: u8| IpAddr::V4(Ipv4Addr::new(192, 0, 2, n));
    ip((0..99).find(|n| placement().owner_of_clock(ip(*n)) == owner.id()).unwrap())
}

/// The node, on a disk that commits when it is told to.
struct Node {
    crawler: Crawler,
    now: Timestamp,
    seeds: Vec<String>,
    /// Where all names lead.
    server: IpAddr,
    committing: Option<Vec<Entry>>,
    journal: Vec<Vec<u8>>,
    said: Vec<Message>,
    fetches: Vec<FetchJob>,
}

impl Node {
    /// It has begun, and its journal says so durably.
    fn introduced(seeds: &[String], server: IpAddr) -> Self {
        let mut node = Self::started(Stop::Clean, seeds, server);
        node.commit();
        node
    }

    fn started(stop: Stop, seeds: &[String], server: IpAddr) -> Self {
        Self::with(config_of_two(), stop, seeds, server)
    }

    fn with(config: CrawlConfig, stop: Stop, seeds: &[String], server: IpAddr) -> Self {
        let none = std::iter::empty::<archive::Result<ReplayEntry>>();
        let mut crawler = Crawler::recover(config, Arc::new(MemDisk::new()), None, none).unwrap();
        crawler.resume(stop, START, |_| false).unwrap();
        let (seeds, journal) = (seeds.to_vec(), Vec::new());
        let (said, fetches) = (Vec::new(), Vec::new());
        let mut node = Self { crawler, now: START, seeds, server, committing: None, journal, said, fetches };
        node.poll();
        node
    }

    fn poll(&mut self) {
        while let Some(action) = self.crawler.poll(self.now) {
            self.perform(action);
        }
        self.crawler.check_invariants();
    }

    fn perform(&mut self, action: Action) {
        match action {
            Action::MoreSeeds => {
                let seeds = std::mem::take(&mut self.seeds).iter().map(|seed| url(seed)).collect();
                self.crawler.handle(self.now, Event::Seeds(seeds));
            }
            Action::Resolve(job) => {
                let addresses = vec![Address { ip: self.server, reach: Reach::Public }];
                let outcome = ResolveOutcome::Addresses { addresses, ttl_ms: 3_600_000 };
                self.crawler.handle(self.now, Event::Resolved(Resolved { ticket: job.ticket, outcome }));
            }
            Action::Fetch(job) => self.fetches.push(job),
            Action::CloseRows | Action::AskAhead { .. } => {}
            Action::Commit(entries) => self.committing = Some(entries),
            Action::Send(Envelope { from, run, to, message }) => {
                assert_eq!((from, run, to), (ME, 1, PEER));
                self.said.push(message);
            }
            Action::Work(work) => self.crawler.handle(self.now, Event::Worked(Box::new(work.perform()))),
            other => panic!("{other:?}"),
        }
    }

    /// Makes durable what waits to be, and what that brings, until there is nothing left.
    fn commit(&mut self) {
        while let Some(entries) = self.committing.take() {
            let first_seq = self.journal.len() as u64 + 1;
            self.journal.extend(entries.iter().map(|entry| entry.record.clone()));
            let place =
                |(entry, seq): (&Entry, u64)| entry.capture.is_some().then(|| super::examples::location(seq));
            let locations = entries.iter().zip(first_seq..).map(place).collect();
            let commitment = Commitment { first_seq, locations, journal_bytes: 1 };
            self.crawler.handle(self.now, Event::Committed(commitment));
            self.poll();
        }
    }

    fn hear(&mut self, message: Message) {
        self.hear_of_run(1, message);
    }

    fn hear_of_run(&mut self, run: u64, message: Message) {
        self.crawler.handle(self.now, Event::Arrived(Envelope { from: PEER, run, to: ME, message }));
        self.poll();
    }

    fn wait(&mut self, ms: u64) {
        self.now = self.now + ms;
        self.poll();
    }

    /// What it has said since it was last asked, but for the census.
    fn said(&mut self) -> Vec<Message> {
        let said = std::mem::take(&mut self.said).into_iter();
        said.filter(|message| !matches!(message, Message::Census { .. })).collect()
    }

    /// A request is answered after 40 ms.
    fn answer(&mut self, head: &str, body: &str) {
        let job = self.fetches.remove(0);
        let (started, ended) = (self.now, self.now + 40);
        let capture = capture(job.url.as_str(), head, body);
        let address = job.address.ip();
        self.now = ended;
        let outcome = Outcome::Captured(capture);
        let fetched = Fetched { ticket: job.ticket, address, started, ended, outcome };
        self.crawler.handle(ended, Event::Fetched(fetched));
        self.poll();
    }
}

fn batch(number: u64, page: &str) -> Message {
    let shard = config().rules.shard(url(page).host());
    Message::Batch(Contents::batch(
        number,
        shard,
        Origin::Document("http://p.example/".to_owned()),
        vec![found(page, 1)],
    ))
}

#[test]
fn nobody_hears_of_a_run_that_is_not_durable() {
    let mut node = Node::started(Stop::Clean, &[page_of(Owner::Peer)], server_of(Owner::Me));
    node.hear(ask(1));
    node.wait(10_000);
    assert_eq!(node.said.len(), 0);
    node.commit();
    assert!(!node.said.is_empty());
}

#[test]
fn what_is_for_another_node_is_journaled_sent_and_sent_again_until_it_is_acknowledged() {
    let page = page_of(Owner::Peer);
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    node.crawler.discover(vec![found(&page, 0)], &Origin::Seed).unwrap();
    node.poll();
    assert_eq!(node.said(), [], "not durable");
    node.commit();
    let shard = config().rules.shard(url(&page).host());
    let sent = Message::Batch(Contents::batch(0, shard, Origin::Seed, vec![found(&page, 0)]));
    assert_eq!(node.said(), std::slice::from_ref(&sent));
    node.wait(RESEND_MS);
    assert_eq!(node.said(), [sent]);
    node.hear(Message::Acknowledged(vec![0, 7]));
    node.commit();
    node.wait(100_000);
    assert_eq!(node.said(), []);
    let last = Record::decode(1, node.journal.last().unwrap()).unwrap();
    assert!(matches!(last, Record::Acknowledged { by: PEER, numbers } if numbers == [0]));
}

#[test]
fn what_was_sent_is_no_news_but_by_a_shorter_path() {
    let page = page_of(Owner::Peer);
    let shard = config().rules.shard(url(&page).host());
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    let key = found(&page, 0).key;
    assert!(!node.crawler.is_no_news(shard, key, 2).unwrap());
    node.crawler.discover(vec![found(&page, 2)], &Origin::Seed).unwrap();
    assert!(node.crawler.is_no_news(shard, key, 2).unwrap());
    assert!(!node.crawler.is_no_news(shard, key, 1).unwrap());
}

#[test]
fn who_has_something_left_to_say_does_not_leave_with_the_others() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    node.crawler.discover(vec![found(&page_of(Owner::Peer), 0)], &Origin::Seed).unwrap();
    node.commit();
    node.hear(Message::Over(Rest::Done));
    assert!(node.crawler.is_running());
    node.hear(Message::Acknowledged(vec![0]));
    node.commit();
    node.hear(Message::Over(Rest::Done));
    assert!(!node.crawler.is_running());
}

#[test]
fn a_batch_is_acknowledged_once_it_is_durable_and_taken_once() {
    let page = page_of(Owner::Me);
    let mut node = Node::introduced(&[], server_of(Owner::Peer));
    node.hear(batch(0, &page));
    node.hear(batch(0, &page));
    assert!(!node.said().contains(&Message::Acknowledged(vec![0])), "not durable");
    node.commit();
    assert!(node.said().contains(&Message::Acknowledged(vec![0])));
    node.hear(batch(0, &page));
    node.commit();
    assert!(node.said().contains(&Message::Acknowledged(vec![0])), "it may not have been heard");
    assert!(node.crawler.look_up(&url(&page)).unwrap().is_some());
    let taken =
        node.journal.iter().filter(|record| matches!(Record::decode(1, record), Ok(Record::Taken { .. })));
    assert_eq!(taken.count(), 1);
}

#[test]
fn nobody_takes_what_is_not_for_him_or_not_to_be_read() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    let before = node.journal.len();
    node.hear(batch(0, &page_of(Owner::Peer)));
    let shard = config().rules.shard(url(&page_of(Owner::Me)).host());
    node.hear(Message::Batch(Batch { number: 0, shard, body: vec![1, 99, 99] }));
    node.hear(Message::Batch(Batch { number: 0, shard, body: vec![9, 0, 0] }));
    for url in ["nowhere".to_owned(), page_of(Owner::Peer)] {
        let discoveries = vec![Discovery { url, ..found(&page_of(Owner::Me), 0) }];
        node.hear(Message::Batch(Contents::batch(0, shard, Origin::Seed, discoveries)));
    }
    node.commit();
    assert_eq!((node.said(), node.journal.len()), (vec![], before));
}

#[test]
fn a_robots_txt_at_a_host_of_another_node_is_fetched_there() {
    let (page, elsewhere) = (page_of(Owner::Me), page_of(Owner::Peer));
    let mut node = Node::introduced(std::slice::from_ref(&page), server_of(Owner::Me));
    let target = format!("{elsewhere}rules.txt");
    node.answer(&format!("HTTP/1.1 301 Moved\r\nLocation: {target}"), "");
    let authority = url(&page).authority().to_owned();
    let errand = RobotsErrand { authority: authority.clone(), url: target, hops: 1 };
    assert_eq!(node.said(), [Message::Errand(wire::encode(&errand))]);
    node.commit();
    node.wait(10_000);
    assert_eq!(node.said(), [Message::Errand(wire::encode(&errand))], "nobody has answered");
    assert_eq!(node.fetches.len(), 0);
    let answer = RobotsAnswer::Absent { status: 404 };
    let record = RobotsRecord { authority, fetched_at: Timestamp::ZERO, answer };
    node.hear(Message::Answer(wire::encode(&record)));
    node.commit();
    node.wait(100_000);
    assert_eq!(node.fetches.remove(0).url.as_str(), page);
    assert_eq!(node.said(), []);
}

#[test]
fn a_robots_txt_at_a_host_of_ours_is_fetched_for_another_node() {
    let (page, elsewhere) = (page_of(Owner::Peer), page_of(Owner::Me));
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    let authority = url(&page).authority().to_owned();
    let url = format!("{elsewhere}rules.txt");
    let errand = RobotsErrand { authority: authority.clone(), url: url.clone(), hops: 1 };
    let wanted = Message::Errand(wire::encode(&errand));
    node.hear(wanted.clone());
    node.hear(wanted);
    assert_eq!(node.fetches.iter().map(|job| job.url.to_string()).collect::<Vec<_>>(), [url]);
    node.answer("HTTP/1.1 410 Gone", "");
    let answer = RobotsAnswer::Absent { status: 410 };
    let record = RobotsRecord { authority, fetched_at: node.now, answer };
    assert_eq!(node.said(), [Message::Answer(wire::encode(&record))]);
    node.commit();
    node.wait(10_000);
    assert_eq!(node.fetches.len(), 0, "once");
}

#[test]
fn what_an_errand_finds_as_the_own_rules_of_its_host_holds_there_at_once() {
    let (asker, page) = (page_of(Owner::Peer), page_of(Owner::Me));
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    let authority = url(&asker).authority().to_owned();
    let errand = RobotsErrand { authority, url: format!("{page}robots.txt"), hops: 1 };
    node.hear(Message::Errand(wire::encode(&errand)));
    node.answer("HTTP/1.1 200 OK", "User-agent: *\nCrawl-delay: 7");
    let answered = node.now;
    node.hear(batch(0, &page));
    node.commit();
    while node.fetches.is_empty() {
        node.wait(100);
    }
    assert_eq!(node.fetches.remove(0).url.as_str(), page, "the rules are known");
    assert!(node.now.since_ms(answered) >= 7000, "{}", node.now.since_ms(answered));
}

#[test]
fn an_errand_for_nobody_is_not_run() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    for authority in ["", "nobody", &page_of(Owner::Me)] {
        let url = format!("{}rules.txt", page_of(Owner::Me));
        let errand = RobotsErrand { authority: authority.to_owned(), url, hops: 1 };
        node.hear(Message::Errand(wire::encode(&errand)));
    }
    node.wait(10_000);
    assert_eq!(node.fetches.len(), 0);
}

#[test]
fn a_checkpoint_made_among_other_nodes_is_refused() {
    let mut node = Node::introduced(&[], server_of(Owner::Me));
    let saved = node.crawler.save(&mut stdx::nobody).unwrap().state;
    let recover = |config| {
        let none = std::iter::empty::<archive::Result<ReplayEntry>>();
        Crawler::recover(config, Arc::new(MemDisk::new()), Some(&saved), none)
    };
    assert!(recover(config_of_two()).is_ok());
    let error = recover(CrawlConfig { placement: Placement::alone(), ..config_of_two() }).err().unwrap();
    assert_eq!(error.to_string(), "the checkpoint belongs to a crawl of other nodes");
}

/// What would have to hold on all nodes is refused by one.
#[test]
fn seeds_that_widen_the_scope_of_one_node_are_refused() {
    for (scope, is_taken) in [(Scope::Any, true), (Scope::Host, false), (Scope::Domain, false)] {
        let rules = Rules { scope: ScopeRules::new(scope), folding: Folding::ALL, seed: config().rules.seed };
        let config = CrawlConfig { rules: Arc::new(rules), ..config_of_two() };
        let mut node = Node::with(config, Stop::Clean, &[], server_of(Owner::Me));
        let command = Command::Seeds(vec!["http://b.example/".to_owned()]);
        node.crawler.handle(node.now, Event::Ordered { order: OrderId(0), command });
        let answer = std::iter::from_fn(|| node.crawler.poll(node.now)).find_map(|action| match action {
            Action::Answer { answer, .. } => Some(answer),
            _ => None,
        });
        let refused = matches!(answer, Some(Err(Refusal::ManyNodes { .. })));
        assert_eq!(refused, !is_taken, "{scope}: {answer:?}");
    }
}
