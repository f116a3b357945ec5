use crate::control::{Answer, Control, Reply, channel};
use crate::run::{Opening, Sight, run_opening};
use crate::{NodeConfig, NodeError};
use ::control::{Command, Refusal};
use crossbeam_channel::bounded;
use disk::SharedDisk;
use stdx::Watch;

/// Has a crawl that does not run do something: it is opened as for a run, contacts nobody, saves and leaves. What was
/// archived and not parsed yet is parsed on the way; only then is the corpus needed. Gives the answer, and how it was left: a command that is answered holds, even if
/// the crawl cannot be left as it should be.
pub fn order(
    config: &NodeConfig,
    disk: SharedDisk,
    command: Command,
    watch: &mut Watch<'_>,
) -> (Answer, Result<(), NodeError>) {
    let (reply, answer) = bounded(1);
    let reply: Reply = Box::new(move |answered| drop(reply.try_send(answered)));
    let left = visit(Opening::WhenNeeded, config, disk, Some(Control::Command { command, reply }), watch);
    (answer.try_recv().unwrap_or(Err(Refusal::Unanswered)), left)
}

/// Opens a crawl as for a run, tells it something, and has it save and leave.
pub(crate) fn visit(
    corpus_is_opened: Opening,
    config: &NodeConfig,
    disk: SharedDisk,
    word: Option<Control>,
    watch: &mut Watch<'_>,
) -> Result<(), NodeError> {
    let (sender, inbox) = channel();
    for control in word.into_iter().chain([Control::Drain]) {
        sender.try_send(control).expect("nobody else speaks here");
    }
    let nothing = Box::new(std::iter::empty());
    run_opening(corpus_is_opened, config, disk, nothing, &inbox, &mut |sight| match sight {
        Sight::Working(step) => watch(step),
        Sight::Crawling(_) | Sight::Commanded(_) => {}
    })
    .map(drop)
}
