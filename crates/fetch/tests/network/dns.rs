//! Names: asked once, checked, kept for their time.

use crate::support::config;
use crawler::{FailureKind, LookUp, ResolveOutcome, Ticket};
use fetch::{AddressPolicy, Families, FetchConfig, FetchError, Fetcher, Limits};
use hickory_resolver::proto::op::{Message, ResponseCode};
use hickory_resolver::proto::rr::rdata::CNAME;
use hickory_resolver::proto::rr::{RData, Record, RecordType};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::sleep;

/// A name server that answers from a small zone and counts its questions.
struct Zone {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Zone {
    async fn serve() -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        tokio::spawn(async move {
            let mut packet = [0; 1500];
            while let Ok((length, client)) = socket.recv_from(&mut packet).await {
                let question = Message::from_vec(&packet[..length]).unwrap();
                let query = &question.queries[0];
                log.lock().unwrap().push(format!(
                    "{} {}",
                    query.query_type(),
                    query.name().to_ascii().to_lowercase()
                ));
                sleep(Duration::from_millis(20)).await;
                let changes = |asked: &&String| {
                    ["A turning.", "A moving.", "A late."].iter().any(|name| asked.starts_with(name))
                };
                let earlier = log.lock().unwrap().iter().filter(changes).count();
                if let Some(reply) = answer(&question, earlier) {
                    socket.send_to(&reply.to_vec().unwrap(), client).await.unwrap();
                }
            }
        });
        Self { address, asked }
    }

    fn fetcher(&self, policy: AddressPolicy) -> Fetcher {
        self.patient_fetcher(policy, 10_000)
    }

    fn hasty_fetcher(&self) -> Fetcher {
        self.patient_fetcher(AddressPolicy::public(), 700)
    }

    fn patient_fetcher(&self, policy: AddressPolicy, lookup_ms: u64) -> Fetcher {
        let limits = Limits { lookup_ms, ..config().limits };
        Fetcher::new(FetchConfig { dns: vec![self.address], policy, limits, ..config() }).unwrap()
    }

    fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().unwrap().clone();
        asked.sort();
        asked
    }
}

/// The answer; one name's depends on how often it was asked for.
pub(crate) fn answer(question: &Message, times: usize) -> Option<Message> {
    let query = &question.queries[0];
    let name = query.name().to_ascii().to_lowercase();
    let mut reply = Message::response(question.id, question.op_code);
    reply.add_query(query.clone());
    if name == "aliased.test." {
        // Only that: what it leads to is another question.
        let target = CNAME("public.test.".parse().unwrap());
        reply.add_answer(Record::from_rdata(query.name().clone(), 5, RData::CNAME(target)));
        return Some(reply);
    }
    let addresses: &[&str] = match name.as_str() {
        "public.test." | r"\-odd-.test." => &["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"],
        "rebind.test." => &["127.0.0.1", "93.184.215.14", "::1"],
        "private.test." => &["10.0.0.1", "169.254.169.254", "::ffff:192.168.0.1", "64:ff9b::a00:1"],
        "turning.test." | "moving.test." if times <= 1 => &["93.184.215.14"],
        "moving.test." => &["93.184.215.15"],
        "turning.test." => &["127.0.0.1", "::1"],
        "half.test." | "lame.test." if query.query_type() == RecordType::AAAA => return None,
        "empty.test." | "lame.test." => &[],
        "broken.test." => {
            reply.metadata.response_code = ResponseCode::ServFail;
            &[]
        }
        "silent.test." => return None,
        "late.test." if query.query_type() == RecordType::A && times <= 1 => return None,
        "late.test." => &["fd00::5", "93.184.215.14"],
        "half.test." => &["93.184.215.14"],
        _ => {
            reply.metadata.response_code = ResponseCode::NXDomain;
            &[]
        }
    };
    for address in addresses {
        let data = match address.parse().unwrap() {
            IpAddr::V4(v4) => RData::A(v4.into()),
            IpAddr::V6(v6) => RData::AAAA(v6.into()),
        };
        if data.record_type() == query.query_type() {
            reply.add_answer(Record::from_rdata(query.name().clone(), 5, data));
        }
    }
    Some(reply)
}

async fn resolve(fetcher: &Fetcher, host: &str) -> ResolveOutcome {
    fetcher.resolve(Ticket(3), host, LookUp::Known).await.outcome
}

async fn resolve_anew(fetcher: &Fetcher, host: &str) -> ResolveOutcome {
    fetcher.resolve(Ticket(3), host, LookUp::Anew).await.outcome
}

pub(crate) async fn check_addresses(fetcher: &Fetcher, host: &str, expected: &[&str]) -> u64 {
    let expected: Vec<IpAddr> = expected.iter().map(|text| text.parse().unwrap()).collect();
    match resolve(fetcher, host).await {
        ResolveOutcome::Addresses { addresses, ttl_ms } => {
            let found: Vec<_> = addresses.iter().map(|address| address.ip).collect();
            assert_eq!(found, expected, "{host}");
            ttl_ms
        }
        ResolveOutcome::Failed(failure) => panic!("{host}: {failure:?}"),
    }
}

pub(crate) async fn check_refusal(fetcher: &Fetcher, host: &str, kind: FailureKind, needle: &str) {
    match resolve(fetcher, host).await {
        ResolveOutcome::Failed(failure) => {
            assert_eq!(failure.kind, kind, "{host}: {failure:?}");
            assert!(failure.detail.contains(needle), "`{needle}` is not in {failure:?}");
        }
        ResolveOutcome::Addresses { addresses, .. } => panic!("{host}: {addresses:?}"),
    }
}

#[tokio::test]
async fn a_name_is_asked_for_absolutely_and_its_short_ttl_lengthened() {
    let zone = Zone::serve().await;
    let fetcher = zone.fetcher(AddressPolicy::public());
    let both = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];
    let ttl_ms = check_addresses(&fetcher, "public.test", &both).await;
    assert!((299_000..=300_000).contains(&ttl_ms), "{ttl_ms}");
    assert_eq!(zone.asked(), ["A public.test.", "AAAA public.test."]);
    check_addresses(&fetcher, "public.test", &both).await;
    assert_eq!(zone.asked().len(), 2, "kept");
}

#[tokio::test]
async fn a_thundering_herd_is_one_question() {
    let zone = Zone::serve().await;
    let fetcher = Arc::new(zone.fetcher(AddressPolicy::public()));
    let herd: Vec<_> = (0..50)
        .map(|_| {
            let fetcher = fetcher.clone();
            tokio::spawn(async move { resolve(&fetcher, "public.test").await })
        })
        .collect();
    for member in herd {
        assert!(matches!(member.await.unwrap(), ResolveOutcome::Addresses { .. }));
    }
    assert_eq!(zone.asked().len(), 2);
}

/// A site has moved, or a name has come back: what is kept of it is no answer to those whom it has failed.
#[tokio::test]
async fn who_asks_anew_is_not_answered_from_memory() {
    let zone = Zone::serve().await;
    let fetcher = Arc::new(zone.hasty_fetcher());
    check_addresses(&fetcher, "moving.test", &["93.184.215.14"]).await;
    check_addresses(&fetcher, "moving.test", &["93.184.215.14"]).await;
    let herd = [(); 20].map(|()| {
        let fetcher = fetcher.clone();
        tokio::spawn(async move { resolve_anew(&fetcher, "moving.test").await })
    });
    for member in herd {
        let ResolveOutcome::Addresses { addresses, .. } = member.await.unwrap() else {
            panic!("it is known")
        };
        assert_eq!(addresses[0].ip, IpAddr::from([93, 184, 215, 15]));
    }
    check_addresses(&fetcher, "moving.test", &["93.184.215.15"]).await;
    check_refusal(&fetcher, "absent.test", FailureKind::NameNotFound, "absent.test").await;
    let asked = zone.asked().len();
    assert_eq!(asked, 6, "twice each, once by the herd");
    assert!(matches!(resolve_anew(&fetcher, "absent.test").await, ResolveOutcome::Failed(_)));
    assert_eq!(zone.asked().len(), asked + 2);
}

#[tokio::test]
async fn a_name_that_was_asked_for_ahead_is_known_when_it_is_due() {
    let zone = Zone::serve().await;
    let fetcher = zone.fetcher(AddressPolicy::public());
    fetcher.ask_ahead("public.test".to_owned()).await;
    while zone.asked().len() < 2 {
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(zone.asked(), ["A public.test.", "AAAA public.test."]);
    check_addresses(&fetcher, "public.test", &["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
        .await;
    assert_eq!(zone.asked().len(), 2, "nothing is asked twice");
}

/// One of two turns: the second name asked for ahead waits for the first, a name that is due waits for neither.
#[tokio::test]
async fn names_asked_for_ahead_leave_turns_to_those_that_are_due() {
    let zone = Zone::serve().await;
    let limits = Limits { concurrent_lookups: 2, lookup_ms: 700, ..config().limits };
    let fetcher = Fetcher::new(FetchConfig { dns: vec![zone.address], limits, ..config() }).unwrap();
    fetcher.ask_ahead("silent.test".to_owned()).await;
    let second = fetcher.ask_ahead("silent.too.test".to_owned());
    tokio::pin!(second);
    tokio::select! {
        biased;
        () = &mut second => panic!("it did not wait"),
        due = resolve(&fetcher, "empty.test") => assert!(matches!(due, ResolveOutcome::Failed(_))),
    }
    second.await;
}

#[tokio::test]
async fn a_name_may_begin_with_a_hyphen() {
    let zone = Zone::serve().await;
    let fetcher = zone.fetcher(AddressPolicy::public());
    check_addresses(&fetcher, "-odd-.test", &["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
        .await;
}

#[tokio::test]
async fn private_answers_are_refused_and_mixed_ones_filtered() {
    let zone = Zone::serve().await;
    let public = zone.fetcher(AddressPolicy::public());
    check_refusal(&public, "private.test", FailureKind::AddressRefused, "169.254.169.254").await;
    check_addresses(&public, "rebind.test", &["93.184.215.14"]).await;
    check_refusal(&public, "localhost", FailureKind::AddressRefused, "127.0.0.1").await;
    let ours = zone.fetcher(AddressPolicy::new(vec!["127.0.0.0/8".parse().unwrap()]).unwrap());
    check_addresses(&ours, "rebind.test", &["127.0.0.1", "93.184.215.14"]).await;
}

/// DNS rebinding: whatever a name answered before, each answer is judged by itself, and a kept one does not turn.
#[tokio::test]
async fn a_name_that_turns_private_is_refused() {
    let zone = Zone::serve().await;
    let forgetful = Limits { names: 0, ..config().limits };
    let config = FetchConfig { dns: vec![zone.address], policy: AddressPolicy::public(), ..config() };
    let asks_each_time = Fetcher::new(FetchConfig { limits: forgetful, ..config.clone() }).unwrap();
    check_addresses(&asks_each_time, "turning.test", &["93.184.215.14"]).await;
    check_refusal(&asks_each_time, "turning.test", FailureKind::AddressRefused, "127.0.0.1").await;
    let zone = Zone::serve().await;
    let remembers = Fetcher::new(FetchConfig { dns: vec![zone.address], ..config }).unwrap();
    for _ in 0..2 {
        check_addresses(&remembers, "turning.test", &["93.184.215.14"]).await;
    }
}

#[tokio::test]
async fn failures_say_whose_fault_and_are_kept_too() {
    let zone = Zone::serve().await;
    let fetcher = zone.hasty_fetcher();
    check_refusal(&fetcher, "absent.test", FailureKind::NameNotFound, "absent.test").await;
    check_refusal(&fetcher, "empty.test", FailureKind::NameNotFound, "empty.test").await;
    check_refusal(&fetcher, "broken.test", FailureKind::NameServer, "broken.test").await;
    check_refusal(&fetcher, "silent.test", FailureKind::NameServer, "silent.test").await;
    let asked = zone.asked().len();
    check_refusal(&fetcher, "absent.test", FailureKind::NameNotFound, "absent.test").await;
    check_refusal(&fetcher, "silent.test", FailureKind::NameServer, "silent.test").await;
    assert_eq!(zone.asked().len(), asked);
}

#[tokio::test]
async fn a_family_nobody_answers_about_does_not_hide_the_other() {
    let zone = Zone::serve().await;
    let fetcher = zone.hasty_fetcher();
    check_addresses(&fetcher, "half.test", &["93.184.215.14"]).await;
    check_refusal(&fetcher, "lame.test", FailureKind::NameServer, "AAAA").await;
}

/// The answer about IPv4 is lost once, and that about IPv6 is of no use.
#[tokio::test]
async fn a_private_address_does_not_end_the_wait_for_a_public_one() {
    let zone = Zone::serve().await;
    check_addresses(&zone.fetcher(AddressPolicy::public()), "late.test", &["93.184.215.14"]).await;
}

/// The first upstream never answers; the second is asked, and after a few failures it is asked first.
#[tokio::test]
async fn another_upstream_is_asked_where_one_is_dead() {
    let (zone, dead) = (Zone::serve().await, UdpSocket::bind("127.0.0.1:0").await.unwrap());
    let refusing = dead.local_addr().unwrap();
    drop(dead);
    let config = FetchConfig {
        dns: vec![refusing, zone.address],
        policy: AddressPolicy::public(),
        families: Families::V4Only,
        ..config()
    };
    let fetcher = Fetcher::new(config).unwrap();
    check_addresses(&fetcher, "public.test", &["93.184.215.14"]).await;
    check_refusal(&fetcher, "absent.test", FailureKind::NameNotFound, "absent.test").await;
    assert_eq!(zone.asked(), ["A absent.test.", "A public.test."]);
}

#[tokio::test]
async fn one_family_only() {
    let zone = Zone::serve().await;
    let both = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];
    let cases = [
        (Families::V4Only, vec![both[0]]),
        (Families::V6Only, vec![both[1]]),
        (Families::V6First, vec![both[1], both[0]]),
    ];
    for (families, expected) in cases {
        let config = FetchConfig { dns: vec![zone.address], families, ..config() };
        check_addresses(&Fetcher::new(config).unwrap(), "public.test", &expected).await;
    }
}

#[tokio::test]
async fn literals_and_nonsense_ask_nobody() {
    let zone = Zone::serve().await;
    let fetcher = zone.fetcher(AddressPolicy::public());
    check_addresses(&fetcher, "1.1.1.1", &["1.1.1.1"]).await;
    check_addresses(&fetcher, "[2606:4700::1111]", &["2606:4700::1111"]).await;
    for host in ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "[fd00::1]", "0.0.0.0"] {
        check_refusal(&fetcher, host, FailureKind::AddressRefused, "not on the public internet").await;
    }
    let long_label = format!("{}.test", "a".repeat(64));
    for host in [long_label.as_str(), "a..test", "", "site.invalid", "site.onion"] {
        check_refusal(&fetcher, host, FailureKind::NameNotFound, "").await;
    }
    assert_eq!(zone.asked(), [""; 0]);
}

#[tokio::test]
async fn upstreams_that_tell_nothing_at_all_are_no_fault_of_a_name() {
    let silent = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let dead = UdpSocket::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let limits = Limits { lookup_ms: 300, ..config().limits };
    for dns in [dead, silent.local_addr().unwrap()] {
        let fetcher = Fetcher::new(FetchConfig { dns: vec![dns], limits, ..config() }).unwrap();
        check_refusal(&fetcher, "site.test", FailureKind::Local, "site.test").await;
    }
    let (zone, dns) = (Zone::serve().await, silent.local_addr().unwrap());
    let fetcher = Fetcher::new(FetchConfig { dns: vec![dns, zone.address], limits, ..config() }).unwrap();
    check_refusal(&fetcher, "silent.test", FailureKind::NameServer, "silent.test").await;
    assert!(zone.asked().contains(&"NS .".to_owned()), "{:?}", zone.asked());
}

#[test]
fn a_fetcher_needs_somebody_to_ask_and_a_name_of_its_own() {
    let nobody = FetchConfig { dns: Vec::new(), ..config() };
    assert!(matches!(Fetcher::new(nobody), Err(FetchError::NoUpstreams)));
    for user_agent in ["", "  ", "a\r\nX: y", "dr\u{fc}mlin"] {
        let nameless = FetchConfig { user_agent: user_agent.to_owned(), ..config() };
        assert!(matches!(Fetcher::new(nameless), Err(FetchError::UserAgent { .. })), "{user_agent:?}");
    }
}

#[test]
fn both_actions_can_move_between_threads() {
    fn assert_send<T: Send>(_: T) {}
    fn assert_sync<T: Sync>(_: &T) {}
    let fetcher = Fetcher::new(config()).unwrap();
    assert_sync(&fetcher);
    assert_send(fetcher.resolve(Ticket(1), "site.test", LookUp::Known));
    assert_send(fetcher.fetch(crate::support::job("http://site.test/", config().dns[0])));
}
