//! `count_frontier N`: what N pages cost a shard, for `cargo xtask counts`. A page has a turn, a draw, an answer, and 50 links, every
//! fifth of them new; jobs run whenever one is due.

use disk::MemDisk;
use frontier::{
    Address, Attempt, BudgetFunction, CaptureSeq, Contact, DelayPolicy, Discovery, Draw, End, Everything,
    Frontier, FrontierConfig, Hunger, Kind, Location, Lottery, Memory, Need, Origin, PageDraw, Paths, Reach,
    Response, RetryPolicy, RobotsAnswer, RobotsRecord, SeedBudgets, Star, Stop, Subject, Turn,
};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use stdx::{Rng, Timestamp};
use weburl::KeyHash;

const LINKS: u64 = 50;
const NEW_ONE_IN: u64 = 5;
const HOSTS: u64 = 200;
const TOOK_MS: u64 = 40;

const CONFIG: FrontierConfig = FrontierConfig {
    delay: DelayPolicy { host_ms: 1000, host_floor_ms: 500, group_ms: 250, stranger_factor: 1 },
    retry: RetryPolicy { base_ms: 10_000, factor: 3, max_ms: 3_600_000, attempts: 5, overload_ms: 60_000 },
    seed: 7,
    memory: Memory {
        resident_bytes: 4 << 20,
        buffer_bytes: 64 << 10,
        bucket_bytes: 1 << 20,
        recent_keys: 1 << 12,
    },
    paths: Paths::Any,
    star: Star { function: BudgetFunction::Unlimited, seeds: SeedBudgets::Unlimited },
};

fn main() {
    let pages: u64 = std::env::args().nth(1).and_then(|count| count.parse().ok()).expect("how many");
    let mut shard = Shard::open();
    for host in 0..HOSTS {
        shard.find(&[discovery(host, 0)], &Origin::Seed);
    }
    while shard.pages < pages {
        shard.step();
    }
}

struct Shard {
    frontier: Frontier,
    lottery: Lottery,
    now: Timestamp,
    rng: Rng,
    /// URLs found of each host.
    known: [u64; HOSTS as usize],
    pages: u64,
}

impl Shard {
    fn open() -> Self {
        let now = Timestamp::from_ms(1_795_170_484_250);
        let disk = Arc::new(MemDisk::new());
        let mut frontier = Frontier::open(CONFIG, disk, PathBuf::from("shard"), None).expect("memory");
        frontier.resume(Stop::Clean, now, Arc::new(Everything)).expect("memory");
        Self {
            frontier,
            lottery: Lottery::new(1),
            now,
            rng: Rng::new(7),
            known: [1; HOSTS as usize],
            pages: 0,
        }
    }

    fn find(&mut self, found: &[Discovery], origin: &Origin) {
        self.frontier.admit(found, origin).expect("memory");
    }

    /// All that is due, then on to the next moment.
    fn step(&mut self) {
        while let Some(turn) = self.next_turn() {
            self.take(&turn);
        }
        let job = self.frontier.job_due(Hunger::Starving);
        if job.is_some_and(|due| due <= self.now) {
            return self.work();
        }
        let next = [job, self.frontier.next_due()].into_iter().flatten().min();
        self.now = next.expect("hosts have more than can be fetched").max(self.now);
    }

    fn next_turn(&mut self) -> Option<Turn> {
        self.frontier.promote(self.now);
        let class = self.lottery.draw(|class| self.frontier.first_of(class).is_some())?;
        self.frontier.next_turn(class, self.now)
    }

    fn work(&mut self) {
        if let Some(job) = self.frontier.start_job(self.now, Hunger::Starving).expect("memory") {
            self.frontier.finish_job(job.run().expect("memory")).expect("memory");
        }
    }

    fn take(&mut self, turn: &Turn) {
        if let Need::Resolve { .. } = &turn.need {
            return self.frontier.resolved(turn.host, vec![ADDRESS], self.now + 86_400_000);
        }
        match self.frontier.draw(turn.host, self.now).expect("memory") {
            Draw::Page(page) => self.answer(&page),
            Draw::Robots(errand) => {
                let answer = RobotsAnswer::Absent { status: 404 };
                let subject = Subject::Robots { authority: errand.authority.clone() };
                self.apply(subject, errand.url, 404);
                let record = RobotsRecord { authority: errand.authority, fetched_at: self.now, answer };
                self.frontier.apply_robots(record).expect("memory");
            }
            Draw::Nothing => {}
        }
    }

    fn answer(&mut self, page: &PageDraw) {
        self.pages += 1;
        let capture = CaptureSeq(self.pages);
        self.apply(Subject::Page(page.subject.clone()), page.url.as_str().to_owned(), 200);
        let location = Location {
            serial: 1,
            offset: self.pages * 100,
            length: 100,
            response_offset: 7,
            response_length: 70,
        };
        self.frontier.located(page.subject.key, capture, location).expect("memory");
        let links: Vec<Discovery> = (0..LINKS).map(|_| self.link()).collect();
        let from = page.url.as_str().to_owned();
        self.find(&links, &Origin::Document(from));
    }

    fn apply(&mut self, subject: Subject, url: String, status: u16) {
        let contact = Contact { address: ADDRESS, started: self.now, ended: self.now + TOOK_MS };
        let response = Response {
            status,
            bytes: 20_000,
            content_type: Some("text/html".to_owned()),
            redirect: None,
            retry_after_ms: None,
            truncated: false,
        };
        let at = self.now + TOOK_MS;
        let attempt = Attempt { subject, url, contact: Some(contact), at, end: End::Captured(response) };
        self.frontier.apply(&attempt, CaptureSeq(self.pages)).expect("memory");
    }

    fn link(&mut self) -> Discovery {
        let host = self.rng.below(HOSTS);
        let known = &mut self.known[host as usize];
        if self.rng.one_in(NEW_ONE_IN) {
            *known += 1;
            return discovery(host, *known - 1);
        }
        let old = self.rng.below(*known);
        discovery(host, old)
    }
}

const ADDRESS: Address = Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: Reach::Public };

/// Its key is as good as that of the parser, which is counted elsewhere.
fn discovery(host: u64, page: u64) -> Discovery {
    let url = format!("http://www.host{host}.example/articles/{page}");
    let key = KeyHash((host << 32 | page).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    Discovery { key, url, depth: 1, hops: 0, kind: Kind::Page }
}
