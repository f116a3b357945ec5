use super::Vigil;
use crate::NodeError;
use crate::examples::report;
use crate::executor::Message;

#[test]
fn a_thread_that_panics_ends_the_node_by_its_name() {
    let (report, messages) = report();
    let thread = Vigil::over("work", &report).spawn(|| panic!("a merge that cannot be")).unwrap();
    assert!(thread.join().is_err());
    let message = messages.try_recv().unwrap();
    assert!(matches!(message, Message::Failed(NodeError::ThreadLost("work"))));
}

#[test]
fn a_thread_that_comes_to_its_end_says_nothing() {
    let (report, messages) = report();
    Vigil::over("work", &report).spawn(|| {}).unwrap().join().unwrap();
    assert!(messages.is_empty());
}
