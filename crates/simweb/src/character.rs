use crate::config::{HostMix, WebConfig};
use crate::draw::{Purpose, falls_on, hash};
use crate::host::{HostId, is_farm};
use crate::limits;
use crate::robots::RobotsClass;
use crate::validators::Validators;
use crate::words::Language;
use serde::{Deserialize, Serialize};

/// What a host is like. The bare domain is like its `www`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Character {
    /// The scheme its pages are served under.
    pub scheme: Scheme,
    /// What its pages are written in.
    pub language: Language,
    /// How its pages are encoded and where that is said.
    pub charset: Charset,
    /// The shape of its paths.
    pub paths: PathStyle,
    /// Its robots.txt.
    pub robots: RobotsClass,
    /// How it answers.
    pub pace: Pace,
    /// Whether its name resolves.
    pub name: NameFate,
    /// The certificate it shows, where its scheme is HTTPS.
    pub certificate: Certificate,
    /// Its endless URL space, if any.
    pub trap: Option<Trap>,
    /// What it says of when its pages changed.
    pub validators: Validators,
    /// The host whose content it shows: itself, or for a mirror another.
    pub original: HostId,
}

/// `http` or `https`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Plain.
    Http,
    /// Over TLS.
    Https,
}

/// An encoding of pages, and who declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, in the Content-Type header.
    Utf8Header,
    /// UTF-8, in a `<meta>` element only.
    Utf8Meta,
    /// ISO-8859-1, in the header.
    Latin1Header,
    /// ISO-8859-1, in a `<meta>` element only.
    Latin1Meta,
}

/// The shape of a host's paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathStyle {
    /// `/travel/winter-bridge-17.html`
    Sections,
    /// `/travel/2019/winter-17/`
    Folders,
    /// `/article?id=17&lang=en`; parameters come in either order.
    Query,
    /// `/wiki/Caf%C3%A9_winter_17`
    Wiki,
}

/// How a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// At once.
    Prompt,
    /// After `WebConfig::slow_ms`.
    Slow,
    /// In one window of three with 503 and Retry-After, else at once.
    Stormy,
    /// Never: every connection is reset.
    Broken,
}

/// What the name server says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFate {
    /// An address.
    Good,
    /// NXDOMAIN.
    Dead,
    /// SERVFAIL in one window of three, else an address.
    Flapping,
    /// An address in 10.0.0.0/8, which a crawler must not contact.
    Private,
}

/// The certificate of an HTTPS host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certificate {
    /// Verifies against the web's own authority.
    Good,
    /// Ended in 2020.
    Expired,
    /// For another name.
    WrongName,
    /// Signed by itself.
    SelfSigned,
}

/// An endless URL space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trap {
    /// Months without end, each linking to its neighbours.
    Calendar,
    /// A new session identifier in every in-site link; the page answers 200 under each.
    SessionsServed,
    /// The same, but a session identifier is redirected away.
    SessionsCleaned,
    /// A relative link to a folder that shows the same page again.
    Maze,
}

impl Scheme {
    /// `http` or `https`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

/// The character of a host, whether or not its domain has that many.
pub(crate) fn character(config: &WebConfig, id: HostId) -> Character {
    let id = like(id);
    let original = if is_farm(config, id.domain) { id } else { original(config, id) };
    let look = hash(config.seed, Purpose::Language, original.word(), 0);
    let language = language(look);
    let plain = Character {
        scheme: Scheme::Http,
        language,
        charset: charset(language, look >> 16),
        paths: paths(look >> 32),
        robots: RobotsClass::Missing,
        pace: Pace::Prompt,
        name: NameFate::Good,
        certificate: Certificate::Good,
        trap: None,
        validators: Validators::Tags,
        original,
    };
    if is_farm(config, id.domain) { plain } else { with_oddities(config, id, plain) }
}

/// [`Character::scheme`] alone, at a tenth of what all of it takes to draw.
pub(crate) fn scheme(config: &WebConfig, id: HostId) -> Scheme {
    let pick = hash(config.seed, Purpose::Scheme, like(id).word(), 0);
    let secure = !is_farm(config, id.domain) && falls_on(pick, config.hosts.https);
    if secure { Scheme::Https } else { Scheme::Http }
}

/// [`Character::name`] alone.
pub(crate) fn name(config: &WebConfig, id: HostId) -> NameFate {
    let id = like(id);
    let pick = hash(config.seed, Purpose::Name, id.word(), 0);
    if is_farm(config, id.domain) || carries_others(config, id) {
        NameFate::Good
    } else if falls_on(pick, config.hosts.dead_names) {
        NameFate::Dead
    } else if falls_on(pick >> 16, config.hosts.flapping_names) {
        NameFate::Flapping
    } else if falls_on(pick >> 32, config.hosts.private_names) {
        NameFate::Private
    } else {
        NameFate::Good
    }
}

/// [`Character::certificate`] alone.
pub(crate) fn certificate(config: &WebConfig, id: HostId) -> Certificate {
    let id = like(id);
    let pick = hash(config.seed, Purpose::Certificate, id.word(), 0);
    let odd = scheme(config, id) == Scheme::Https && !carries_others(config, id);
    if !odd || !falls_on(pick, config.hosts.bad_certificates) {
        return Certificate::Good;
    }
    [Certificate::Expired, Certificate::WrongName, Certificate::SelfSigned][(pick >> 32) as usize % 3]
}

/// The host whose character a host has.
fn like(id: HostId) -> HostId {
    if id.host == HostId::APEX { HostId::www(id.domain) } else { id }
}

fn with_oddities(config: &WebConfig, id: HostId, plain: Character) -> Character {
    let steady = carries_others(config, id);
    Character {
        scheme: scheme(config, id),
        robots: robots(config, id),
        pace: if steady {
            Pace::Prompt
        } else {
            pace(config, hash(config.seed, Purpose::Misfortune, id.word(), 0))
        },
        name: name(config, id),
        certificate: certificate(config, id),
        trap: trap(config, id),
        validators: validators(config, id, steady),
        ..plain
    }
}

/// Whether other domains are reachable only through this host.
fn carries_others(config: &WebConfig, id: HostId) -> bool {
    let has_children = u64::from(id.domain) * limits::DOMAIN_FAN + 1 < u64::from(config.domains);
    id.host == 0 && (id.domain == 0 || has_children)
}

fn original(config: &WebConfig, id: HostId) -> HostId {
    let pick = hash(config.seed, Purpose::Mirror, id.word(), 0);
    let later = u64::from(id.domain) + 1 + (pick >> 10) % (u64::from(id.domain) + 1);
    let source = later.min(u64::from(config.domains) - 1) as u32;
    let too_large = config.giant_pages > 0 && source <= 1;
    let mirrors = id.host > 0 && falls_on(pick, config.hosts.mirrors) && !too_large;
    if mirrors { HostId::www(source) } else { id }
}

/// [`Character::robots`] alone.
pub(crate) fn robots(config: &WebConfig, id: HostId) -> RobotsClass {
    let id = like(id);
    if is_farm(config, id.domain) {
        return RobotsClass::Missing;
    }
    let steady = carries_others(config, id);
    let pick = hash(config.seed, Purpose::Robots, id.word(), 0);
    let closed = hash(config.seed, Purpose::Closed, id.word(), 0);
    let stall = hash(config.seed, Purpose::Stall, id.word(), 0);
    if !steady && falls_on(stall, config.hosts.stalls) {
        RobotsClass::Stalled
    } else if !steady && falls_on(stall >> 20, config.hosts.faltering) {
        RobotsClass::Faltering
    } else if !falls_on(pick, config.hosts.robots) {
        RobotsClass::Missing
    } else if !steady && falls_on(closed, config.hosts.closed) {
        RobotsClass::CLOSED[(closed >> 32) as usize % RobotsClass::CLOSED.len()]
    } else if falls_on(hash(config.seed, Purpose::Elsewhere, id.word(), 0), config.hosts.elsewhere) {
        RobotsClass::Elsewhere
    } else {
        match RobotsClass::OPEN[(pick >> 32) as usize % RobotsClass::OPEN.len()] {
            RobotsClass::Huge if !falls_on(stall >> 40, config.hosts.huge) => RobotsClass::Empty,
            class => class,
        }
    }
}

fn pace(config: &WebConfig, pick: u64) -> Pace {
    if falls_on(pick, config.hosts.broken) {
        Pace::Broken
    } else if falls_on(pick >> 20, config.hosts.slow) {
        Pace::Slow
    } else if falls_on(pick >> 40, config.hosts.storms) {
        Pace::Stormy
    } else {
        Pace::Prompt
    }
}

fn trap(config: &WebConfig, id: HostId) -> Option<Trap> {
    let on = |purpose, share| falls_on(hash(config.seed, purpose, id.word(), 0), share);
    if on(Purpose::Calendar, config.hosts.calendars) {
        Some(Trap::Calendar)
    } else if on(Purpose::Session, config.hosts.sessions) {
        let served = hash(config.seed, Purpose::Session, id.word(), 1).is_multiple_of(2);
        Some(if served { Trap::SessionsServed } else { Trap::SessionsCleaned })
    } else if on(Purpose::Maze, config.hosts.mazes) {
        Some(Trap::Maze)
    } else {
        None
    }
}

/// Those that others hang on say the truth.
fn validators(config: &WebConfig, id: HostId, steady: bool) -> Validators {
    let hosts = if steady { HostMix { liars: 0, ..config.hosts } } else { config.hosts };
    Validators::drawn(hash(config.seed, Purpose::Validators, id.word(), 0), &hosts)
}

fn language(pick: u64) -> Language {
    match pick % 10 {
        0..5 => Language::English,
        5 | 6 => Language::German,
        7 => Language::French,
        8 => Language::Spanish,
        _ => Language::Russian,
    }
}

fn charset(language: Language, pick: u64) -> Charset {
    match (language, pick % 8) {
        (_, 0..4) => Charset::Utf8Header,
        (Language::Russian, _) | (_, 4 | 5) => Charset::Utf8Meta,
        (_, 6) => Charset::Latin1Header,
        _ => Charset::Latin1Meta,
    }
}

fn paths(pick: u64) -> PathStyle {
    [PathStyle::Sections, PathStyle::Folders, PathStyle::Query, PathStyle::Wiki][pick as usize % 4]
}
