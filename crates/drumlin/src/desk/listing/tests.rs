use super::{Gathered, Holds, LISTED_MOST, Lies, Listed};
use crawler::{Doing, HostFacts, WaitingFor};
use stdx::Timestamp;

fn host(n: usize) -> Listed {
    let facts = HostFacts {
        name: format!("h{n}.example"),
        doing: Doing::Sleep,
        barred: None,
        until: Timestamp::ZERO,
        waits_for: WaitingFor::Delay,
        pending: 1,
        deferred: 0,
        contacts: 0,
        last_response_ms: 0,
        failures: 0,
        crawl_delay_ms: None,
        address: None,
    };
    Listed { facts, lies: Lies::OnDisk }
}

#[test]
fn a_list_that_is_full_says_that_it_is_a_sample() {
    let mut gathered = Gathered::default();
    for n in 0..LISTED_MOST {
        assert!(gathered.has_room());
        gathered.hosts.push(host(n));
    }
    assert_eq!(gathered.holds, Holds::All, "so many fit");
    assert!(!gathered.has_room());
    assert_eq!(gathered.holds, Holds::Sample);
}

#[test]
fn a_list_takes_no_more_memory_than_is_said() {
    assert!(size_of::<Listed>() + 24 <= 160, "{} bytes a host", size_of::<Listed>());
}
