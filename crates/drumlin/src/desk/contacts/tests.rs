use super::Contacts;
use crate::desk::Seen;
use archive::Entry;
use crawler::{
    Address, Attempt, Contact, DelayPolicy, End, Failure, FailureKind, Promise, Reach, Record, Stop, Subject,
};
use node::Witness;
use std::net::{IpAddr, Ipv4Addr};
use stdx::Timestamp;

const DELAY_MS: u64 = 1_000;

fn promise() -> Promise {
    Promise {
        began: Timestamp::ZERO,
        stop: Stop::Clean,
        delay: DelayPolicy { host_ms: DELAY_MS, ..DelayPolicy::default() },
        server_ms: 250,
        server_floor_ms: 100,
        overload_ms: 60_000,
        fetch_ms: 60_000,
        agent: "drumlin".to_owned(),
    }
}

/// A contact with a host of this name, begun at this moment, that failed after 10 ms.
fn contact(host: &str, started_ms: u64) -> Entry {
    let (started, ended) = (Timestamp::from_ms(started_ms), Timestamp::from_ms(started_ms + 10));
    let ip = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    let attempt = Attempt {
        subject: Subject::Robots { authority: format!("http://{host}") },
        url: format!("http://{host}/robots.txt"),
        contact: Some(Contact { address: Address { ip, reach: Reach::Public }, started, ended }),
        at: ended,
        end: End::Failed(Failure { kind: FailureKind::Disconnected, detail: "it hung up".to_owned() }),
    };
    Entry { record: Record::Attempt { shard: 0, attempt }.encode(), capture: None }
}

#[test]
fn a_contact_is_shown_with_the_delay_that_applied() {
    let (seen, mut contacts) = (Seen::default(), Contacts::new(promise()));
    seen.committed(0, &[contact("a.example", 10_000), contact("b.example", 10_500)]);
    contacts.catch_up(&seen);
    seen.committed(2, &[contact("a.example", 11_100)]);
    contacts.catch_up(&seen);
    let latest = contacts.latest();
    let shown: Vec<_> = latest.iter().map(|c| (c.host.as_str(), c.delay, c.to_spare_ms)).collect();
    assert_eq!(
        shown,
        [
            ("a.example", "host-delay", Some(90)),
            ("b.example", "server-delay", Some(240)),
            ("a.example", "first", None),
        ]
    );
}

#[test]
fn after_a_gap_no_delay_is_made_up() {
    let (seen, mut contacts) = (Seen::default(), Contacts::new(promise()));
    seen.committed(0, &[contact("a.example", 10_000)]);
    contacts.catch_up(&seen);
    let others: Vec<Entry> =
        (0..5_000).map(|n| contact(&format!("h{n}.example"), 20_000 + 400 * n)).collect();
    seen.committed(1, &others);
    contacts.catch_up(&seen);
    let latest = contacts.latest();
    assert!(latest.iter().all(|c| c.delay == "server-delay"), "they share a server and are new otherwise");
}

#[test]
fn what_went_wrong_is_listed_latest_first() {
    let (seen, mut contacts) = (Seen::default(), Contacts::new(promise()));
    seen.committed(0, &[contact("a.example", 10_000), contact("b.example", 20_000)]);
    contacts.catch_up(&seen);
    let failures = contacts.failures();
    assert_eq!(failures[0].url, "http://b.example/robots.txt");
    assert_eq!((failures[1].at_ms, failures[1].cause.as_str()), (10_010, "disconnected"));
}
