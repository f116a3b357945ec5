use crate::character::{Character, Scheme, character, robots, scheme};
use crate::config::WebConfig;
use crate::host::{HostId, all_domains, read_name, write_name};
use crate::layout::{Layout, giant_domain};
use crate::place::{Place, What};
use crate::robots::{RobotsClass, Verdict};
use crate::url::Parts;

/// A whole web. It holds nothing but its configuration: every answer is computed when it is asked for,
/// in time that does not depend on the size of the web, and the same question has the same answer in
/// every process.
#[derive(Debug, Clone)]
pub struct Web {
    pub(crate) config: WebConfig,
    pub(crate) layout: Layout,
}

/// A place that was asked for.
pub(crate) struct Met {
    pub(crate) place: Place,
    /// Its host's.
    pub(crate) character: Character,
}

/// A page's distance from its parent in the tree that makes every page reachable.
const FAN: std::ops::RangeInclusive<u64> = 2..=20;

impl Web {
    /// The web of a configuration. Panics if that makes none: no domain, no page, no address, fewer than two
    /// links a page, a mean size below the median.
    pub fn new(config: WebConfig) -> Self {
        config.check();
        let layout = Layout::new(&config);
        Self { config, layout }
    }

    /// What this web is a function of.
    pub fn config(&self) -> &WebConfig {
        &self.config
    }

    /// The front page of the first `count` ordinary domains; from the first one alone all others are reachable.
    pub fn seeds(&self, count: u32) -> Vec<String> {
        (0..count.min(self.config.domains))
            .map(|domain| self.url_of(&self.front(HostId::www(domain))))
            .collect()
    }

    /// The front page of a host.
    pub fn root_of(&self, host: HostId) -> String {
        self.url_of(&self.front(host))
    }

    /// Every host, domain by domain: its bare domain last. Up to millions; an iterator for that reason.
    pub fn hosts(&self) -> impl Iterator<Item = HostId> + '_ {
        (0..all_domains(&self.config)).flat_map(|domain| {
            let hosts = self.layout.hosts(&self.config, domain);
            (0..hosts).chain([HostId::APEX]).map(move |host| HostId { domain, host })
        })
    }

    /// The host of a name (any case), or `None` if it is none of this web's.
    pub fn host(&self, name: &str) -> Option<HostId> {
        let id = if name.bytes().any(|b| b.is_ascii_uppercase()) {
            read_name(&self.config, &name.to_ascii_lowercase())?
        } else {
            read_name(&self.config, name)?
        };
        (id.host == HostId::APEX || id.host < self.layout.hosts(&self.config, id.domain)).then_some(id)
    }

    /// The name of a host: `www.harbour12.test`. Its registrable domain is the last two labels.
    pub fn name_of(&self, host: HostId) -> String {
        let mut name = String::with_capacity(32);
        write_name(&self.config, host, &mut name);
        name
    }

    /// What a host is like.
    pub fn character(&self, host: HostId) -> Character {
        character(&self.config, host)
    }

    /// How many ordinary pages a host shows; a mirror as many as its original, a bare domain none.
    pub fn pages_of(&self, host: HostId) -> u64 {
        if host.host == HostId::APEX {
            return 0;
        }
        self.layout.pages(&self.config, self.character(host).original)
    }

    /// The one legitimate host that is larger than all others, where there is one.
    pub fn giant(&self) -> Option<HostId> {
        (self.config.giant_pages > 0).then(|| HostId::www(giant_domain(&self.config)))
    }

    /// Whether a host belongs to a farm that bought many domains.
    pub fn is_ring(&self, host: HostId) -> bool {
        crate::host::is_ring(&self.config, host.domain)
    }

    /// Whether a host belongs to a link farm, of many hosts or of many domains.
    pub fn is_farm(&self, host: HostId) -> bool {
        crate::host::is_farm(&self.config, host.domain)
    }

    /// What a URL names: `None` if its host or port is not of this web. Fragments, tracking and the order of
    /// parameters make no difference; percent-escapes may be in either case.
    pub fn place(&self, url: &str) -> Option<Place> {
        self.place_and_target(url).map(|(place, _)| place)
    }

    /// What a request names: scheme, host without port, path with query.
    pub fn place_at(&self, scheme: Scheme, host: &str, target: &str) -> Option<Place> {
        self.meet(scheme, host, target).map(|met| met.place)
    }

    /// The same, with the host's character, which is long to draw.
    pub(crate) fn meet(&self, scheme: Scheme, host: &str, target: &str) -> Option<Met> {
        let host = self.host(host)?;
        let character = self.character(host);
        let (what, session) = self.read(&character, target);
        Some(Met { place: Place { host, scheme, what, session }, character })
    }

    /// The URL of a place, with its session identifier if it has one.
    pub fn url_of(&self, place: &Place) -> String {
        let mut url = String::with_capacity(96);
        self.write_url(place, &mut url);
        url
    }

    /// The one URL for all that name the same thing: without session identifier, tracking and fragment,
    /// parameters in order; a URL of nothing stays as it is. Where both ports are the default ones the
    /// scheme is the host's own, since then `http` and `https` are one identity.
    pub fn canonical(&self, url: &str) -> Option<String> {
        let place = self.place(url)?;
        if place.what == What::Nothing {
            return Some(url.split('#').next().unwrap_or(url).to_owned());
        }
        Some(self.url_of(&self.canonical_place(place)))
    }

    /// What robots.txt says of a URL to the agent `drumlin`; robots.txt itself, and where it leads, may always be fetched.
    pub fn verdict(&self, url: &str) -> Verdict {
        self.place_and_target(url).map_or(Verdict::Allowed, |(place, target)| self.verdict_at(place, target))
    }

    /// What a URL names, and its path with query.
    pub(crate) fn place_and_target<'a>(&self, url: &'a str) -> Option<(Place, &'a str)> {
        let parts = Parts::of(url)?;
        let port = parts.port.unwrap_or(default_port(parts.scheme));
        let place = (port == self.port(parts.scheme))
            .then(|| self.place_at(parts.scheme, parts.host, parts.target))?;
        Some((place?, parts.target))
    }

    /// The same of a place and the path and query it was asked for under.
    pub(crate) fn verdict_at(&self, place: Place, target: &str) -> Verdict {
        match place.what {
            What::Robots | What::Policy => Verdict::Allowed,
            _ => robots(&self.config, place.host).verdict(target),
        }
    }

    /// The delay that a host's robots.txt asks for, in milliseconds.
    pub fn crawl_delay_ms(&self, host: HostId) -> u64 {
        match robots(&self.config, host) {
            RobotsClass::Delay => u64::from(self.config.crawl_delay_s) * 1000,
            _ => 0,
        }
    }

    pub(crate) fn canonical_place(&self, place: Place) -> Place {
        let one_identity = self.config.http_port == 80 && self.config.https_port == 443;
        let scheme = if one_identity { scheme(&self.config, place.host) } else { place.scheme };
        Place { scheme, session: None, ..place }
    }

    pub(crate) fn front(&self, host: HostId) -> Place {
        Place::root(host, scheme(&self.config, host))
    }

    pub(crate) fn port(&self, scheme: Scheme) -> u16 {
        match scheme {
            Scheme::Http => self.config.http_port,
            Scheme::Https => self.config.https_port,
        }
    }

    /// Children of a page in the tree of a host's pages.
    pub(crate) fn fan(&self) -> u64 {
        u64::from(self.config.links / 3).clamp(*FAN.start(), *FAN.end())
    }
}

pub(crate) fn default_port(scheme: Scheme) -> u16 {
    match scheme {
        Scheme::Http => 80,
        Scheme::Https => 443,
    }
}
