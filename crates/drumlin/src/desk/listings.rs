use super::Asked;
use super::listing::Listing;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};
use ui::Unanswered;

/// One that takes no longer is made anew while whoever asks waits.
const QUICK: Duration = Duration::from_millis(10);

/// Nobody is shown one that is older while somebody looks.
const OLD: Duration = Duration::from_mins(1);

/// The list of hosts there is, made anew in the background as long as somebody looks.
#[derive(Default)]
pub(super) struct Listings {
    latest: Mutex<Option<Arc<Listing>>>,
    asked_at: Mutex<Option<Instant>>,
    /// Held by whoever makes one: the others take what there is, or wait for it.
    making: Mutex<()>,
}

impl Listings {
    /// One to look at: not the newest, if that takes long.
    pub(super) fn get(&self, asked: &Asked) -> Result<Arc<Listing>, Unanswered> {
        *super::locked(&self.asked_at) = Some(instant());
        let Some(latest) = self.latest() else { return self.make(asked) };
        let is_fresh = latest.age() < latest.keeps();
        if is_fresh || (latest.cost > QUICK && latest.age() < OLD) {
            return Ok(latest);
        }
        self.make(asked)
    }

    /// Makes a new one if the last is old and somebody has looked at it; forgets it when nobody looks any more.
    pub(super) fn tick(&self, asked: &Asked) {
        let asked_at = *super::locked(&self.asked_at);
        let Some(latest) = self.latest() else { return };
        let is_looked_at = asked_at.is_some_and(|at| at.elapsed() < OLD);
        if !is_looked_at {
            *super::locked(&self.latest) = None;
        } else if latest.age() >= latest.keeps() && asked_at.is_some_and(|at| at.elapsed() < latest.age()) {
            let _ = self.make(asked);
        }
    }

    fn make(&self, asked: &Asked) -> Result<Arc<Listing>, Unanswered> {
        let making = match self.making.try_lock() {
            Ok(making) => making,
            Err(TryLockError::Poisoned(left)) => left.into_inner(),
            Err(TryLockError::WouldBlock) => {
                if let Some(latest) = self.latest() {
                    return Ok(latest);
                }
                let waited = super::locked(&self.making);
                if let Some(latest) = self.latest() {
                    return Ok(latest);
                }
                waited
            }
        };
        let made = Arc::new(Listing::gather(asked)?);
        *super::locked(&self.latest) = Some(made.clone());
        drop(making);
        Ok(made)
    }

    fn latest(&self) -> Option<Arc<Listing>> {
        super::locked(&self.latest).clone()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "when somebody looked is a matter of real time, and of no consequence"
)]
fn instant() -> Instant {
    Instant::now()
}
