use crate::clock::Clock;
use crate::config::{FetchConfig, FetchError};
use crate::failure::failure;
use crate::limits::{NEGATIVE_TTL_MS, SILENCE_TTL_MS, TTL_CEILING_MS, TTL_FLOOR_MS};
use crate::policy::AddressPolicy;
use cache::{Answer, Known, NameCache};
use crawler::{Address, Failure, FailureKind, LookUp, ResolveOutcome};
use inquiry::{Found, not_public};
use question::Questions;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OnceCell, Semaphore};

mod cache;
mod datagram;
mod inquiry;
mod question;
mod system;
mod upstreams;

pub use system::system_upstreams;

/// Names to checked addresses: one question per name at a time, answers kept for their time and, while they are asked for
/// anew, a little longer.
pub(crate) struct Names {
    questions: Questions,
    /// Shared by the tasks of one loop; held for a few instructions.
    cache: Mutex<NameCache>,
    policy: AddressPolicy,
    clock: Clock,
    /// Turns of names that are not due yet.
    ahead: Arc<Semaphore>,
}

impl Names {
    pub(crate) fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        Ok(Self {
            questions: Questions::new(config)?,
            cache: Mutex::new(NameCache::new(config.limits.names)),
            policy: config.policy.clone(),
            clock: config.clock,
            ahead: Arc::new(Semaphore::new(config.limits.concurrent_lookups.div_ceil(2))),
        })
    }

    /// The addresses of `host`, a name or an address literal, that may be contacted.
    pub(crate) async fn resolve(self: &Arc<Self>, host: &str, look_up: LookUp) -> ResolveOutcome {
        let answer = match literal(host) {
            Some(address) => Answer::new(self.checked(host, &[address]), self.clock.now() + TTL_CEILING_MS),
            None => self.known_or_asked(host, look_up).await,
        };
        answer.outcome(self.clock.now())
    }

    /// Sees to it that `host` is known soon, without getting in the way of names that are due.
    pub(crate) async fn ask_ahead(self: &Arc<Self>, host: String) {
        let Ok(turn) = self.ahead.clone().acquire_owned().await else { return };
        let names = self.clone();
        tokio::spawn(async move {
            names.resolve(&host, LookUp::Known).await;
            drop(turn);
        });
    }

    async fn known_or_asked(self: &Arc<Self>, host: &str, look_up: LookUp) -> Answer {
        let known = match look_up {
            LookUp::Known => self.cache().look_up(host, self.clock.now()),
            LookUp::Anew => Known::Asked(self.cache().cell_of(host)),
        };
        match known {
            Known::Answer(answer) => answer,
            Known::Stale(answer, question) => {
                self.refresh(host, question);
                answer
            }
            // Whoever comes first asks; whoever comes meanwhile waits for the same answer.
            Known::Asked(cell) => cell.get_or_init(|| self.ask_and_keep(host)).await.clone(),
        }
    }

    /// Asks anew beside those who go on with what they have, unless the upstreams are busy with those who have nothing.
    fn refresh(self: &Arc<Self>, host: &str, question: Option<Arc<OnceCell<Answer>>>) {
        let Some(question) = question else { return };
        if !self.questions.has_room() {
            return self.cache().call_off(host);
        }
        let (names, host) = (self.clone(), host.to_owned());
        tokio::spawn(async move {
            question.get_or_init(|| names.ask_and_keep(&host)).await;
        });
    }

    async fn ask_and_keep(&self, host: &str) -> Answer {
        let found = self.questions.ask(host, &self.policy).await;
        let now = self.clock.now();
        let until = now + ttl_ms(&found);
        let answer = Answer::new(found.and_then(|found| self.checked(host, &found.addresses)), until);
        self.cache().keep(host, answer, now)
    }

    fn checked(&self, host: &str, found: &[IpAddr]) -> Result<Vec<Address>, Failure> {
        let allowed: Vec<_> = found.iter().filter_map(|address| self.policy.check(*address)).collect();
        if allowed.is_empty() {
            return Err(failure(FailureKind::AddressRefused, not_public(host, found)));
        }
        Ok(allowed)
    }

    fn cache(&self) -> MutexGuard<'_, NameCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address that `host` writes out, IPv6 with or without brackets.
fn literal(host: &str) -> Option<IpAddr> {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    inner.parse().ok()
}

fn ttl_ms(found: &Result<Found, Failure>) -> u64 {
    match found {
        Ok(found) => (u64::from(found.ttl_s) * 1000).clamp(TTL_FLOOR_MS, TTL_CEILING_MS),
        Err(failure) if failure.kind == FailureKind::Local => 0,
        Err(failure) if failure.kind == FailureKind::NameServer => SILENCE_TTL_MS,
        Err(_) => NEGATIVE_TTL_MS,
    }
}
