use crate::Fuzz;
use crate::limits::HANG;
use crate::mutation::Mutation;
use crate::pool::Pool;
use crate::shrink::shrink;
use crate::until::spent;
use crate::watch::Watch;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use stdx::Rng;

#[test]
fn a_failing_input_is_found_and_made_short() {
    let bang = |input: &[u8]| assert!(!input.contains(&b'!'));
    let run = || Fuzz::new("bang").seeds(["quiet words"]).words(&["!"]).run(bang);
    let said = catch_unwind(run).unwrap_err();
    assert_eq!(said.downcast_ref::<String>().unwrap(), "bang fails on b\"!\"");
}

#[test]
fn runs_of_fixed_length_are_alike() {
    let seen = || {
        let seen = RefCell::new(Vec::new());
        let take = AssertUnwindSafe(|input: &[u8]| seen.borrow_mut().push(input.to_vec()));
        Fuzz::new("seen").seeds(["abc"]).executions(100).most_bytes(20).run(|input| take(input));
        seen.into_inner()
    };
    let first = seen();
    assert_eq!(first, seen());
    assert_eq!(first.len(), 2 + 100, "both seeds and the mutations");
    assert!(first.iter().all(|input| input.len() <= 20) && first.contains(&b"abc".to_vec()));
}

#[test]
fn an_execution_that_does_not_end_is_shown() {
    let watch = Watch::over("spin");
    watch.begin(b"first");
    watch.begin(b"input");
    assert_eq!(watch.hangs_at(spent()), None);
    assert_eq!(watch.hangs_at(spent() + HANG + Duration::from_secs(1)), Some(b"input".to_vec()));
}

#[test]
fn mutations_differ() {
    let (mutation, mut rng) = (Mutation { words: &[b"word".to_vec()], most_bytes: 100 }, Rng::new(1));
    let made: std::collections::BTreeSet<_> =
        (0..100).map(|_| mutation.mutate(b"one", b"two", &mut rng)).collect();
    assert!(made.len() > 50, "{}", made.len());
}

#[test]
fn a_pool_is_bounded_and_keeps_its_seeds() {
    let mut pool = Pool::new(vec![b"seed".to_vec()]);
    for number in 0..10_000_u32 {
        pool.keep(number.to_le_bytes().to_vec());
    }
    assert_eq!(pool.seeds(), [b"seed".to_vec(), Vec::new()]);
}

#[test]
fn shrinking_leaves_what_matters() {
    let fails = |input: &[u8]| input.starts_with(b"a") && input.ends_with(b"z");
    assert_eq!(shrink(b"a0123456789z", fails), b"az");
    assert_eq!(shrink(b"", |_| true), b"");
}
