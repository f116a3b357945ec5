//! The contacts of a crawl as a ledger, and the judge who says from it whether a promise was broken.
//!
//! * [`read`]: an entry of the journal as a [line](Line) of the ledger: a contact, the rules of a host, what a run promised.
//! * [`Judge`]: contact after contact, which delay applied and whether anything was broken. It has its own idea of what was
//!   promised ([`limits`], [`Terms`]) and shares none with the code that kept it.
//! * [`audit()`]: the whole journal, in bounded memory: as often as is needed, a share of the domains each time.
//! * [`Request`]: a line of a server's log, of nginx or of simweb. [`compare()`]: the ledger against such a log, whose clock is
//!   another and may tell whole seconds only.
//!
//! It reads; it opens nothing and changes nothing.

mod answers;
mod audit;
mod clocks;
mod compare;
mod contact;
mod exclusions;
mod finding;
mod held;
mod judge;
pub mod limits;
mod matching;
mod offset;
mod promises;
mod request;
mod rules;
mod runs;
mod server_clock;
mod starts;
mod terms;

pub use audit::{Audit, AuditError, Pass, audit};
pub use compare::{Comparison, ServerLog, compare};
pub use contact::{Contact, Line, Lost, read};
pub use exclusions::Exclusion;
pub use finding::{Breach, Finding, Findings, Place};
pub use judge::{Attention, Counts, Judge};
pub use offset::Offset;
pub use request::{Request, Span, Unreadable};
pub use terms::{Applied, Clause, Terms};

#[cfg(test)]
mod tests;
