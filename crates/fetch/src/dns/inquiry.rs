use crate::failure::failure;
use crate::limits::{ADDRESSES_PER_NAME, FAMILY_GRACE_MS};
use crate::policy::AddressPolicy;
use crawler::{Failure, FailureKind};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RecordType};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::Instant;

#[cfg(test)]
mod tests;

/// What the upstreams say of a name.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Never empty; in the configured order of families, and within one as the upstream gave them.
    pub(super) addresses: Vec<IpAddr>,
    /// The shortest TTL on the way to them, in seconds.
    pub(super) ttl_s: u32,
}

impl Found {
    fn may_be_contacted(&self, policy: &AddressPolicy) -> bool {
        self.addresses.iter().any(|address| policy.check(*address).is_some())
    }

    /// What stands where the other family is missing for this reason. Where nobody said that the name has none of that, the name is not yet known
    /// to be only where nobody may go; and as most names have IPv4, one that seems to have none is asked for again soon.
    fn without(self, missing: &Failure, policy: &AddressPolicy) -> Answered {
        match missing.kind {
            FailureKind::NameNotFound => Ok(self),
            _ if !self.may_be_contacted(policy) => {
                let known = not_public("by what is known it", &self.addresses);
                Err(failure(FailureKind::NameServer, format!("{}; {known}", missing.detail)))
            }
            _ if self.addresses.iter().all(IpAddr::is_ipv6) => Ok(Self { ttl_s: 0, ..self }),
            _ => Ok(self),
        }
    }
}

/// That `who` may not be contacted at its addresses.
pub(super) fn not_public(who: &str, addresses: &[IpAddr]) -> String {
    let list: Vec<_> = addresses.iter().map(IpAddr::to_string).collect();
    format!("{who} is at {}, not on the public internet", list.join(", "))
}

/// As many of `all` as are kept of a name, each once.
pub(super) fn kept(all: impl Iterator<Item = IpAddr>) -> Vec<IpAddr> {
    let mut addresses = Vec::new();
    for address in all {
        if addresses.len() < ADDRESSES_PER_NAME && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

pub(super) type Answered = Result<Found, Failure>;

/// That there is no address, where a server says so with `code`.
pub(super) fn none_found(name: &Name, record_type: RecordType, code: ResponseCode) -> Failure {
    let (kind, what) = match code {
        ResponseCode::NoError => (FailureKind::NameNotFound, "no address".to_owned()),
        ResponseCode::NXDomain => (FailureKind::NameNotFound, "no such name".to_owned()),
        code => (FailureKind::NameServer, code.to_string()),
    };
    failure(kind, format!("{name} {record_type}: {what}"))
}

/// A name whose addresses are asked for, of one family or of both, and what has come of it so far.
pub(super) struct Inquiry<'p> {
    name: Name,
    policy: &'p AddressPolicy,
    asked: Vec<Asked>,
    /// Once one family has an address that may be contacted: how long the other is waited for. Some name servers never answer about AAAA (RFC
    /// 4074; RFC 8305, section 3).
    grace_until: Option<Instant>,
}

struct Asked {
    record_type: RecordType,
    /// `None` while nobody has answered.
    answer: Option<Answered>,
}

impl<'p> Inquiry<'p> {
    /// Asks for `families`, the first of which comes first in what is found.
    pub(super) fn new(name: Name, families: &[RecordType], policy: &'p AddressPolicy) -> Self {
        let asked = families.iter().map(|&record_type| Asked { record_type, answer: None });
        Self { name, policy, asked: asked.collect(), grace_until: None }
    }

    pub(super) fn name(&self) -> &Name {
        &self.name
    }

    /// What is still to be asked: whatever no upstream has answered, other than that it cannot.
    pub(super) fn open(&self) -> Vec<RecordType> {
        let is_open = |asked: &&Asked| match &asked.answer {
            None => true,
            Some(answer) => answer.as_ref().is_err_and(|failure| failure.kind != FailureKind::NameNotFound),
        };
        self.asked.iter().filter(is_open).map(|asked| asked.record_type).collect()
    }

    /// Takes an answer in. That one upstream cannot be reached says nothing where another was.
    pub(super) fn note(&mut self, record_type: RecordType, answer: Answered) {
        let is_of_use = answer.as_ref().is_ok_and(|found| found.may_be_contacted(self.policy));
        if is_of_use && self.grace_until.is_none() {
            self.grace_until = Some(Instant::now() + Duration::from_millis(FAMILY_GRACE_MS));
        }
        for asked in &mut self.asked {
            if asked.record_type == record_type {
                let is_ours = answer.as_ref().is_err_and(|failure| failure.kind == FailureKind::Local);
                if !is_ours || asked.answer.is_none() {
                    asked.answer = Some(answer);
                }
                return;
            }
        }
    }

    /// How long what is open is waited for: without an end while nothing of use is found.
    pub(super) fn grace_until(&self) -> Option<Instant> {
        self.grace_until
    }

    /// Whether to ask no further.
    pub(super) fn is_over(&self) -> bool {
        self.open().is_empty() || self.grace_until.is_some_and(|until| Instant::now() >= until)
    }

    /// What all answers together say; `silence` stands for those that did not come.
    pub(super) fn verdict(self, silence: &str) -> Answered {
        let Self { name, policy, asked, .. } = self;
        let answers = asked.into_iter().map(|Asked { record_type, answer }| {
            answer.unwrap_or_else(|| {
                Err(failure(FailureKind::NameServer, format!("{name} {record_type}: {silence}")))
            })
        });
        let nothing = || Err(failure(FailureKind::Local, format!("{name}: nothing was asked")));
        answers.reduce(|first, second| both(first, second, policy)).unwrap_or_else(nothing)
    }
}

fn both(first: Answered, second: Answered, policy: &AddressPolicy) -> Answered {
    match (first, second) {
        (Ok(mut found), Ok(more)) => {
            found.addresses.extend(more.addresses);
            found.addresses.truncate(ADDRESSES_PER_NAME);
            Ok(Found { ttl_s: found.ttl_s.min(more.ttl_s), ..found })
        }
        (Ok(found), Err(missing)) | (Err(missing), Ok(found)) => found.without(&missing, policy),
        // That one family is absent says nothing while the other is unknown.
        (Err(failure), Err(other)) if failure.kind == FailureKind::NameNotFound => Err(other),
        (Err(failure), Err(_)) => Err(failure),
    }
}
