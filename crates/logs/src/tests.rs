mod attempts;
mod events;
mod rotation;

use crawler::{Address, Attempt, Contact, End, Kind, Origin, PageSubject, Reach, Record, Response, Subject};
use std::net::Ipv4Addr;
use stdx::Timestamp;
use weburl::KeyHash;

/// A page two links from its seed, answered with 200 in 40 ms.
fn attempt() -> Attempt {
    let at = |ms: u64| Timestamp::from_ms(1_795_000_000_000 + ms);
    Attempt {
        subject: Subject::Page(PageSubject {
            key: KeyHash(7),
            depth: 2,
            hops: 0,
            attempts: 0,
            kind: Kind::Page,
            origin: Origin::Document("http://a.test/from".to_owned()),
        }),
        url: "http://a.test/page".to_owned(),
        contact: Some(Contact {
            address: Address { ip: Ipv4Addr::new(192, 0, 2, 1).into(), reach: Reach::Public },
            started: at(3),
            ended: at(43),
        }),
        at: at(43),
        end: End::Captured(Response {
            status: 200,
            bytes: 1234,
            content_type: Some("text/html".to_owned()),
            redirect: None,
            retry_after_ms: None,
            truncated: false,
        }),
    }
}

fn record(change: impl FnOnce(&mut Attempt)) -> Record {
    let mut attempt = attempt();
    change(&mut attempt);
    Record::Attempt { shard: 0, attempt }
}
