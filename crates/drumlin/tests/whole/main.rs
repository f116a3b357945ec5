//! The whole program over real sockets: crawls of servers that say what they saw, judged from the servers' logs and from
//! what the crawls left on disk, never from what the program says of itself.
//!
//! * [`sites`]: real documentation trees behind nginx, against the truth about them and against wget.
//! * [`judges`]: other people's readers on what a crawl wrote.
//! * [`duplicates`]: which pages say nearly the same, by another program.
//! * [`again`]: crawls that look back on an earlier one.
//! * [`audit`]: what `drumlin audit` says of crawls that were honest, and of ledgers and logs that were forged.
//! * [`export`]: what is made of a crawl for other tools, read by them.
//! * [`kill`]: crawls that are killed again and again.
//! * [`memory`]: a crawl under a hard limit of the kernel's.
//! * [`logs`]: the lines of a crawl that was killed.
//! * [`looking`]: what is left by those who only look at a crawl: nothing.
//! * [`dashboard`]: a crawl that runs is looked at and spoken to over its socket and over loopback.
//! * [`newcomer`]: the commands of the README, one after the other.
//! * [`status`]: crawls that stall, and whether the cause is named.
//! * [`report`]: the numbers of a crawl beside what the server saw.
//! * [`preferences`]: what owners say of uses, read from the corpus.
//! * [`purged`]: other people's readers on an archive that something was purged from.
//! * [`revisits`]: revisit records of both profiles, replayed.
//! * [`signatures`]: signed requests, verified by another implementation.
//! * [`hostile`]: hosts at their worst, and an honest one among them.
//! * [`redirects`], [`politeness`], [`bounds`]: servers of a few lines, one behaviour each.
//!
//! `DRUMLIN_NIGHTLY=1` runs the long forms.

mod again;
mod audit;
mod bounds;
mod dashboard;
mod duplicates;
mod export;
mod hostile;
mod judges;
mod kill;
mod logs;
mod lookback;
mod looking;
mod memory;
mod newcomer;
mod politeness;
mod preferences;
mod purged;
mod redirects;
mod report;
mod revisits;
mod signatures;
mod sites;
mod status;
mod support;
