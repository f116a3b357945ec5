use crate::query::{HostQuery, Subject};
use crate::view::{AttemptSeen, ContactSeen, Hosts, Output, PageSeen, Standing, Traps};
use control::{Changes, Command, Receipt, Refusal};
use serde_json::Value;
use thiserror::Error;

/// Where a crawl is asked and told. Methods are called on threads that may wait, and wait no longer than a few seconds, of a
/// command twenty; none of them gives more than fits into one answer.
pub trait Desk: Send + Sync {
    /// Where the crawl stands. At once, whatever it is doing; [`Unanswered::Recovering`] until it has said so for the first time.
    fn standing(&self) -> Result<Standing, Unanswered>;

    /// What is known of a URL or a host, and which rule decided.
    fn explain(&self, subject: &Subject) -> Result<Value, Unanswered>;

    /// A page of the hosts table.
    fn hosts(&self, query: &HostQuery) -> Result<Hosts, Unanswered>;

    /// What traps have held back, and whose.
    fn traps(&self) -> Result<Traps, Unanswered>;

    /// Settings that commands have set, as far as it holds.
    fn settings(&self) -> Result<Changes, Unanswered>;

    /// Pages parsed lately, the latest first, but for those that were taken down since.
    fn pages(&self) -> Result<Vec<PageSeen>, Unanswered>;

    /// Attempts that went wrong lately, the latest first.
    fn failures(&self) -> Vec<AttemptSeen>;

    /// The latest contacts, the latest first.
    fn contacts(&self) -> Vec<ContactSeen>;

    /// What the crawl has made so far.
    fn outputs(&self) -> Vec<Output>;

    /// Has something done. The only thing here that changes anything.
    fn command(&self, command: Command) -> Result<Receipt, Refusal>;

    /// Called once a second, for whatever must not wait until somebody asks.
    fn tick(&self) {}
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unanswered {
    /// The crawl has other things to do.
    #[error("the crawl is busy and did not answer in time; ask again")]
    Busy,
    /// It has not begun: its numbers are not zero, but unknown.
    #[error("the crawl is being recovered and does not run yet; ask again")]
    Recovering,
    /// There is no crawl any more.
    #[error("the crawl has ended")]
    Gone,
    /// What was asked makes no sense.
    #[error("{0}")]
    Malformed(String),
    /// Its files could not be read.
    #[error("the crawl's files could not be read: {0}")]
    Unreadable(String),
}
