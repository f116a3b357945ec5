use crate::limits;

/// Everything a web is a function of, besides URL and time. Equal configurations give equal webs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WebConfig {
    /// The seed of every draw.
    pub seed: u64,
    /// Ordinary registrable domains, at least 1. Domain 0 is the largest.
    pub domains: u32,
    /// Ordinary pages over all domains, roughly: every host has at least one.
    pub pages: u64,
    /// For so many of its pages a domain may have another host; half of them are on its first.
    pub host_pages: u64,
    /// Exponent of the power law of domain sizes; 0 makes all alike.
    pub skew: f64,
    /// Links a page, roughly.
    pub links: u32,
    /// Uncompressed sizes of HTML pages.
    pub sizes: Sizes,
    /// Where plain HTTP is served; every URL carries it unless it is 80.
    pub http_port: u16,
    /// Where HTTPS is served; every URL carries it unless it is 443.
    pub https_port: u16,
    /// Distinct server addresses, all within 127.0.0.0/8.
    pub addresses: u32,
    /// How long a DNS answer may be kept, in seconds.
    pub ttl_s: u32,
    /// The crawl-delay that one class of robots.txt asks for, in seconds.
    pub crawl_delay_s: u32,
    /// What a slow server waits before it answers, in milliseconds.
    pub slow_ms: u32,
    /// Half-life of what flaps: one window in three is bad, in milliseconds.
    pub flap_ms: u64,
    /// The same of storms, during which a host answers 503 and asks to be left alone until the window ends.
    pub storm_ms: u64,
    /// Which hosts are odd, and how.
    pub hosts: HostMix,
    /// Which pages have odd neighbours, and which.
    pub leaves: LeafMix,
    /// Link farms.
    pub farms: Farms,
    /// Link farms that buy their domains: many, each with few hosts, which link to each other's.
    pub rings: Farms,
    /// Additional pages of the first host of domain 1 (or 0, when it is alone): one legitimate giant.
    pub giant_pages: u64,
    /// Links of every ordinary page to pages of the giant, drawn evenly: how 100 million of them come to wait.
    pub giant_links: u32,
    /// How steeply links between domains prefer the large ones: the power of the uniform number that picks one.
    pub pull: u32,
    /// When everything that passes is over: nothing flaps, storms, falters or is slow from then on.
    pub heals_ms: Option<u64>,
}

/// Log-normal page sizes, in bytes before compression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// Half of the pages are smaller.
    pub median: u32,
    /// At least the median.
    pub mean: u32,
}

/// Hosts per thousand that have a peculiarity; 0 switches it off, 1000 puts it everywhere it may be.
/// What makes a host unreachable or wholly forbidden never falls on a host that others hang on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HostMix {
    /// Served over HTTPS; plain HTTP redirects there.
    pub https: u32,
    /// robots.txt other than missing.
    pub robots: u32,
    /// Of those, robots.txt that forbids everything (rules or 5xx).
    pub closed: u32,
    /// Of the huge robots.txt among them those that are: the others are empty. 1000 for a small web, few for a large one.
    pub huge: u32,
    /// Near-duplicates of another host.
    pub mirrors: u32,
    /// Slow to answer.
    pub slow: u32,
    /// Every connection is reset.
    pub broken: u32,
    /// Names that do not resolve.
    pub dead_names: u32,
    /// Names whose server answers SERVFAIL at times.
    pub flapping_names: u32,
    /// Names that resolve to a private address outside 127.0.0.0/8.
    pub private_names: u32,
    /// HTTPS hosts with a certificate that does not verify.
    pub bad_certificates: u32,
    /// A calendar without end.
    pub calendars: u32,
    /// Session identifiers in every in-site link.
    pub sessions: u32,
    /// A relative link that makes the path grow for ever.
    pub mazes: u32,
    /// Every answer is a 503 with Retry-After, in one window of three.
    pub storms: u32,
    /// robots.txt answers 503 in one window of three.
    pub faltering: u32,
    /// robots.txt asks for a crawl-delay beyond all patience: not to be waited for, so as good as closed.
    pub stalls: u32,
    /// Of the robots.txt that leave a host open, those that redirect to another domain's.
    pub elsewhere: u32,
    /// A date instead of an entity tag.
    pub dated: u32,
    /// Lies about what has changed. Some of these never send a page.
    pub liars: u32,
}

/// Pages per thousand that link to a neighbour of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeafMix {
    /// Redirects: to a page, across hosts, chains, loops, to themselves.
    pub redirects: u32,
    /// 404 and 410.
    pub missing: u32,
    /// 500 and 503 that pass, and 500 that stays.
    pub errors: u32,
    /// The same body under another URL.
    pub copies: u32,
    /// Pages that some robots.txt forbid.
    pub guarded: u32,
    /// Text, PDF and images.
    pub documents: u32,
    /// Bodies that are cut, reset or dripped.
    pub ruined: u32,
}

/// Spam: hosts that link to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Farms {
    /// Registrable domains bought for it.
    pub domains: u32,
    /// Hosts under each.
    pub hosts: u32,
    /// Pages on each host.
    pub pages: u32,
    /// Ordinary links abroad per thousand that lead into it instead: bought, or planted in pages that were broken into.
    pub linked: u32,
}

impl WebConfig {
    /// A web of small pages (8 KB) with a little of everything that a patient crawler gets through: for tests.
    pub fn small(seed: u64, pages: u64) -> Self {
        Self {
            domains: (pages / 40).clamp(1, 1 << 20) as u32,
            pages,
            links: 30,
            sizes: Sizes { median: 8_000, mean: 14_000 },
            addresses: 16,
            ..Self::realistic(seed, pages)
        }
    }

    /// A web with the sizes measured on saved pages: median 138 KB, mean 240 KB, 60 links a page.
    pub fn realistic(seed: u64, pages: u64) -> Self {
        Self {
            seed,
            domains: (pages / 100).clamp(1, 1 << 24) as u32,
            pages,
            host_pages: 12,
            skew: 0.8,
            links: 60,
            sizes: Sizes { median: 138_000, mean: 240_000 },
            http_port: 8080,
            https_port: 8443,
            addresses: 64,
            ttl_s: 3600,
            crawl_delay_s: 2,
            slow_ms: 2_000,
            flap_ms: 3_000,
            storm_ms: 20_000,
            hosts: HostMix::wild(),
            leaves: LeafMix::wild(),
            farms: Farms::default(),
            rings: Farms::default(),
            giant_pages: 0,
            giant_links: 0,
            pull: 2,
            heals_ms: None,
        }
    }

    /// The same web without anything odd: every URL answers 200 at once and may be fetched.
    #[must_use]
    pub fn calm(self) -> Self {
        Self { hosts: HostMix::default(), leaves: LeafMix::default(), ..self }
    }

    /// The same web with every kind of endless URL space switched off.
    #[must_use]
    pub fn without_traps(self) -> Self {
        Self { hosts: HostMix { calendars: 0, sessions: 0, mazes: 0, ..self.hosts }, ..self }
    }

    /// Panics on what no web can be made of; called once, by `Web::new`.
    pub(crate) fn check(&self) {
        assert!(self.domains > 0 && self.pages > 0, "a web has a domain and a page");
        assert!(self.host_pages > 0, "more hosts than pages");
        let spam = self.farms.domains.checked_add(self.rings.domains);
        assert!(spam.and_then(|spam| spam.checked_add(self.domains)).is_some(), "too many domains");
        assert!((1..=limits::ADDRESSES).contains(&self.addresses), "addresses must fit in 127.0.0.0/8");
        assert!((2..=limits::LINKS).contains(&self.links), "between 2 and {} links a page", limits::LINKS);
        assert!(self.sizes.median > 0 && self.sizes.mean >= self.sizes.median, "a mean below the median");
        assert!(self.flap_ms > 0 && self.storm_ms > 0, "a window of no length");
        for farms in [self.farms, self.rings] {
            assert!(farms.domains == 0 || (farms.hosts > 0 && farms.pages > 0), "an empty farm");
        }
    }
}

impl HostMix {
    /// A share of everything.
    pub fn wild() -> Self {
        Self {
            https: 400,
            robots: 750,
            closed: 120,
            huge: 1000,
            mirrors: 60,
            slow: 30,
            broken: 15,
            dead_names: 30,
            flapping_names: 30,
            private_names: 10,
            bad_certificates: 40,
            calendars: 60,
            sessions: 60,
            mazes: 40,
            storms: 0,
            faltering: 0,
            stalls: 0,
            elsewhere: 0,
            dated: 0,
            liars: 0,
        }
    }

    /// The same with servers that use up a crawler's time: storms, robots.txt that falters, delays without end.
    #[must_use]
    pub fn hostile(self) -> Self {
        Self { storms: 40, faltering: 40, stalls: 20, slow: 60, ..self }
    }
}

impl LeafMix {
    /// A share of everything.
    pub fn wild() -> Self {
        Self { redirects: 80, missing: 40, errors: 20, copies: 40, guarded: 80, documents: 40, ruined: 10 }
    }
}
