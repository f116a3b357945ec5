use crate::limits::{ASK_AGAIN_MS, BEGIN_WITHIN_MS, CLAIMS_PER_MESSAGE};
use crate::{Ask, ClaimId, Grant, LeaseEnd, Letter, Message, NodeId, Release, clock_of};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::IpAddr;
use stdx::Timestamp;

/// The asking end of leases: claims on server clocks that other nodes own. A claim is repeated until it is granted; a grant
/// that is not used in time is given back and claimed anew. Nothing here outlives a run.
#[derive(Debug)]
pub struct Asks<T> {
    next: u64,
    claims: BTreeMap<ClaimId, Claim<T>>,
    /// How many of them there are on each clock.
    on_clocks: BTreeMap<IpAddr, usize>,
    /// Granted claims by the moment until which their contact must have begun.
    granted: BTreeSet<(Timestamp, ClaimId)>,
    owners: BTreeMap<NodeId, Owner>,
}

#[derive(Debug)]
struct Claim<T> {
    owner: NodeId,
    ask: Ask,
    /// When it was first said.
    since: Timestamp,
    state: State<T>,
}

#[derive(Debug)]
enum State<T> {
    Asked(T),
    Granted(Timestamp, T),
    InUse,
}

/// What is to be said to one owner of clocks.
#[derive(Debug, Default)]
struct Owner {
    asks: VecDeque<ClaimId>,
    releases: VecDeque<Release>,
    repeat_at: Option<Timestamp>,
}

/// A granted claim whose contact begins now. [`Asks::end`] must follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun<T> {
    /// The claim.
    pub claim: ClaimId,
    /// What it was for.
    pub what: T,
}

/// Claims of different runs have different numbers: a grant may come late.
const CLAIMS_PER_RUN: u64 = 1 << 32;

impl<T> Asks<T> {
    /// For a run of a node.
    pub fn new(run: u64) -> Self {
        Self {
            next: run * CLAIMS_PER_RUN,
            claims: BTreeMap::new(),
            on_clocks: BTreeMap::new(),
            granted: BTreeSet::new(),
            owners: BTreeMap::new(),
        }
    }

    /// Claims a clock of `owner`; the ask's own number is set here.
    pub fn claim(&mut self, owner: NodeId, ask: Ask, what: T, now: Timestamp) {
        let claim = ClaimId(self.next);
        self.next += 1;
        let ask = Ask { claim, ..ask };
        *self.on_clocks.entry(clock_of(ask.address)).or_default() += 1;
        self.claims.insert(claim, Claim { owner, ask, since: now, state: State::Asked(what) });
        let owner = self.owners.entry(owner).or_default();
        owner.asks.push_back(claim);
        owner.repeat_at.get_or_insert(now + ASK_AGAIN_MS);
    }

    /// An owner grants a claim. One that nobody knows any more is given back as if it had just been used; of a clock that is not its
    /// own a node has nothing to grant.
    pub fn granted(&mut self, from: NodeId, grant: Grant, now: Timestamp) {
        let Some(claim) = self.claims.get_mut(&grant.claim) else {
            return self.release(from, grant.claim, LeaseEnd::Contacted { ago_ms: 0 });
        };
        if claim.owner != from {
            return;
        }
        claim.state = match std::mem::replace(&mut claim.state, State::InUse) {
            State::Asked(what) => {
                let use_by = claim.since + grant.waited_ms + BEGIN_WITHIN_MS;
                self.granted.insert((use_by, grant.claim));
                State::Granted(use_by, what)
            }
            known => known,
        };
        self.give_back_stale(now);
    }

    /// The next granted claim, whose contact begins now.
    pub fn begin(&mut self, now: Timestamp) -> Option<Begun<T>> {
        self.give_back_stale(now);
        let (_, claim) = self.granted.pop_first()?;
        let entry = self.claims.get_mut(&claim)?;
        match std::mem::replace(&mut entry.state, State::InUse) {
            State::Granted(_, what) => Some(Begun { claim, what }),
            _ => unreachable!("it stood among the granted"),
        }
    }

    /// Whether a claim is granted and waits to be begun.
    pub fn has_granted(&self) -> bool {
        !self.granted.is_empty()
    }

    /// A contact ended, or did not take place.
    pub fn end(&mut self, claim: ClaimId, end: LeaseEnd) {
        if let Some(ended) = self.claims.remove(&claim) {
            self.leave_clock(ended.ask.address);
            self.release(ended.owner, claim, end);
        }
    }

    /// An owner was started anew and knows of nothing: everything is claimed again.
    pub fn owner_is_new(&mut self, owner: NodeId, now: Timestamp) {
        let of_owner = |(id, claim): (&ClaimId, &Claim<T>)| (claim.owner == owner).then_some(*id);
        for claim in self.claims.iter().filter_map(of_owner).collect::<Vec<_>>() {
            self.claim_anew(claim, now);
        }
    }

    /// Claims that are not granted or whose contact has not ended.
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Of them, those on the clock of this address.
    pub fn claims_on(&self, address: IpAddr) -> usize {
        self.on_clocks.get(&clock_of(address)).copied().unwrap_or(0)
    }

    /// Claims whose contact has not begun.
    pub fn waiting(&self) -> usize {
        self.claims.values().filter(|claim| !matches!(claim.state, State::InUse)).count()
    }

    /// The next thing to say to an owner.
    pub fn next_letter(&mut self, now: Timestamp) -> Option<Letter> {
        self.give_back_stale(now);
        self.repeat(now);
        let claims = &self.claims;
        self.owners.iter_mut().find_map(|(&to, owner)| {
            if !owner.releases.is_empty() {
                let some = owner.releases.len().min(CLAIMS_PER_MESSAGE);
                return Some(Letter {
                    to,
                    message: Message::Releases(owner.releases.drain(..some).collect()),
                });
            }
            let some = owner.asks.len().min(CLAIMS_PER_MESSAGE);
            let asked = |id: ClaimId| claims.get(&id).filter(|claim| matches!(claim.state, State::Asked(_)));
            let asks: Vec<Ask> = owner.asks.drain(..some).filter_map(asked).map(|claim| claim.ask).collect();
            (!asks.is_empty()).then_some(Letter { to, message: Message::Asks(asks) })
        })
    }

    /// When [`Asks::next_letter`] may give something.
    pub fn next_due(&self) -> Option<Timestamp> {
        let due = |owner: &Owner| {
            let at_once = !owner.releases.is_empty() || !owner.asks.is_empty();
            if at_once { Some(Timestamp::ZERO) } else { owner.repeat_at }
        };
        let stale = self.granted.first().map(|&(use_by, _)| use_by);
        self.owners.values().filter_map(due).chain(stale).min()
    }

    fn release(&mut self, owner: NodeId, claim: ClaimId, end: LeaseEnd) {
        self.owners.entry(owner).or_default().releases.push_back(Release { claim, end });
    }

    /// Gives back what was granted and can't be begun any more.
    fn give_back_stale(&mut self, now: Timestamp) {
        while let Some(&(use_by, claim)) = self.granted.first() {
            if use_by > now {
                break;
            }
            let owner = self.claims[&claim].owner;
            self.release(owner, claim, LeaseEnd::Unused);
            self.claim_anew(claim, now);
        }
    }

    /// Under a new number: what the owner heard of the old one says nothing of when it hears this.
    fn claim_anew(&mut self, claim: ClaimId, now: Timestamp) {
        let Some(Claim { owner, ask, since, state }) = self.claims.remove(&claim) else { return };
        let what = match state {
            State::InUse => return drop(self.claims.insert(claim, Claim { owner, ask, since, state })),
            State::Asked(what) => what,
            State::Granted(use_by, what) => {
                self.granted.remove(&(use_by, claim));
                what
            }
        };
        self.leave_clock(ask.address);
        self.claim(owner, ask, what, now);
    }

    fn leave_clock(&mut self, address: IpAddr) {
        if let Entry::Occupied(mut claims) = self.on_clocks.entry(clock_of(address)) {
            *claims.get_mut() -= 1;
            if *claims.get() == 0 {
                claims.remove();
            }
        }
    }

    fn repeat(&mut self, now: Timestamp) {
        for (&node, owner) in &mut self.owners {
            if owner.repeat_at.is_none_or(|at| at > now) {
                continue;
            }
            let asked = |claim: &Claim<T>| claim.owner == node && matches!(claim.state, State::Asked(_));
            owner.asks = self.claims.iter().filter(|(_, claim)| asked(claim)).map(|(id, _)| *id).collect();
            owner.repeat_at = (!owner.asks.is_empty()).then_some(now + ASK_AGAIN_MS);
        }
    }
}
