use super::arrivals::{Arrival, Arrivals, Came};
use super::domains::{Domain, Domains};
use super::plan::{Must, Plan, Resident};
use super::selection::{Choice, Selection};
use super::shelf::Shelf;
use super::{Delivery, Found, LaneBack};
use crate::entry::Entry;
use crate::habits::Habits;
use crate::host::{Barred, HostId, HostRecord};
use crate::identity::host_of;
use crate::lane::{Returned, Tail};
use crate::limits::SECTION_ENTRIES;
use crate::stored_host::{StoredHost, standing_of};
use crate::table::read_pending;
use crate::{Acquaintance, Pending, Result, Standing};
use backlog::{DirectoryReader, DirectoryWriter, JobQueues, Key};

/// The join: arrivals, hosts that leave memory and the directory side by side, in the order of (domain, host).
pub(super) struct Pass<'j> {
    pub(super) plan: Plan,
    pub(super) arrivals: &'j Arrivals,
    pub(super) domains: Domains,
    /// The directory; `None` if nothing of it is touched.
    pub(super) old: Option<DirectoryReader>,
    pub(super) new: Option<DirectoryWriter>,
    pub(super) queues: JobQueues,
    pub(super) shelf: Shelf<'j>,
    pub(super) selection: Selection,
    pub(super) found: Found,
    /// Entries for lanes that were lent.
    pub(super) newer: Vec<Vec<&'j [u8]>>,
    pub(super) residents: usize,
    pub(super) leaving: usize,
}

/// What a pass knows of a host that is not in memory.
enum Known {
    /// It leaves memory: its queues may be long.
    Leaves(Vec<u8>),
    InDirectory(Vec<u8>),
}

impl<'j> Pass<'j> {
    pub(super) fn run(&mut self) -> Result<()> {
        let mut rest = self.arrivals.list();
        while let Some(group) = self.first_group(rest)? {
            let (mine, later) = rest.split_at(rest.partition_point(|arrival| arrival.key.group == group));
            self.group(group, mine)?;
            rest = later;
        }
        self.end_lanes()
    }

    fn first_group(&mut self, arrivals: &[Arrival]) -> Result<Option<u64>> {
        let hosts = self.first_host(arrivals)?.map(|key| key.group);
        Ok([hosts, self.domains.first()?].into_iter().flatten().min())
    }

    fn first_host(&mut self, arrivals: &[Arrival]) -> Result<Option<Key>> {
        let arrival = arrivals.first().map(|arrival| arrival.key);
        let leaving = self.plan.leaving.get(self.leaving).map(|(key, _)| *key);
        let wanted = self.plan.wanted.keys().next().copied();
        let old = match &mut self.old {
            Some(old) => old.peek()?,
            None => None,
        };
        Ok([arrival, leaving, wanted, old].into_iter().flatten().min())
    }

    fn group(&mut self, group: u64, mut arrivals: &'j [Arrival]) -> Result<()> {
        let mut domain = self.domains.enter(group)?;
        self.introduce(&mut domain, arrivals)?;
        self.domains.count_votes(&mut domain, &mut self.found)?;
        let (mut hosts, mut last) = (Choice::Stays, None);
        while let Some(key) = self.first_host(arrivals)?.filter(|key| key.group == group) {
            assert!(last < Some(key), "a join that meets a host again comes to no end");
            last = Some(key);
            let (mine, later) = arrivals.split_at(arrivals.partition_point(|arrival| arrival.key == key));
            hosts = hosts.max(self.host(key, mine, &mut domain)?);
            arrivals = later;
        }
        self.domains.leave(domain, hosts, &mut self.found)
    }

    /// A domain that arrivals name is known from here on; one that a seed names is one of those the crawl is about.
    fn introduce(&self, domain: &mut Domain, arrivals: &[Arrival]) -> Result<()> {
        let Some(first) = arrivals.first() else { return Ok(()) };
        let ledger = domain.ledger(self.host_name(first), self.plan.not_before)?;
        if arrivals.iter().any(|arrival| arrival.came == Came::AsSeed) {
            ledger.standing = Standing::Seeded;
        }
        Ok(())
    }

    fn host_name(&self, arrival: &Arrival) -> &'j str {
        host_of(self.entry(arrival).url)
    }

    fn host(&mut self, key: Key, arrivals: &'j [Arrival], domain: &mut Domain) -> Result<Choice> {
        let known = self.known(key)?;
        // A host that was to be woken may have been recalled since; it gets its errands when the job is over.
        let wanted = self.plan.wanted.remove(&key);
        if let Some(resident) = self.resident(key) {
            // What is on disk of it is void: memory has what is true.
            self.resident_host(resident, arrivals, domain)?;
            return Ok(Choice::Stays);
        }
        let known = known.map(|known| self.revive(known)).transpose()?;
        let payload = match known {
            Some(known) => self.known_host(known, arrivals, domain)?,
            None => match self.new_host(arrivals, wanted.as_deref(), domain)? {
                Some(payload) => payload,
                None => return Ok(Choice::Stays),
            },
        };
        if wanted.is_some() {
            self.selection.fetch(key, payload)?;
            return Ok(Choice::Comes);
        }
        let choice = self.selection.offer(key, &standing_of(&payload)?, &payload, &mut domain.bytes)?;
        if choice < Choice::Comes {
            self.write(key, &payload)?;
        }
        Ok(choice)
    }

    fn known(&mut self, key: Key) -> Result<Option<Known>> {
        let mut known = None;
        if let Some(old) = &mut self.old
            && old.peek()? == Some(key)
        {
            known = old.next()?.map(|record| Known::InDirectory(record.payload.to_owned()));
        }
        if let Some((leaving, payload)) = self.plan.leaving.get_mut(self.leaving)
            && *leaving == key
        {
            self.leaving += 1;
            known = Some(Known::Leaves(std::mem::take(payload)));
        }
        Ok(known)
    }

    fn revive(&mut self, known: Known) -> Result<Known> {
        Ok(match known {
            Known::InDirectory(payload) => {
                Known::InDirectory(self.plan.revive_host(payload, &mut self.found)?)
            }
            leaves @ Known::Leaves(_) => leaves,
        })
    }

    /// Where in the plan the host of this key is, if it is in memory.
    fn resident(&mut self, key: Key) -> Option<usize> {
        let residents = &self.plan.residents[self.residents..];
        self.residents += residents.iter().take_while(|resident| resident.key < key).count();
        self.plan.residents.get(self.residents).filter(|resident| resident.key == key).map(|_| self.residents)
    }

    fn resident_host(&mut self, place: usize, arrivals: &'j [Arrival], domain: &mut Domain) -> Result<()> {
        if arrivals.is_empty() {
            return Ok(());
        }
        let Resident { host, lent, mut habits, .. } = self.plan.residents[place].clone();
        let counts = habits.counts;
        let passing = self.place(domain, Acquaintance::Known, &mut habits, arrivals)?;
        if habits.counts != counts {
            self.found.habits.push((host, habits.counts));
        }
        self.deliver(host, lent, &passing)
    }

    pub(super) fn entry(&self, arrival: &Arrival) -> Entry<'j> {
        Entry::parse(self.arrivals.entry(arrival)).expect("it was parsed when it arrived")
    }

    /// Gives a host in memory what is its own: by hand, or as a section where it is much.
    fn deliver(&mut self, host: HostId, lent: [Option<u32>; 3], passing: &[&'j Arrival]) -> Result<()> {
        for of_class in passing.chunk_by(|a, b| a.class == b.class) {
            let class = of_class[0].class;
            let entries = of_class.iter().map(|arrival| self.arrivals.entry(arrival));
            if let Some(lent) = lent[class as usize] {
                self.newer[lent as usize].extend(entries);
                continue;
            }
            let bytes: u64 = entries.clone().map(|entry| (entry.len() + size_of::<Pending>()) as u64).sum();
            if of_class.len() < SECTION_ENTRIES || bytes <= self.selection.left() / 4 {
                self.selection.spend(bytes);
                for entry in entries {
                    let pending = read_pending(entry)?;
                    self.found.arrivals.push(Delivery { host, pending });
                }
            } else if let Some(section) = self.shelf.write(&[], entries)? {
                self.found.grown.push((host, class, section));
            }
        }
        Ok(())
    }

    /// A host that nobody has met before, with its first URLs; `None` if none of them passes and nobody wants it.
    fn new_host(
        &mut self,
        arrivals: &'j [Arrival],
        wanted: Option<&str>,
        domain: &mut Domain,
    ) -> Result<Option<Vec<u8>>> {
        let mut habits = Habits::default();
        let strangers = self.plan.deferred.strangers;
        let passing = self.place(domain, Acquaintance::New, &mut habits, arrivals)?;
        let named = passing.first().map(|arrival| self.host_name(arrival));
        let Some(name) = named.or(wanted) else { return Ok(None) };
        self.plan.deferred.introduce(&mut habits.counts, strangers);
        self.found.counts.hosts += 1;
        domain.ledger(name, self.plan.not_before)?.hosts += 1;
        let record = HostRecord::new(name, self.plan.not_before).encode();
        let mut stored = StoredHost::new(&record, self.plan.not_before);
        stored.habits = habits;
        self.with(stored, &passing).map(Some)
    }

    /// A host of the directory, with what is added to it.
    fn known_host(&mut self, known: Known, arrivals: &'j [Arrival], domain: &mut Domain) -> Result<Vec<u8>> {
        let (payload, leaves) = match known {
            Known::InDirectory(payload) => (payload, false),
            Known::Leaves(payload) => (payload, true),
        };
        let moves = self.plan.moves && standing_of(&payload)?.has_sections;
        if arrivals.is_empty() && !leaves && !moves {
            return Ok(payload);
        }
        let mut stored = StoredHost::parse(&payload)?;
        let passing = self.place(domain, Acquaintance::Known, &mut stored.habits, arrivals)?;
        if stored.standing.barred {
            self.share_fate(&stored.record()?, passing.len() as u64);
        }
        self.with(stored, &passing)
    }

    fn with<'a>(&mut self, mut stored: StoredHost<'a>, passing: &[&Arrival]) -> Result<Vec<u8>>
    where
        'j: 'a,
    {
        for arrival in passing {
            stored.queues.lanes[arrival.class as usize].tail.push(self.arrivals.entry(arrival));
        }
        for lane in &mut stored.queues.lanes {
            self.shelf.arrange(lane)?;
        }
        Ok(stored.encode())
    }

    /// URLs of a barred host do not wait.
    fn share_fate(&mut self, record: &HostRecord, urls: u64) {
        match record.barred {
            Some(Barred::Parked(_)) => self.found.counts.parked += urls,
            Some(Barred::Excluded(_)) => self.found.counts.excluded += urls,
            None => {}
        }
    }

    /// The lanes that were lent, with what has come for them.
    fn end_lanes(&mut self) -> Result<()> {
        let lanes = std::mem::take(&mut self.plan.lent);
        for (lent, newer) in lanes.into_iter().zip(std::mem::take(&mut self.newer)) {
            let mut sections = lent.sections;
            let added = newer.len() as u64;
            let entries: Vec<&[u8]> = lent.tail.iter().chain(newer.iter().copied()).collect();
            let writes = lent.must == Must::Write || entries.len() >= SECTION_ENTRIES;
            let (tail, newer) = if writes && !entries.is_empty() {
                self.shelf.append(&mut sections, &entries)?;
                (Tail::Written, Vec::new())
            } else {
                (Tail::Kept, newer.into_iter().map(read_pending).collect::<Result<_>>()?)
            };
            self.shelf.relocate(&mut sections)?;
            let (host, class) = (lent.host, lent.class);
            self.found.returned.push(LaneBack {
                host,
                class,
                lane: Returned { sections, tail },
                newer,
                added,
            });
        }
        Ok(())
    }

    fn write(&mut self, key: Key, payload: &[u8]) -> Result<()> {
        let new = self.new.as_mut().expect("a pass that touches the directory writes it anew");
        Ok(new.push(key, payload)?)
    }
}
