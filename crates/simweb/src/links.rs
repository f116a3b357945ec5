use crate::answer::{BodyId, Media};
use crate::character::{Character, Scheme, Trap};
use crate::config::Farms;
use crate::draw::{Purpose, draw, falls_on, hash};
use crate::host::{HostId, is_ring};
use crate::limits;
use crate::place::{Leaf, Place, What};
use crate::web::Web;
use stdx::Rng;

/// One link of a page, before it is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) place: Place,
    pub(crate) dress: Dress,
}

/// What is hung on a URL without changing what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dress {
    Plain,
    Tracked,
    Swapped,
}

/// Whom a link serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Allegiance {
    Nobody,
    Farm,
    Ring,
}

/// A page in the middle of getting its links.
struct Linker<'a> {
    web: &'a Web,
    /// The page itself.
    place: Place,
    host: Character,
    /// The host whose page is shown: itself, or a mirror's original.
    shown: HostId,
    index: u64,
    pages: u64,
    rng: Rng,
    links: &'a mut Vec<Link>,
}

impl Web {
    /// The links of a body; none unless it is HTML with status 200.
    pub(crate) fn links_in(&self, body: &BodyId) -> Vec<Link> {
        let mut links = Vec::new();
        self.draw_links(body, &mut links);
        links
    }

    /// The same into `links`, whose room is used again.
    pub(crate) fn draw_links(&self, body: &BodyId, links: &mut Vec<Link>) {
        links.clear();
        if body.status != 200 || body.media != Media::Html {
            return;
        }
        match body.place.what {
            What::Page(index) => self.draw_page_links(body.place, index, links),
            What::Leaf(_, index) => links.extend(leaf_links(body.place, index)),
            What::Month(month) => links.extend(month_links(body.place, month)),
            What::Maze(depth) => links.extend(maze_links(body.place, depth)),
            _ => {}
        }
    }

    /// Appends the absolute URL of a link.
    pub(crate) fn write_link(&self, link: &Link, out: &mut String) {
        self.write_authority(&link.place, out);
        self.write_dressed(&self.character(link.place.host), link, out);
    }

    /// The links of the ordinary page `index` as shown at `place`, in the order of the document.
    fn draw_page_links(&self, place: Place, index: u64, links: &mut Vec<Link>) {
        let host = self.character(place.host);
        let shown = host.original;
        let rng = draw(self.config.seed, Purpose::Links, shown.word(), index);
        let pages = self.layout.pages(&self.config, shown);
        let mut linker = Linker { web: self, place, host, shown, index, pages, rng, links };
        linker.canonical();
        linker.site();
        linker.tree();
        linker.leaves();
        linker.trap();
        linker.neighbours();
        linker.giant();
        linker.rest();
    }

    /// The front page that [`Leaf::Away`] redirects to.
    pub(crate) fn away(&self, place: Place, index: u64) -> Place {
        let mut rng = draw(self.config.seed, Purpose::Leaf, place.host.word(), index);
        self.front(HostId::www(popular(&mut rng, u64::from(self.config.domains)) as u32))
    }
}

/// The links of a page that is no ordinary one: to the front page and to the page it belongs to.
fn leaf_links(place: Place, index: u64) -> [Link; 2] {
    [0, index].map(|page| Link { place: place.with(What::Page(page)), dress: Dress::Plain })
}

fn month_links(place: Place, month: u64) -> [Link; 4] {
    let [before, after, a_year_on] = [month.saturating_sub(1), month + 1, month + 12].map(What::Month);
    let places = [before, after, a_year_on, What::Page(0)];
    places.map(|what| Link { place: place.with(what), dress: Dress::Plain })
}

fn maze_links(place: Place, depth: u64) -> [Link; 2] {
    let places = [What::Page(0), What::Maze(depth + 1)];
    places.map(|what| Link { place: place.with(what), dress: Dress::Plain })
}

impl Linker<'_> {
    /// `<link rel="canonical">`; always the first.
    fn canonical(&mut self) {
        self.push(What::Page(self.index));
    }

    /// What every page of the site has: the front page, the first few pages, the page above.
    fn site(&mut self) {
        self.page(0);
        for index in 1..self.pages.min(6) {
            self.page(index);
        }
        if self.index > 0 {
            self.page((self.index - 1) / self.web.fan());
        }
    }

    fn tree(&mut self) {
        let fan = self.web.fan();
        let first = self.index * fan + 1;
        for index in first..(first + fan).min(self.pages) {
            self.page(index);
        }
    }

    fn leaves(&mut self) {
        let mix = self.web.config.leaves;
        self.leaf(mix.redirects, &[Leaf::Moved, Leaf::Away, Leaf::Loop, Leaf::Ouroboros]);
        self.leaf(mix.missing, &[Leaf::Missing, Leaf::Gone]);
        self.leaf(mix.errors, &[Leaf::Flaky, Leaf::Busy, Leaf::Failing]);
        if may_be_copied(self.index) {
            self.leaf(mix.copies, &[Leaf::Copy]);
        }
        self.leaf(mix.guarded, &[Leaf::Private, Leaf::PrivateOpen, Leaf::Members, Leaf::Print]);
        self.leaf(mix.documents, &[Leaf::Paper, Leaf::Slides, Leaf::Notes, Leaf::Image]);
        self.leaf(mix.ruined, &[Leaf::Cut, Leaf::Reset, Leaf::Drip]);
        if falls_on(self.rng.next_u64(), mix.redirects / 4) {
            self.push(What::Hop { left: limits::CHAIN_HOPS, page: self.index });
        }
    }

    fn leaf(&mut self, share: u32, kinds: &[Leaf]) {
        let pick = self.rng.next_u64();
        if falls_on(pick, share) {
            self.push(What::Leaf(kinds[(pick >> 32) as usize % kinds.len()], self.index));
        }
    }

    fn trap(&mut self) {
        match self.host.trap {
            Some(Trap::Calendar) => self.push(What::Month(2024 * 12 + self.index % 12)),
            Some(Trap::Maze) => self.push(What::Maze(0)),
            _ => {}
        }
    }

    /// The trees of hosts and of domains hang on front pages.
    fn neighbours(&mut self) {
        if self.index > 0 {
            return;
        }
        let hosts = u64::from(self.web.layout.hosts(&self.web.config, self.shown.domain));
        for host in children(u64::from(self.shown.host), limits::HOST_FAN, hosts) {
            self.front(HostId { domain: self.shown.domain, host: host as u32 });
        }
        let ordinary = u64::from(self.web.config.domains);
        if self.shown.host == 0 && !self.web.is_farm(self.shown) {
            for domain in children(u64::from(self.shown.domain), limits::DOMAIN_FAN, ordinary) {
                self.front(HostId::www(domain as u32));
            }
        }
    }

    /// The giant that everybody links to, every page to other pages of it.
    fn giant(&mut self) {
        let (config, from) = (&self.web.config, self.index ^ self.shown.word().rotate_left(20));
        let Some(giant) = self.web.giant().filter(|_| !self.web.is_farm(self.shown)) else { return };
        let front = self.web.front(giant);
        for nth in 0..u64::from(config.giant_links) {
            let page = hash(config.seed, Purpose::Giant, from, nth) % config.giant_pages;
            self.links.push(Link { place: front.with(What::Page(page)), dress: Dress::Plain });
        }
    }

    /// Links without a plan, until the page has its number: most to popular pages of the site, but in a ring, whose
    /// domains are there to link to each other.
    fn rest(&mut self) {
        let abroad = if is_ring(&self.web.config, self.shown.domain) { 12 } else { 1 };
        while self.links.len() < self.web.config.links as usize {
            match self.rng.below(16) {
                1 => self.sibling(),
                pick if pick < abroad => self.abroad(),
                _ => {
                    let index = popular(&mut self.rng, self.pages);
                    self.page(index);
                }
            }
        }
    }

    fn sibling(&mut self) {
        let hosts = u64::from(self.web.layout.hosts(&self.web.config, self.shown.domain));
        let domain = self.shown.domain;
        match self.rng.below(hosts + 1) {
            0 => self.front(HostId { domain, host: HostId::APEX }),
            host => self.front(HostId { domain, host: host as u32 - 1 }),
        }
    }

    fn abroad(&mut self) {
        let config = &self.web.config;
        match self.allegiance() {
            Allegiance::Farm => {
                let host = self.farm_host(config.domains, config.farms);
                self.front(host);
            }
            Allegiance::Ring => {
                let host = self.farm_host(config.domains + config.farms.domains, config.rings);
                let index = self.rng.below(u64::from(config.rings.pages));
                let front = self.web.front(host);
                self.dressed(front.with(What::Page(index)));
            }
            Allegiance::Nobody => {
                let id = HostId::www(drawn(&mut self.rng, u64::from(config.domains), config.pull) as u32);
                let index = popular(&mut self.rng, self.web.layout.pages(config, id));
                let front = self.web.front(id);
                self.dressed(front.with(What::Page(index)));
            }
        }
    }

    /// Whom a link abroad serves: that of a farm its own kind, that of an ordinary page nobody, unless it was bought.
    fn allegiance(&mut self) -> Allegiance {
        let config = &self.web.config;
        if self.web.is_farm(self.shown) {
            let ring = is_ring(config, self.shown.domain);
            return if ring { Allegiance::Ring } else { Allegiance::Farm };
        }
        let (pick, farms) = (self.rng.next_u64(), config.farms.linked);
        if falls_on(pick, farms) && config.farms.domains > 0 {
            Allegiance::Farm
        } else if falls_on(pick, farms + config.rings.linked) && config.rings.domains > 0 {
            Allegiance::Ring
        } else {
            Allegiance::Nobody
        }
    }

    fn farm_host(&mut self, first: u32, farms: Farms) -> HostId {
        let domain = first + self.rng.below(u64::from(farms.domains)) as u32;
        HostId { domain, host: self.rng.below(u64::from(farms.hosts)) as u32 }
    }

    fn front(&mut self, host: HostId) {
        let place = self.web.front(host);
        self.dressed(place);
    }

    /// One link in eight to an HTTPS host is old and says `http`; one in sixteen is tracked.
    fn dressed(&mut self, place: Place) {
        let pick = self.rng.next_u64();
        let old = place.scheme == Scheme::Https && pick.is_multiple_of(8);
        let scheme = if old { Scheme::Http } else { place.scheme };
        let dress = if (pick >> 8).is_multiple_of(16) { Dress::Tracked } else { Dress::Plain };
        self.links.push(Link { place: Place { scheme, ..place }, dress });
    }

    fn page(&mut self, index: u64) {
        let dress = match self.rng.below(32) {
            0 => Dress::Tracked,
            1 | 2 => Dress::Swapped,
            _ => Dress::Plain,
        };
        let place = Place { session: self.session(), ..self.place.with(What::Page(index)) };
        self.links.push(Link { place, dress });
    }

    fn push(&mut self, what: What) {
        self.links.push(Link { place: self.place.with(what), dress: Dress::Plain });
    }

    fn session(&self) -> Option<u64> {
        if !matches!(self.host.trap, Some(Trap::SessionsServed | Trap::SessionsCleaned)) {
            return None;
        }
        let current = self.place.session.unwrap_or_default();
        Some(hash(self.web.config.seed, Purpose::Token, current, self.index))
    }
}

/// A page with path-relative links means something else under another path, so only every second is copied.
pub(crate) fn may_be_copied(index: u64) -> bool {
    index.is_multiple_of(2)
}

fn children(parent: u64, fan: u64, count: u64) -> std::ops::Range<u64> {
    let first = parent * fan + 1;
    first.min(count)..(first + fan).min(count)
}

/// A number below `count`, small ones much more often.
fn popular(rng: &mut Rng, count: u64) -> u64 {
    drawn(rng, count, 2)
}

/// A number below `count`; the higher the power, the oftener a small one.
fn drawn(rng: &mut Rng, count: u64, power: u32) -> u64 {
    let unit = rng.unit().powi(power as i32);
    ((unit * count as f64) as u64).min(count - 1)
}
