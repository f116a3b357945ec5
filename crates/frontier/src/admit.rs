use crate::arrears::{Arrear, Asks};
use crate::entry::{KEY_BYTES, put_discovery};
use crate::gathering::Noted;
use crate::identity::{domain_hash, edge_hash, host_of, path_hash};
use crate::seen::Seen;
use crate::url_record::{End, UrlRecord};
use crate::{BudgetFunction, Discovered, Error, Frontier, Origin, Paths, Pending, Result, Stays};
use drum::Request;
use weburl::KeyHash;

impl Frontier {
    /// Whether this discovery (or one of the same URL by a path as short) was admitted so lately that it is remembered:
    /// it need not be journaled. Asked before the journal, since admitting again changes nothing.
    pub fn seen_lately(&mut self, key: KeyHash, depth: u32) -> bool {
        let path = self.path(key, depth);
        self.recent.paths.contains(path)
    }

    /// Makes [`Self::seen_lately`] quick, for many that are asked of many shards at once: see [`Clock::warm`](drum::Clock::warm).
    pub fn warm(&self, key: KeyHash, depth: u32) -> u8 {
        self.recent.paths.warm(self.path(key, depth))
    }

    /// Takes in discoveries that the journal has: appends them to the seen-set's bucket. There is no verdict now, it comes with
    /// the next job. Admitting the same discovery twice changes nothing.
    pub fn admit<'a>(
        &mut self,
        discoveries: impl IntoIterator<Item: Into<Discovered<'a>>>,
        origin: &Origin,
    ) -> Result<()> {
        let mut noted = Noted::default();
        discoveries.into_iter().try_for_each(|found| self.admit_one(found.into(), origin, &mut noted))
    }

    fn admit_one<'a>(
        &mut self,
        discovery: Discovered<'a>,
        origin: &Origin,
        noted: &mut Noted<'a>,
    ) -> Result<()> {
        self.append_edge(discovery, origin)?;
        if self.seen_lately(discovery.key, discovery.depth) {
            return Ok(());
        }
        let mut aux = std::mem::take(&mut self.scratch);
        aux.clear();
        put_discovery(&mut aux, discovery, origin, self.durable.next_order);
        self.append_seen(discovery.key, Asks::Verdict, Seen::at(discovery.depth), &aux)?;
        self.note_gathered(discovery.url, noted);
        self.scratch = aux;
        self.durable.next_order += 1;
        let path = self.path(discovery.key, discovery.depth);
        self.recent.paths.insert(path);
        self.work_off_arrears()
    }

    /// Whether so much waits for a job that whoever discovers must pause.
    pub fn is_congested(&self) -> bool {
        !self.arrears.seen.is_empty() || !self.arrears.records.is_empty()
    }

    /// Where every path counts alike, a URL is remembered by its key alone.
    fn path(&self, key: KeyHash, depth: u32) -> u64 {
        match self.config.paths {
            Paths::Any => key.0,
            Paths::Shortest => path_hash(key.0, depth),
        }
    }

    /// A link from another domain that is its page's vote is one for this domain (IRLbot §VI-B), once for each pair: also
    /// where the URL is known, or what everybody links to would have no votes.
    fn append_edge(&mut self, discovery: Discovered<'_>, origin: &Origin) -> Result<()> {
        let Origin::Voted(via) = origin else { return Ok(()) };
        let (from, to) = (host_of(via), host_of(discovery.url));
        if from == to || self.config.star.function == BudgetFunction::Unlimited {
            return Ok(());
        }
        let seed = self.config.seed;
        let (from, to) = (domain_hash(from, seed), domain_hash(to, seed));
        let edge = edge_hash(from, to);
        if from == to || self.recent.edges.contains(edge) {
            return Ok(());
        }
        match self.disk.edges.append(edge, Request::CheckUpdate(()), &to.to_le_bytes()) {
            // A vote that finds no room is lost: a budget orders, and the next link from there votes again.
            Ok(_) => self.recent.edges.insert(edge),
            Err(drum::Error::BucketFull { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Appends to the seen-set, or puts the request by until a bucket has room.
    pub(crate) fn append_seen(&mut self, key: KeyHash, asks: Asks, value: Seen, aux: &[u8]) -> Result<()> {
        if self.arrears.seen.is_empty() {
            match self.disk.seen.append(key.0, asks.request(value), aux) {
                Err(drum::Error::BucketFull { .. }) => {}
                done => return done.map(|_| ()).map_err(Error::from),
            }
        }
        self.arrears.seen.push_back(Arrear::new(key, asks, value, aux));
        Ok(())
    }

    /// Appends what is final of a URL.
    pub(crate) fn append_record(&mut self, key: KeyHash, record: UrlRecord) -> Result<()> {
        let asks = match self.config.paths {
            Paths::Any => Asks::Nothing,
            Paths::Shortest => Asks::Verdict,
        };
        if self.arrears.records.is_empty() {
            match self.disk.records.append(key.0, asks.request(record), &[]) {
                Err(drum::Error::BucketFull { .. }) => {}
                done => return done.map(|_| ()).map_err(Error::from),
            }
        }
        self.arrears.records.push_back(Arrear::new(key, asks, record, &[]));
        Ok(())
    }

    /// A path to a URL that is known, which may be shorter than the one it was fetched by: whether its links must be derived again its record will tell.
    pub(crate) fn note_path(&mut self, key: KeyHash, depth: u32) -> Result<()> {
        if self.config.paths == Paths::Any {
            return Ok(());
        }
        debug_assert!(Seen::at(depth) != Seen::LetGo);
        self.append_record(key, UrlRecord { end: End::None, depth })
    }

    /// With no job to wait for, one is done here and now. Only here: elsewhere somebody has a host in hand, and a job might
    /// send it to disk.
    fn work_off_arrears(&mut self) -> Result<()> {
        if self.job.is_none() && self.is_congested() {
            self.merge_now()?;
            self.pay_arrears()?;
        }
        Ok(())
    }

    /// Appends what was put by, as far as there is room.
    pub(crate) fn pay_arrears(&mut self) -> Result<()> {
        while let Some(arrear) = self.arrears.seen.front() {
            match self.disk.seen.append(arrear.key.0, arrear.request(), &arrear.aux) {
                Err(drum::Error::BucketFull { .. }) => break,
                done => done?,
            };
            self.arrears.seen.pop_front();
        }
        while let Some(arrear) = self.arrears.records.front() {
            match self.disk.records.append(arrear.key.0, arrear.request(), &[]) {
                Err(drum::Error::BucketFull { .. }) => break,
                done => done?,
            };
            self.arrears.records.pop_front();
        }
        Ok(())
    }

    /// A URL comes up from the disk: whether it counts. It does not if it has gone on without this entry, or if the crawl
    /// is not about it any more.
    pub(crate) fn surfaces(&mut self, pending: &Pending) -> Result<bool> {
        if self.durable.tombstones.lift(pending.key, pending.order) {
            self.note_path(pending.key, pending.depth)?;
            return Ok(false);
        }
        if self.is_wanted(pending) {
            return Ok(true);
        }
        self.let_go_of(pending)?;
        Ok(false)
    }

    /// Whether the crawl is about a URL that it was about once.
    pub(crate) fn is_wanted(&self, pending: &Pending) -> bool {
        let judge = self.judge.as_ref().filter(|_| self.durable.scope.mixed);
        judge.is_none_or(|judge| judge.judge(pending) == Stays::In)
    }

    /// Whether a host is not to be contacted at all.
    pub(crate) fn is_shunned(&self, host: &str) -> bool {
        let judge = self.judge.as_ref().filter(|_| self.durable.scope.mixed);
        judge.is_some_and(|judge| judge.shuns(host))
    }

    /// A URL waits that the crawl is not about any more.
    pub(crate) fn let_go_of(&mut self, pending: &Pending) -> Result<()> {
        match self.judge.as_ref().map(|judge| judge.judge(pending)) {
            Some(Stays::TooDeep) => self.let_go_unless_nearer(pending),
            _ => self.let_go(pending.key),
        }
    }

    /// Known → unknown: if the URL is discovered again, it is new.
    pub(crate) fn let_go(&mut self, key: KeyHash) -> Result<()> {
        self.recent.paths.forget(key.0);
        self.append_seen(key, Asks::Nothing, Seen::LetGo, &[])
    }

    /// The same, unless a path to it is known that is short enough: the seen-set knows, and tells when it comes to that.
    pub(crate) fn let_go_unless_nearer(&mut self, pending: &Pending) -> Result<()> {
        self.recent.paths.forget(pending.key.0);
        self.append_seen(pending.key, Asks::Verdict, Seen::LetGo, &pending.encoded()[KEY_BYTES..])
    }

    /// A URL that had been let go is known by a path that is short enough: it is new by that one.
    pub(crate) fn find_again(&mut self, mut pending: Pending) -> Result<()> {
        pending.order = self.durable.next_order;
        self.durable.next_order += 1;
        self.append_seen(pending.key, Asks::Verdict, Seen::at(pending.depth), &pending.encoded()[KEY_BYTES..])
    }
}
