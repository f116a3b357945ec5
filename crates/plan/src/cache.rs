//! What a cache of recent URLs in front of the disk brings, and what it costs (§V).

use crate::limits::BISECTIONS;

/// Theorem 4, equation (19): pages a second that the cache's processor time allows. `checks_per_s` (µ) is the cache's
/// speed on an idle server, `links` (l) the URLs of a page, `utilisation` (φ) the share of the server that crawling at
/// a rate takes: non-decreasing, reaching 1 at or below `most_pages_per_s`.
pub fn pages_per_s(
    checks_per_s: f64,
    links: f64,
    most_pages_per_s: f64,
    utilisation: impl Fn(f64) -> f64,
) -> f64 {
    let too_fast = |rate: f64| links * rate > checks_per_s * (1.0 - utilisation(rate));
    let (mut low, mut high) = (0.0, most_pages_per_s);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if too_fast(middle) { high = middle } else { low = middle }
    }
    low
}

/// Equation (21): the same where crawling takes a share in proportion, φ(S) = S/Smax.
pub fn pages_per_s_in_proportion(checks_per_s: f64, links: f64, most_pages_per_s: f64) -> f64 {
    checks_per_s * most_pages_per_s / (links * most_pages_per_s + checks_per_s)
}

/// How many URLs miss a cache of some size: a step function of the cache's elements over the URLs that arrive
/// between two visits to a host.
#[derive(Debug, Clone, Copy)]
pub struct MissRates<'a> {
    /// The steps.
    pub steps: &'a [MissRate],
    /// γ: bytes of a cache element.
    pub element_bytes: f64,
    /// τh·l: URLs that arrive between two visits to a host, for each page a second.
    pub links_between_visits: f64,
}

/// One step of [`MissRates`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MissRate {
    /// Holds for a cache of at least so many times the τh·l·S elements.
    pub from: f64,
    /// π: share of URLs that are not found.
    pub misses: f64,
}

/// Theorem 5, equation (22): pages a second that disk checks behind a cache of `cache_bytes` allow.
/// `disk_pages_per_s` gives the rate of equation (18) when a share π of the URLs goes to disk, that is
/// W / (π·α(πn, R − c)·b·l).
///
/// Where a faster crawl drops the hit rate by a step, the rate is that of the step's edge: h(x) jumps there.
pub fn hybrid_pages_per_s(
    rates: &MissRates<'_>,
    cache_bytes: f64,
    disk_pages_per_s: impl Fn(f64) -> f64,
) -> f64 {
    if cache_bytes == 0.0 {
        return disk_pages_per_s(1.0);
    }
    let elements = cache_bytes / rates.element_bytes;
    let at_step = |step: &MissRate| {
        let edge = elements / (step.from * rates.links_between_visits);
        disk_pages_per_s(step.misses).min(edge)
    };
    rates.steps.iter().map(at_step).fold(0.0, f64::max)
}
