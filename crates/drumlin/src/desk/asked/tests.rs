use super::{Asked, open};
use control::{Command, Refusal};
use crossbeam_channel::RecvTimeoutError;

#[test]
fn only_a_crawl_that_has_ended_leaves_a_command_unanswered() {
    assert_eq!(open(RecvTimeoutError::Timeout), Refusal::Busy);
    let (sender, inbox) = node::channel();
    let ending = std::thread::spawn(move || drop(inbox.recv().expect("a command")));
    assert_eq!(Asked::running(sender).tell(Command::Pause), Err(Refusal::Unanswered));
    ending.join().expect("it has ended");
}
