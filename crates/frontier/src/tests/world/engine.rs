//! What drives a world: every call may fail with its disk.

use super::{
    Answer, Ask, Contacted, Entry, Landing, Pacing, TOOK, TTL, What, World, apply, discovery, end_of,
};
use crate::limits::ROBOTS_MAX_HOPS;
use crate::{
    Address, Attempt, CaptureSeq, Contact, Discovery, Draw, End, Failure, Hunger, Need, Origin, Redirect,
    Result, RobotsAnswer, RobotsErrand, RobotsRecord, Subject, Turn,
};
use robots::Robots;
use std::net::{IpAddr, Ipv4Addr};
use stdx::Timestamp;
use weburl::Url;

impl World {
    pub(in crate::tests) fn find_as(&mut self, url: &str, depth: u32, origin: &Origin) -> Result<()> {
        self.discover(discovery(url, depth), origin)
    }

    pub(in crate::tests) fn discover(&mut self, found: Discovery, origin: &Origin) -> Result<()> {
        self.journal.push(Entry::Found(found.clone(), origin.clone()));
        self.frontier.admit(&[found], origin)
    }

    pub(in crate::tests) fn try_decide(&mut self) -> Result<()> {
        while self.frontier.undecided() > 0 || self.frontier.shorter_paths_wait() {
            self.try_job()?;
        }
        Ok(())
    }

    pub(in crate::tests) fn try_job(&mut self) -> Result<()> {
        self.begin_job()?;
        self.end_job()
    }

    pub(in crate::tests) fn begin_job(&mut self) -> Result<()> {
        assert!(self.running.is_none());
        self.running = self.frontier.start_job(self.now, Hunger::Starving)?;
        Ok(())
    }

    pub(in crate::tests) fn end_job(&mut self) -> Result<()> {
        let Some(job) = self.running.take() else { return Ok(()) };
        match job.run() {
            Ok(outcome) => {
                let report = self.frontier.finish_job(outcome)?;
                self.shallower.extend(report.shallower);
                self.answer_stranded()
            }
            Err(error) => {
                self.frontier.abandon_job();
                Err(error)
            }
        }
    }

    /// Everything that happens now, then on to the next moment; false when there is none before `end`.
    pub(in crate::tests) fn step(&mut self, end: Timestamp) -> Result<bool> {
        self.dispatch()?;
        let landing = self.agenda.first_key_value().map(|(&(at, _), _)| at);
        let job = self.frontier.job_due(Hunger::Starving);
        let next = [landing, self.frontier.next_due(), job].into_iter().flatten().min();
        let Some(next) = next.filter(|&next| next <= end) else { return Ok(false) };
        assert!(next > self.now || landing == Some(self.now), "work that is due has been given");
        self.now = next.max(self.now);
        while let Some(entry) = self.agenda.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let landing = entry.remove();
            self.land(landing)?;
        }
        Ok(true)
    }

    /// Takes every turn there is: afterwards nobody is due.
    fn dispatch(&mut self) -> Result<()> {
        if self.pacing == Pacing::Eager {
            self.try_decide()?;
        }
        loop {
            while let Some(turn) = self.next_turn(self.now) {
                self.take(&turn)?;
            }
            if self.frontier.job_due(Hunger::Starving).is_none_or(|due| due > self.now) {
                break;
            }
            self.try_job()?;
        }
        assert!(self.frontier.next_due().is_none_or(|due| due > self.now), "a due host gets its turn");
        self.frontier.check_invariants();
        Ok(())
    }

    /// The next turn of a crawl with this shard alone.
    pub(in crate::tests) fn next_turn(&mut self, now: Timestamp) -> Option<Turn> {
        self.frontier.promote(now);
        loop {
            let class = self.lottery.draw(|class| self.frontier.first_of(class).is_some())?;
            let turn = self.frontier.next_turn(class, now);
            if turn.is_some() {
                return turn;
            }
        }
    }

    fn take(&mut self, turn: &Turn) -> Result<()> {
        match &turn.need {
            Need::Resolve { name, .. } => return self.resolve(turn, name),
            Need::Server(_) => match self.frontier.draw(turn.host, self.now)? {
                Draw::Page(draw) => self.contact(draw.url.as_str(), What::Page(draw.subject)),
                Draw::Robots(errand) => self.contact(&errand.url.clone(), What::Robots(errand)),
                Draw::Nothing => {}
            },
            Need::Nothing => {
                let drawn = self.frontier.draw(turn.host, self.now)?;
                assert_eq!(drawn, Draw::Nothing, "a host that is shunned is not contacted");
            }
        }
        Ok(())
    }

    fn ask(&mut self, url: &str) -> Answer {
        let times = self.asked.entry(url.to_owned()).or_default();
        let before = *times;
        *times += 1;
        (self.web)(&Ask { url, before })
    }

    fn resolve(&mut self, turn: &Turn, name: &str) -> Result<()> {
        self.lookups += 1;
        let Answer::Fails(kind) = self.ask(&format!("dns:{name}")) else {
            let address = self.address();
            self.frontier.resolved(turn.host, vec![address], self.now + TTL);
            return Ok(());
        };
        let end = End::Failed(Failure { kind, detail: String::new() });
        let url = format!("http://{name}/");
        self.apply(&Attempt { subject: Subject::Name, url, contact: None, at: self.now, end })
    }

    fn address(&self) -> Address {
        Address { ip: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), reach: self.reach }
    }

    fn contact(&mut self, url: &str, what: What) {
        let answer = self.ask(url);
        let took = if let Answer::Slow(_, took) = answer { took } else { TOOK };
        self.seq += 1;
        let landing = Landing { started: self.now, url: url.to_owned(), what, answer };
        self.agenda.insert((self.now + took, self.seq), landing);
    }

    fn land(&mut self, landing: Landing) -> Result<()> {
        let Landing { started, url, what, answer } = landing;
        let host = Url::parse(&url).unwrap().host().to_owned();
        self.log.push(Contacted { url: url.clone(), host, started, ended: self.now });
        let contact = Some(Contact { address: self.address(), started, ended: self.now });
        let subject = match &what {
            What::Page(subject) => Subject::Page(subject.clone()),
            What::Robots(errand) => Subject::Robots { authority: errand.authority.clone() },
        };
        self.apply(&Attempt { subject, url, contact, at: self.now, end: end_of(&answer) })?;
        if let What::Robots(errand) = what {
            self.robots_answered(errand, answer)?;
        }
        self.answer_stranded()
    }

    fn apply(&mut self, attempt: &Attempt) -> Result<()> {
        self.seq += 1;
        let capture = CaptureSeq(self.seq);
        self.journal.push(Entry::Attempt(attempt.clone(), capture));
        apply(&mut self.frontier, attempt, capture)?;
        self.answer_stranded()
    }

    fn robots_answered(&mut self, errand: RobotsErrand, answer: Answer) -> Result<()> {
        let unreachable = |after| RobotsAnswer::Unreachable { detail: String::new(), retry_after_ms: after };
        let answer = match answer {
            Answer::To(Redirect::OtherKey(url)) if errand.hops < ROBOTS_MAX_HOPS => {
                let authority = errand.authority.clone();
                if self.frontier.run_errand(RobotsErrand { url, hops: errand.hops + 1, ..errand }) {
                    self.frontier.await_robots(&authority);
                    return Ok(());
                }
                return self.learn(authority, unreachable(None));
            }
            Answer::Rules(text) => RobotsAnswer::Rules(Box::new(Robots::parse(text.as_bytes(), "drumlin"))),
            Answer::Status(status @ 400..=499) if status != 429 => RobotsAnswer::Absent { status },
            Answer::To(_) => RobotsAnswer::Absent { status: 301 },
            Answer::RetryAfter(_, after) => unreachable(Some(after)),
            _ => unreachable(None),
        };
        self.learn(errand.authority, answer)
    }

    fn learn(&mut self, authority: String, answer: RobotsAnswer) -> Result<()> {
        let record = RobotsRecord { authority, fetched_at: self.now, answer };
        self.journal.push(Entry::Robots(record.clone()));
        self.frontier.apply_robots(record)
    }

    fn answer_stranded(&mut self) -> Result<()> {
        loop {
            let stranded = self.frontier.take_unanswered();
            if stranded.is_empty() {
                return Ok(());
            }
            for errand in stranded {
                let answer = RobotsAnswer::Unreachable { detail: "barred".to_owned(), retry_after_ms: None };
                self.learn(errand.authority, answer)?;
            }
        }
    }
}
