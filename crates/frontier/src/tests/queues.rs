//! The queues of a host by themselves: what is taken out of them, lent and given back is counted, and the rest stays in order.

use crate::held::Retries;
use crate::lane::{Lane, Next, Returned, Tail};
use crate::{Kind, Origin, Pending};
use stdx::Timestamp;
use weburl::KeyHash;

fn pending(n: u64) -> Pending {
    Pending {
        key: KeyHash(n),
        url: format!("http://a.example/{}", "x".repeat(n as usize)),
        depth: 1,
        hops: 0,
        attempts: 0,
        kind: Kind::Page,
        due: Timestamp::ZERO,
        order: n,
        origin: Origin::Seed,
    }
}

fn lane(urls: std::ops::Range<u64>) -> Lane {
    let mut lane = Lane::default();
    urls.for_each(|n| lane.push(pending(n)));
    lane
}

/// Takes out all that it has, which must be these, and as many bytes as they have.
#[track_caller]
fn check(mut lane: Lane, expected: impl IntoIterator<Item = u64>) {
    let mut came = Vec::new();
    loop {
        let held: u64 = lane.in_memory().map(Pending::bytes).sum();
        assert_eq!((lane.bytes(), lane.len()), (held, lane.in_memory().count() as u64));
        match lane.next() {
            Next::Here(pending) => came.push(pending.key.0),
            Next::None => break,
            Next::OnDisk(section) => panic!("{section:?}"),
        }
    }
    assert_eq!(came, expected.into_iter().collect::<Vec<u64>>());
}

#[test]
fn what_is_taken_out_is_not_counted_any_more() {
    let mut lane = lane(0..6);
    assert_eq!(lane.remove(KeyHash(3)).map(|pending| pending.key), Some(KeyHash(3)));
    assert!(lane.remove(KeyHash(3)).is_none());
    let mut gone = Vec::new();
    lane.extract(|pending| pending.key.0 % 2 == 0, &mut gone);
    assert_eq!(gone.iter().map(|pending| pending.key.0).collect::<Vec<_>>(), [0, 2, 4]);
    check(lane, [1, 5]);
}

#[test]
fn a_head_that_is_cut_keeps_its_first_and_the_rest_may_be_written() {
    for (count, kept) in [(2, 2), (9, 6)] {
        let mut lane = lane(0..6);
        lane.cut_head(count);
        assert_eq!((lane.head.len(), lane.tail.len()), (kept, 6 - kept));
        check(lane, 0..6);
    }
}

#[test]
fn what_comes_while_a_job_has_the_tail_stands_behind_it() {
    let lent = || {
        let mut lane = lane(0..4);
        lane.cut_head(1);
        lane.lend(0);
        lane.push(pending(6));
        lane
    };
    let mut abandoned = lent();
    abandoned.take_back();
    check(abandoned, [0, 1, 2, 3, 6]);
    for (tail, expected) in [(Tail::Kept, vec![0, 1, 2, 3, 4, 5, 6]), (Tail::Written, vec![0, 4, 5, 6])] {
        let mut lane = lent();
        lane.take_back_as(Returned { sections: Vec::new(), tail }, [pending(4), pending(5)]);
        check(lane, expected);
    }
}

#[test]
fn what_is_tried_again_is_counted_until_it_is_taken_out() {
    let mut retries = Retries::default();
    for n in 0..4 {
        retries.insert(Pending { due: Timestamp::from_ms(10 * n), ..pending(n) });
    }
    let check = |retries: &Retries, left: &[u64]| {
        assert_eq!(retries.iter().map(|pending| pending.key.0).collect::<Vec<_>>(), left);
        assert_eq!(retries.bytes(), retries.iter().map(Pending::bytes).sum::<u64>());
    };
    assert_eq!(retries.pop_due(Timestamp::from_ms(9)).map(|pending| pending.key), Some(KeyHash(0)));
    assert!(retries.pop_due(Timestamp::from_ms(9)).is_none());
    check(&retries, &[1, 2, 3]);
    retries.remove(KeyHash(2));
    check(&retries, &[1, 3]);
    retries.extract(|pending| pending.key.0 == 1, &mut Vec::new());
    check(&retries, &[3]);
    assert_eq!(retries.due(), Some(Timestamp::from_ms(30)));
}
