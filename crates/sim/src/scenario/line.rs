//! A scenario as a line: seed, pages, faults, deaths, and what it is about unless that is a plain crawl.

use super::{Kind, Scenario};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What is no scenario.
#[derive(Debug, Error)]
#[error(
    "`{0}` is not a scenario: seed, pages, faults (nothing, network, deaths or everything), deaths, and perhaps a kind (plain, \
     tight, errands, deep, steered, set, dual, retold, moving, nodes or mixed)"
)]
pub struct NotAScenario(pub(super) String);

impl FromStr for Scenario {
    type Err = NotAScenario;
    fn from_str(line: &str) -> Result<Self, NotAScenario> {
        let wrong = || NotAScenario(line.to_owned());
        let words: Vec<&str> = line.split_whitespace().collect();
        let (seed, pages, faults, deaths, kind) = match words.as_slice() {
            [seed, pages, faults, deaths] => (seed, pages, faults, deaths, Kind::Plain),
            [seed, pages, faults, deaths, kind] => (seed, pages, faults, deaths, kind.parse()?),
            _ => return Err(wrong()),
        };
        Ok(Self {
            seed: seed.parse().map_err(|_| wrong())?,
            pages: pages.parse().map_err(|_| wrong())?,
            faults: faults.parse()?,
            deaths: deaths.parse().map_err(|_| wrong())?,
            kind,
        })
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {} {}", self.seed, self.pages, self.faults, self.deaths, self.kind)
    }
}
