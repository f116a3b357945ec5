//! Who judges the judges of several nodes: somebody meddles with what nodes say to each other, as a bug in the node would,
//! and a judge must see what comes of it. This is the list of mutations of the exchange, the leases and the census; each
//! meddler stands for the bug that it is named after.

use cluster::{Batch, Envelope, Grant, LeaseEnd, Message, NodeId, Release, Rest, Standing};
use crawler::Exit;
use sim::{Cluster, Meddler, Mortality, Setup, Site, Weather};
use simweb::{Sizes, WebConfig};
use std::collections::BTreeMap;
use weburl::Scope;

fn site(seed: u64) -> Site {
    let sizes = Sizes { median: 2_000, mean: 3_000 };
    let config = WebConfig { domains: 12, addresses: 2, sizes, ..WebConfig::small(seed, 150) };
    Site::new(config.without_traps(), 4)
}

/// What the judges say of crawls with this meddler, until they say something; and that they say nothing without it.
#[track_caller]
fn check(meddler: fn() -> Meddler, sees: &str) {
    check_in(&Weather::WILD, meddler, sees);
}

#[track_caller]
fn check_in(weather: &Weather, meddler: fn() -> Meddler, sees: &str) {
    let crawl = |seed, meddler: Option<Meddler>| {
        let site = site(seed);
        let mortality = Mortality { deaths: 8, ms: 20_000, calls: 300, downtime_ms: 2_000 };
        let setup = Setup::new(&site, Scope::Any, seed);
        let mut cluster = Cluster::new(&site, &setup, 3, weather.clone(), seed).dying(mortality);
        if let Some(meddler) = meddler {
            cluster.wire.meddle(meddler);
        }
        let tries = (0..3).take_while(|_| cluster.finish() != Exit::Done).count();
        let mut wrong = cluster.judge_done();
        wrong.extend((tries == 3).then(|| "it comes to no end".to_owned()));
        wrong
    };
    assert_eq!(crawl(1, None), Vec::<String>::new(), "nothing is wrong before it is meddled with");
    let seen = (1..6).any(|seed| crawl(seed, Some(meddler())).iter().any(|wrong| wrong.contains(sees)));
    assert!(seen, "no judge sees it");
}

/// Speaks for nodes, in their present runs.
#[derive(Default)]
struct Forger {
    runs: BTreeMap<NodeId, u64>,
}

impl Forger {
    fn listen(&mut self, to: &Envelope) {
        self.runs.insert(to.from, to.run);
    }

    /// What the receiver of this would never have said.
    fn answer(&self, to: &Envelope, message: Message) -> Option<Envelope> {
        let run = *self.runs.get(&to.to)?;
        Some(Envelope { from: to.to, run, to: to.from, message })
    }
}

#[test]
fn a_batch_that_is_lost_although_it_was_acknowledged() {
    let lose = || -> Meddler {
        let mut forger = Forger::default();
        Box::new(move |envelope| {
            forger.listen(&envelope);
            let Message::Batch(batch) = &envelope.message else { return vec![envelope] };
            forger.answer(&envelope, Message::Acknowledged(vec![batch.number])).into_iter().collect()
        })
    };
    check(lose, "acknowledged, and not there");
    check(lose, "at depth");
}

#[test]
fn an_acknowledgement_before_the_batch_is_durable() {
    let hurry = || -> Meddler {
        let mut forger = Forger::default();
        Box::new(move |envelope| {
            forger.listen(&envelope);
            let Message::Batch(batch) = &envelope.message else { return vec![envelope] };
            let thanks = forger.answer(&envelope, Message::Acknowledged(vec![batch.number]));
            thanks.into_iter().chain([envelope]).collect()
        })
    };
    check(hurry, "acknowledged, and not there");
}

/// The receiver sees each batch under two numbers of its own, so that it does not know one for the other.
#[test]
fn a_batch_that_is_taken_as_often_as_it_comes() {
    let double = || -> Meddler {
        Box::new(|envelope| match &envelope.message {
            Message::Batch(batch) => {
                let under = |number| Message::Batch(Batch { number, ..batch.clone() });
                let twice = [under(2 * batch.number), under(2 * batch.number + 1)];
                twice.into_iter().map(|message| Envelope { message, ..envelope.clone() }).collect()
            }
            Message::Acknowledged(numbers) => {
                let message = Message::Acknowledged(numbers.iter().map(|number| number / 2).collect());
                vec![Envelope { message, ..envelope }]
            }
            _ => vec![envelope],
        })
    };
    check_in(&Weather::CALM, double, "taken, and never sent");
}

#[test]
fn a_batch_of_which_nothing_is_taken() {
    let empty = || -> Meddler {
        Box::new(|envelope| match &envelope.message {
            Message::Batch(batch) => {
                let nothing = vec![batch.body[0], 0, 0];
                vec![Envelope {
                    message: Message::Batch(Batch { body: nothing, ..batch.clone() }),
                    ..envelope
                }]
            }
            _ => vec![envelope],
        })
    };
    check(empty, "changed on its way");
}

#[test]
fn a_server_clock_that_every_node_keeps_for_itself() {
    let grant_everything = || -> Meddler {
        let mut forger = Forger::default();
        Box::new(move |envelope| {
            forger.listen(&envelope);
            let Message::Asks(asks) = &envelope.message else { return vec![envelope] };
            let grants = asks.iter().map(|ask| Grant { claim: ask.claim, waited_ms: 0 }).collect();
            forger.answer(&envelope, Message::Grants(grants)).into_iter().collect()
        })
    };
    check(grant_everything, "server");
}

#[test]
fn a_lease_that_is_given_back_as_if_it_had_not_been_used() {
    let deny = || -> Meddler {
        Box::new(|envelope| match envelope.message {
            Message::Releases(releases) => {
                let unused = |release: Release| Release { end: LeaseEnd::Unused, ..release };
                let message = Message::Releases(releases.into_iter().map(unused).collect());
                vec![Envelope { message, ..envelope }]
            }
            _ => vec![envelope],
        })
    };
    check(deny, "server");
}

#[test]
fn a_lease_that_is_given_back_while_its_contact_lasts() {
    let early = || -> Meddler {
        let mut forger = Forger::default();
        Box::new(move |envelope| {
            forger.listen(&envelope);
            let Message::Grants(grants) = &envelope.message else { return vec![envelope] };
            let end = LeaseEnd::Contacted { ago_ms: 0 };
            let releases = grants.iter().map(|grant| Release { claim: grant.claim, end }).collect();
            let early = forger.answer(&envelope, Message::Releases(releases));
            early.into_iter().chain([envelope]).collect()
        })
    };
    check(early, "server");
}

#[test]
fn a_census_that_counts_whoever_is_busy_as_at_rest() {
    let rest = || -> Meddler {
        Box::new(|envelope| match envelope.message {
            Message::Stands { round, .. } => {
                let standing = Standing { rest: Some(Rest::Done), entries: 1 };
                vec![Envelope { message: Message::Stands { round, standing }, ..envelope }]
            }
            _ => vec![envelope],
        })
    };
    check(rest, "left as done");
}
