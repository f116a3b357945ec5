use super::examples::found;
use crate::Record;
use crate::exchange::Exchange;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};
use frontier::Origin;

/// Shard and number of discoveries of each record, in order.
fn delivered(sent: impl IntoIterator<Item = (u8, String)>) -> Vec<(u8, usize)> {
    let mut exchange = Exchange::default();
    for (shard, url) in sent {
        exchange.send(shard, found(&url, 1));
    }
    let record = |record| match record {
        Record::Received { shard, origin: Origin::Seed, discoveries, .. } => (shard, discoveries.len()),
        other => panic!("{other:?}"),
    };
    exchange.deliver(None, &Origin::Seed).map(record).collect()
}

#[test]
fn discoveries_go_by_shard() {
    let sent = [(9, "http://a.example/1"), (2, "http://b.example/"), (9, "http://a.example/2")];
    assert_eq!(delivered(sent.map(|(shard, url)| (shard, url.to_owned()))), [(2, 1), (9, 2)]);
    assert_eq!(delivered([]), []);
}

#[test]
fn a_record_has_its_limit_in_discoveries() {
    let most = DISCOVERIES_PER_RECORD;
    let sent = (0..=2 * most).map(|n| (3, format!("http://a.example/{n}")));
    assert_eq!(delivered(sent), [(3, most), (3, most), (3, 1)]);
}

#[test]
fn a_record_has_its_limit_in_bytes() {
    let sent = (0..1000).map(|n| (3, format!("http://a.example/{}{n}", "x".repeat(7000))));
    let records = delivered(sent);
    assert_eq!(records.iter().map(|(_, count)| count).sum::<usize>(), 1000);
    assert!(records.iter().all(|(_, count)| count * 7000 <= DISCOVERY_BYTES_PER_RECORD), "{records:?}");
    assert!(records.len() < 10);
}
