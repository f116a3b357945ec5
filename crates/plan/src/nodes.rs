use crate::cache;
use crate::inputs::{InputError, Inputs};
use crate::limits::NODES_MAX;
use crate::urlseen::{alpha_drum, pages_per_s};
use serde::Serialize;
use std::fmt;

/// What can keep a node from going faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Fetching, parsing and cache look-ups (Theorem 4).
    Processor,
    /// Bits on the wire.
    Network,
    /// Checking URLs on disk (Theorems 2 and 3).
    UrlChecks,
    /// Writing archive and corpus, moving deferred URLs (Theorem 7).
    OtherDisk,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Processor => "processor",
            Self::Network => "network",
            Self::UrlChecks => "URL checks on disk",
            Self::OtherDisk => "archive and queues on disk",
        })
    }
}

/// Nodes that each resource asks for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// By processor.
    pub processor: u64,
    /// By network.
    pub network: u64,
    /// By URL checks.
    pub url_checks: u64,
    /// By the rest of the disk traffic.
    pub other_disk: u64,
}

impl Bounds {
    /// Of a crawl that receives `net_bits_per_s` and moves `other_disk_bytes_per_s` besides URL checks.
    pub(crate) fn of(
        inputs: &Inputs,
        net_bits_per_s: f64,
        other_disk_bytes_per_s: f64,
    ) -> Result<Self, InputError> {
        let other_disk = inputs.disk_bytes_per_s * (1.0 - inputs.disk_share);
        Ok(Self {
            processor: nodes(inputs, inputs.pages_per_s() / processor_pages_per_s(inputs))?,
            network: nodes(inputs, net_bits_per_s / (inputs.net_bits_per_s * inputs.load))?,
            url_checks: url_check_nodes(inputs)?,
            other_disk: nodes(inputs, other_disk_bytes_per_s / (other_disk * inputs.load))?,
        })
    }

    /// Nodes that satisfy all.
    pub fn nodes(&self) -> u64 {
        self.processor.max(self.network).max(self.url_checks).max(self.other_disk)
    }

    /// What asks for the most nodes; the first named of equals.
    pub fn binding(&self) -> Bound {
        let all = [
            (Bound::Processor, self.processor),
            (Bound::Network, self.network),
            (Bound::UrlChecks, self.url_checks),
            (Bound::OtherDisk, self.other_disk),
        ];
        let most = self.nodes();
        all.into_iter().find(|&(_, nodes)| nodes == most).map_or(Bound::Processor, |(bound, _)| bound)
    }
}

/// Pages a second of one node by its processor, cache look-ups included: (21) with Smax = cores / time of a page.
pub(crate) fn processor_pages_per_s(inputs: &Inputs) -> f64 {
    let most = inputs.cores * 1e3 / inputs.cpu_ms_per_page;
    let checks_per_s = inputs.cores * inputs.cache_checks_per_s;
    inputs.load * cache::pages_per_s_in_proportion(checks_per_s, inputs.links, most)
}

/// Pages a second of one node out of `nodes` by (18), at `alpha`.
pub(crate) fn checked_pages_per_s(inputs: &Inputs, alpha: f64) -> f64 {
    let disk_rate = inputs.disk_bytes_per_s * inputs.disk_share;
    pages_per_s(disk_rate, alpha, inputs.url_bytes, inputs.links * inputs.misses)
}

/// URLs that a node out of `nodes` checks on disk during the crawl.
pub(crate) fn checks_per_node(inputs: &Inputs, nodes: f64) -> f64 {
    inputs.pages * inputs.links * inputs.misses / nodes
}

/// More nodes have a smaller seen-set each, so that both their rate and their number grow: bisection finds the least.
fn url_check_nodes(inputs: &Inputs) -> Result<u64, InputError> {
    let (mut low, mut high) = (0, NODES_MAX);
    if !keeps_up(inputs, high) {
        return Err(InputError::TooFast { pages_per_s: inputs.pages_per_s() });
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if keeps_up(inputs, middle) { high = middle } else { low = middle }
    }
    Ok(high)
}

fn keeps_up(inputs: &Inputs, nodes: u64) -> bool {
    let nodes = nodes as f64;
    let alpha = alpha_drum(&inputs.stream(nodes), &inputs.drum_space(), checks_per_node(inputs, nodes));
    nodes * checked_pages_per_s(inputs, alpha) >= inputs.pages_per_s()
}

fn nodes(inputs: &Inputs, quotient: f64) -> Result<u64, InputError> {
    if quotient <= NODES_MAX as f64 {
        Ok((quotient.ceil() as u64).max(1))
    } else {
        Err(InputError::TooFast { pages_per_s: inputs.pages_per_s() })
    }
}
