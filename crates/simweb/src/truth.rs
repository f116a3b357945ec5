use crate::answer::{Behaviour, HEALED_MS, Media};
use crate::character::Pace;
use crate::place::{Place, What};
use crate::robots::Verdict;
use crate::web::Web;
use std::collections::{BTreeMap, VecDeque};

/// What a perfect, patient and polite crawl comes to know, URL by URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Truth {
    /// By canonical URL ([`Web::canonical`]), everything in scope that a crawl comes across.
    pub urls: BTreeMap<String, Fate>,
}

/// What becomes of one URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fate {
    /// Links from the nearest seed; a redirect costs nothing.
    pub depth: u32,
    /// How it ends.
    pub end: End,
}

/// How a URL ends, after as many retries as it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// 200 and a whole body.
    Page(Media),
    /// A redirect to another canonical URL (or to itself).
    Redirect(u16),
    /// An error that stays.
    Error(u16),
    /// 200, but the body never comes whole.
    Ruined,
    /// No name, no connection, no trust: there is never a response.
    Unreachable,
    /// robots.txt forbids it, or cannot be had.
    Forbidden,
    /// The way into an endless URL space. What lies behind is not walked.
    Trap,
}

/// Which URLs a crawl follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The hosts of the seeds.
    Host,
    /// Their registrable domains.
    Domain,
    /// Everything.
    Any,
}

/// The crawl that a truth is asked for.
#[derive(Debug, Clone)]
pub struct Plan<'a> {
    /// Absolute URLs of this web; others are passed over.
    pub seeds: &'a [String],
    /// Which links are followed.
    pub scope: Scope,
    /// Links from a seed at most; `None` is no bound.
    pub depth: Option<u32>,
}

impl Truth {
    /// URLs with the ends that `wanted` accepts, in order.
    pub fn ending(&self, wanted: impl Fn(End) -> bool) -> impl Iterator<Item = &str> {
        self.urls.iter().filter(move |(_, fate)| wanted(fate.end)).map(|(url, _)| url.as_str())
    }

    /// URLs that end with 200 and a whole HTML body.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.ending(|end| end == End::Page(Media::Html))
    }

    /// URLs that must never be asked for.
    pub fn forbidden(&self) -> impl Iterator<Item = &str> {
        self.ending(|end| end == End::Forbidden)
    }
}

impl Web {
    /// Walks the web breadth-first from the seeds. Memory and time are proportional to what is in scope.
    pub fn truth(&self, plan: &Plan) -> Truth {
        let seeds: Vec<Place> = plan.seeds.iter().filter_map(|url| self.place(url)).collect();
        let mut walk =
            Walk { web: self, plan, seeds: seeds.clone(), truth: Truth::default(), queue: VecDeque::new() };
        for seed in seeds {
            walk.meet(seed, 0);
        }
        while let Some(step) = walk.queue.pop_front() {
            walk.follow(step);
        }
        walk.truth
    }
}

struct Walk<'a> {
    web: &'a Web,
    plan: &'a Plan<'a>,
    seeds: Vec<Place>,
    truth: Truth,
    queue: VecDeque<Step>,
}

#[derive(Clone, Copy)]
struct Step {
    place: Place,
    depth: u32,
}

impl Walk<'_> {
    /// Notes a URL at its least depth. Redirects cost nothing, so a shorter way may turn up later: then
    /// what lies behind is walked again.
    fn meet(&mut self, place: Place, depth: u32) {
        let place = self.web.canonical_place(place);
        if !self.in_scope(place) || self.plan.depth.is_some_and(|most| depth > most) {
            return;
        }
        let url = self.web.url_of(&place);
        match self.truth.urls.get_mut(&url) {
            Some(known) if known.depth <= depth => return,
            Some(known) => known.depth = depth,
            None => {
                let end = self.web.end(place, &url);
                self.truth.urls.insert(url, Fate { depth, end });
            }
        }
        self.queue.push_back(Step { place, depth });
    }

    fn follow(&mut self, step: Step) {
        let url = self.web.url_of(&step.place);
        let fate = self.truth.urls[&url];
        if fate.depth < step.depth {
            return;
        }
        let host = self.web.character(step.place.host);
        let answer = self.web.answer(step.place, &host, HEALED_MS);
        match fate.end {
            End::Redirect(_) => {
                if let Some(target) = answer.redirect {
                    self.meet(target, step.depth);
                }
            }
            End::Page(Media::Html) => {
                for link in self.web.links_in(&answer.body) {
                    self.meet(link.place, step.depth + 1);
                }
            }
            _ => {}
        }
    }

    fn in_scope(&self, place: Place) -> bool {
        self.seeds.iter().any(|seed| match self.plan.scope {
            Scope::Host => seed.host == place.host,
            Scope::Domain => seed.host.domain == place.host.domain,
            Scope::Any => true,
        })
    }
}

impl Web {
    fn end(&self, place: Place, url: &str) -> End {
        let host = self.character(place.host);
        if host.pace == Pace::Broken || !self.is_reachable(place.host) {
            return End::Unreachable;
        }
        if self.verdict(url) == Verdict::Forbidden {
            return End::Forbidden;
        }
        if matches!(place.what, What::Month(_) | What::Maze(_)) {
            return End::Trap;
        }
        let answer = self.answer(place, &host, HEALED_MS);
        match (answer.status, answer.behaviour) {
            (200, Behaviour::Normal | Behaviour::Slow { .. }) => End::Page(answer.body.media),
            (200, _) => End::Ruined,
            (300..400, _) => End::Redirect(answer.status),
            (status, _) => End::Error(status),
        }
    }
}
