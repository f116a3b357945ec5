use crate::config::{Farms, WebConfig};
use crate::draw::{Purpose, draw};
use crate::host::{HostId, is_farm, is_ring};
use crate::limits;

/// How many hosts a domain has and how many pages a host: by power law, each in constant time.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    skew: f64,
    /// Pages of a domain of weight 1.
    unit: f64,
}

/// Domains whose weights are summed one by one; the tail is an integral.
const SUMMED: u32 = 1 << 20;

impl Layout {
    pub(crate) fn new(config: &WebConfig) -> Self {
        let head: f64 = (0..config.domains.min(SUMMED)).map(|domain| weight(domain, config.skew)).sum();
        let total = head + tail(config);
        Self { skew: config.skew, unit: config.pages as f64 / total }
    }

    /// Hosts of a domain, the bare domain not counted.
    pub(crate) fn hosts(&self, config: &WebConfig, domain: u32) -> u32 {
        if is_farm(config, domain) {
            return farms_of(config, domain).hosts;
        }
        let most = (self.ordinary_pages(domain) / config.host_pages).min(limits::HOSTS_PER_DOMAIN - 1);
        let share = draw(config.seed, Purpose::HostCount, u64::from(domain), 0).unit();
        1 + (share * (most + 1) as f64) as u32
    }

    /// Pages of a host; 0 for a host that is not there. The bare domain has none of its own.
    pub(crate) fn pages(&self, config: &WebConfig, id: HostId) -> u64 {
        let hosts = self.hosts(config, id.domain);
        if id.host >= hosts {
            return 0;
        }
        if is_farm(config, id.domain) {
            return u64::from(farms_of(config, id.domain).pages);
        }
        let all = self.ordinary_pages(id.domain);
        let others = u64::from(hosts - 1);
        let each = (all / 2).checked_div(others).unwrap_or(0).max(1);
        match id.host {
            0 => all.saturating_sub(each * others).max(1) + giant(config, id.domain),
            _ => each,
        }
    }

    fn ordinary_pages(&self, domain: u32) -> u64 {
        ((self.unit * weight(domain, self.skew)).round() as u64).max(1)
    }
}

/// The kind of farm that a domain of one belongs to.
fn farms_of(config: &WebConfig, domain: u32) -> Farms {
    if is_ring(config, domain) { config.rings } else { config.farms }
}

fn weight(domain: u32, skew: f64) -> f64 {
    (f64::from(domain) + 2.0).powf(-skew)
}

/// ∫ (x+2)^-skew dx from `SUMMED` to the number of domains.
fn tail(config: &WebConfig) -> f64 {
    let (from, to) = (f64::from(SUMMED) + 2.0, f64::from(config.domains) + 2.0);
    if config.domains <= SUMMED {
        return 0.0;
    }
    if (config.skew - 1.0).abs() < 1e-9 {
        return (to / from).ln();
    }
    let power = 1.0 - config.skew;
    (to.powf(power) - from.powf(power)) / power
}

fn giant(config: &WebConfig, domain: u32) -> u64 {
    if domain == giant_domain(config) { config.giant_pages } else { 0 }
}

/// The domain whose first host is the giant.
pub(crate) fn giant_domain(config: &WebConfig) -> u32 {
    1.min(config.domains - 1)
}
