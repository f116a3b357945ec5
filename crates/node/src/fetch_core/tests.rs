use super::answer;
use crate::NodeError;
use crate::examples::report;
use crate::executor::Message;
use crawler::Event;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_local};

/// What the loop hears of a task that ends like this.
fn check(performed: impl Future<Output = Result<Event, NodeError>> + 'static) -> Message {
    let (report, messages) = report();
    let runtime = Builder::new_current_thread().build().unwrap();
    let task = async { spawn_local(answer(report, performed)).await };
    drop(LocalSet::new().block_on(&runtime, task));
    messages.try_recv().unwrap()
}

#[test]
fn a_task_that_panics_ends_the_node() {
    let message = check(async { panic!("a head that cannot be") });
    assert!(matches!(message, Message::Failed(NodeError::ThreadLost("fetch"))));
}

#[test]
fn a_task_that_ends_well_is_an_event() {
    assert!(matches!(check(async { Ok(Event::Drain) }), Message::Event(Event::Drain)));
}
