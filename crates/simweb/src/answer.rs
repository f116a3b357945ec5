use crate::character::{Character, Pace, Scheme, Trap};
use crate::draw::{Purpose, hash};
use crate::host::HostId;
use crate::place::{Leaf, Place, What};
use crate::robots::RobotsClass;
use crate::web::Web;

/// How a server treats the client beyond what its response says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// As it should.
    Normal,
    /// It waits before it answers.
    Slow {
        /// Until the first byte.
        wait_ms: u32,
    },
    /// The body trickles.
    Drip {
        /// At most so much.
        bytes_per_second: u32,
    },
    /// The connection is reset.
    Reset {
        /// Bytes of the body before that; with 0 not even a status line comes.
        after_bytes: u32,
    },
    /// The connection is closed in the middle of the body, whose length was announced.
    Truncate {
        /// Bytes of the body before that.
        after_bytes: u32,
    },
}

/// The kind of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Media {
    /// `text/html`
    Html,
    /// `text/plain`
    Text,
    /// `application/xml`
    Xml,
    /// `application/gzip`
    Gzip,
    /// `application/pdf`
    Pdf,
    /// `image/png`
    Png,
}

/// What a place answers at some moment, without the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) redirect: Option<Place>,
    pub(crate) retry_after_s: Option<u64>,
    pub(crate) behaviour: Behaviour,
    pub(crate) body: BodyId,
}

/// Names a body. Equal ids are equal bytes; the other way round holds but for chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyId {
    /// The place whose body it is: for a copy the page that it copies.
    pub(crate) place: Place,
    /// The status it comes with.
    pub(crate) status: u16,
    /// What kind of bytes.
    pub(crate) media: Media,
}

impl BodyId {
    /// Whether it is a page or a file beside one, and not what is there for crawlers: [`Web::list_links`] says all of it.
    pub fn is_content(&self) -> bool {
        let is_for_crawlers =
            matches!(self.place.what, What::Robots | What::Policy | What::Sitemap | What::SitemapPart(_));
        self.status == 200 && !is_for_crawlers
    }
}

/// One window of so many is bad, where something flaps.
const WINDOWS: u64 = 3;
/// What a dripping server sends: below any sensible minimum rate.
const DRIP_BYTES_PER_SECOND: u32 = 16;
/// How much of a ruined body comes.
const RUINED_BYTES: u32 = 1_000;
/// A moment at which everything that passes has passed, in any web.
pub(crate) const HEALED_MS: u64 = u64::MAX;

impl Web {
    /// What a place on a host of this character answers at `time_ms`.
    pub(crate) fn answer(&self, place: Place, host: &Character, time_ms: u64) -> Answer {
        let answer = || turned_away(place, host).unwrap_or_else(|| self.own_answer(place, host, time_ms));
        match host.pace {
            Pace::Prompt => answer(),
            Pace::Slow if self.is_healed(time_ms) => answer(),
            Pace::Slow => Answer { behaviour: Behaviour::Slow { wait_ms: self.config.slow_ms }, ..answer() },
            Pace::Stormy => self.in_storm(place, time_ms).unwrap_or_else(answer),
            Pace::Broken => Answer { behaviour: Behaviour::Reset { after_bytes: 0 }, ..answer() },
        }
    }

    /// What every URL of a host answers while a storm lasts.
    fn in_storm(&self, place: Place, time_ms: u64) -> Option<Answer> {
        let left_ms = self.bad_window(Purpose::Storm, place.host.word(), self.config.storm_ms, time_ms)?;
        Some(unavailable(place, left_ms))
    }

    fn own_answer(&self, place: Place, host: &Character, time_ms: u64) -> Answer {
        match place.what {
            What::Page(_) | What::Month(_) | What::Maze(_) => plain(place, 200, Media::Html),
            What::Leaf(leaf, index) => self.leaf_answer(place, leaf, index, time_ms),
            What::Hop { left: 1, page } => redirect(place, 301, place.with(What::Page(page))),
            What::Hop { left, page } => {
                let status = [301, 302, 307, 308][left as usize % 4];
                redirect(place, status, place.with(What::Hop { left: left - 1, page }))
            }
            What::Robots => self.robots_answer(place, host.robots, time_ms),
            What::Policy => plain(place, 200, Media::Text),
            What::Sitemap => plain(place, 200, Media::Xml),
            What::SitemapPart(part) if part.is_multiple_of(2) => plain(place, 200, Media::Xml),
            What::SitemapPart(_) => plain(place, 200, Media::Gzip),
            What::Nothing => plain(place, 404, Media::Html),
        }
    }

    fn robots_answer(&self, place: Place, class: RobotsClass, time_ms: u64) -> Answer {
        match class {
            RobotsClass::Faltering if self.in_bad_window(place.host.word(), time_ms).is_some() => {
                plain(place, 503, Media::Text)
            }
            RobotsClass::Redirected => redirect(place, 301, place.with(What::Policy)),
            RobotsClass::Elsewhere => redirect(place, 301, self.policy_elsewhere(place.host)),
            RobotsClass::Page => plain(place, 200, Media::Html),
            _ => plain(place, class.status(), Media::Text),
        }
    }

    /// Where a host's rules are that has them elsewhere: on the `www` of any domain, or of the first if nobody could get them there,
    /// or nobody would who leaves a host alone that is not to be waited for.
    fn policy_elsewhere(&self, host: HostId) -> Place {
        let pick =
            hash(self.config.seed, Purpose::Elsewhere, host.word(), 1) % u64::from(self.config.domains);
        let there = HostId::www(pick as u32);
        let character = self.character(there);
        let is_left_alone = matches!(character.robots, RobotsClass::Unavailable | RobotsClass::Stalled);
        let is_good = character.pace == Pace::Prompt && self.is_reachable(there) && !is_left_alone;
        self.front(if is_good { there } else { HostId::www(0) }).with(What::Policy)
    }

    fn leaf_answer(&self, place: Place, leaf: Leaf, index: u64, time_ms: u64) -> Answer {
        let html = plain(place, 200, Media::Html);
        match leaf {
            Leaf::Moved => redirect(place, 301, place.with(What::Page(index))),
            Leaf::Away => redirect(place, 302, self.away(place, index)),
            Leaf::Loop => redirect(place, 302, place.with(What::Leaf(Leaf::Pool, index))),
            Leaf::Pool => redirect(place, 302, place.with(What::Leaf(Leaf::Loop, index))),
            Leaf::Ouroboros => redirect(place, 302, place),
            Leaf::Missing | Leaf::Ghost => plain(place, 404, Media::Html),
            Leaf::Gone => plain(place, 410, Media::Html),
            Leaf::Failing => plain(place, 500, Media::Html),
            Leaf::Flaky if self.bad_for_ms(place, index, time_ms).is_some() => plain(place, 500, Media::Html),
            Leaf::Busy => match self.bad_for_ms(place, index, time_ms) {
                Some(left_ms) => unavailable(place, left_ms),
                None => html,
            },
            Leaf::Copy => plain(place.with(What::Page(index)), 200, Media::Html),
            Leaf::Private | Leaf::PrivateOpen | Leaf::Members | Leaf::Print | Leaf::Flaky => html,
            Leaf::Paper | Leaf::Slides => plain(place, 200, Media::Pdf),
            Leaf::Notes => plain(place, 200, Media::Text),
            Leaf::Image => plain(place, 200, Media::Png),
            Leaf::Cut => Answer { behaviour: Behaviour::Truncate { after_bytes: RUINED_BYTES }, ..html },
            Leaf::Reset => Answer { behaviour: Behaviour::Reset { after_bytes: RUINED_BYTES }, ..html },
            Leaf::Drip => {
                Answer { behaviour: Behaviour::Drip { bytes_per_second: DRIP_BYTES_PER_SECOND }, ..html }
            }
        }
    }

    fn bad_for_ms(&self, place: Place, index: u64, time_ms: u64) -> Option<u64> {
        self.in_bad_window(place.host.word() ^ index, time_ms)
    }

    /// How long the bad window still lasts that something flapping is in, if it is in one.
    pub(crate) fn in_bad_window(&self, subject: u64, time_ms: u64) -> Option<u64> {
        self.bad_window(Purpose::Flap, subject, self.config.flap_ms, time_ms)
    }

    fn bad_window(&self, purpose: Purpose, subject: u64, window_ms: u64, time_ms: u64) -> Option<u64> {
        let phase = hash(self.config.seed, purpose, subject, 0) % WINDOWS;
        let bad = !self.is_healed(time_ms) && (time_ms / window_ms + phase).is_multiple_of(WINDOWS);
        bad.then(|| window_ms - time_ms % window_ms)
    }

    fn is_healed(&self, time_ms: u64) -> bool {
        time_ms >= self.config.heals_ms.unwrap_or(HEALED_MS)
    }
}

/// Redirects that hold for every path: another scheme, the bare domain, a session identifier.
fn turned_away(place: Place, host: &Character) -> Option<Answer> {
    match (place.scheme, host.scheme) {
        (Scheme::Http, Scheme::Https) => {
            return Some(redirect(place, 301, Place { scheme: Scheme::Https, ..place }));
        }
        (Scheme::Https, Scheme::Http) => return Some(plain(place, 404, Media::Html)),
        _ => {}
    }
    if place.host.host == HostId::APEX {
        return Some(redirect(place, 301, Place { host: HostId::www(place.host.domain), ..place }));
    }
    let cleaned = host.trap == Some(Trap::SessionsCleaned) && place.session.is_some();
    cleaned.then(|| redirect(place, 302, Place { session: None, ..place }))
}

fn plain(place: Place, status: u16, media: Media) -> Answer {
    let body = BodyId { place, status, media };
    Answer { status, redirect: None, retry_after_s: None, behaviour: Behaviour::Normal, body }
}

fn unavailable(place: Place, left_ms: u64) -> Answer {
    Answer { retry_after_s: Some(left_ms.div_ceil(1000)), ..plain(place, 503, Media::Html) }
}

fn redirect(from: Place, status: u16, to: Place) -> Answer {
    Answer { redirect: Some(to), ..plain(from, status, Media::Html) }
}
