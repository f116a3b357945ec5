//! Any steps, in any order, against the model.

use super::model::{Caller, Step};
use disk::{MemDisk, SharedDisk};
use proptest::prelude::*;
use std::sync::Arc;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0u8..4, any::<u64>()).prop_map(|(queue, seed)| Step::Append { queue, seed }),
        1 => Just(Step::Flush),
        4 => any::<u64>().prop_map(|nth| Step::TakeHead { nth }),
        3 => any::<u64>().prop_map(|seed| Step::StartJob { seed }),
        3 => Just(Step::FinishJob),
        1 => Just(Step::AbandonJob),
        2 => Just(Step::Cut),
        2 => Just(Step::Commit),
    ]
}

fn run(caller: &mut Caller, steps: &[Step]) {
    for step in steps {
        caller.step(*step).unwrap();
        caller.check();
    }
}

fn check(before: &[Step], after: &[Step]) {
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut caller = Caller::start(disk.clone()).unwrap();
    run(&mut caller, before);
    let mut reopened = Caller::recover(disk, caller.saved);
    assert_eq!(reopened.model, reopened.saved.last().cloned().unwrap_or_default());
    reopened.check();
    run(&mut reopened, after);
    reopened.check_nothing_is_left_behind();
    reopened.check();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn behaves_as_maps_and_queues(
        before in proptest::collection::vec(step(), 0..60),
        after in proptest::collection::vec(step(), 0..60),
    ) {
        check(&before, &after);
    }
}
