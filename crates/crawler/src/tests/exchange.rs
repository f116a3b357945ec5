use super::examples::found;
use crate::exchange::Exchange;
use crate::limits::{DISCOVERIES_PER_RECORD, DISCOVERY_BYTES_PER_RECORD};

/// Shards and number of discoveries of each record, in order, where shards below 100 are this node's.
fn delivered(sent: impl IntoIterator<Item = (u8, String)>) -> Vec<(Vec<u8>, usize)> {
    let mut exchange = Exchange::default();
    for (shard, url) in sent {
        exchange.send(shard, (&found(&url, 1)).into());
    }
    let record = |record: crate::Discoveries| {
        (record.by_shard().map(|of_shard| of_shard.shard).collect(), record.len())
    };
    exchange.deliver(|shard| shard < 100).into_iter().map(record).collect()
}

#[test]
fn discoveries_of_this_node_go_together_and_others_by_shard() {
    let sent = [9, 200, 2, 9, 100, 200].map(|shard| (shard, format!("http://{shard}.example/")));
    assert_eq!(delivered(sent), [(vec![2, 9], 3), (vec![100], 1), (vec![200], 2)]);
    assert_eq!(delivered([]), []);
}

#[test]
fn a_record_has_its_limit_in_discoveries() {
    let most = DISCOVERIES_PER_RECORD;
    let sent = (0..=2 * most).map(|n| (n as u8 % 2, format!("http://a.example/{n}")));
    let records = delivered(sent);
    assert_eq!(records.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [most, most, 1]);
    assert_eq!(
        records.iter().map(|(shards, _)| shards.clone()).collect::<Vec<_>>(),
        [vec![0], vec![0, 1], vec![1]]
    );
}

#[test]
fn a_record_has_its_limit_in_bytes() {
    let sent = (0..1000).map(|n| (3, format!("http://a.example/{}{n}", "x".repeat(7000))));
    let records = delivered(sent);
    assert_eq!(records.iter().map(|(_, count)| count).sum::<usize>(), 1000);
    assert!(records.iter().all(|(_, count)| count * 7000 <= DISCOVERY_BYTES_PER_RECORD), "{records:?}");
    assert!(records.len() < 10);
}
