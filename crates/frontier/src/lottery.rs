use crate::Class;
use crate::limits::CLASS_WEIGHTS;
use stdx::Rng;

/// The lottery among the front queues of Mercator (Heydon and Najork, 1999).
#[derive(Debug)]
pub struct Lottery(Rng);

impl Lottery {
    /// Equal seeds draw the same.
    pub fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    /// Draws a class, by weight, of those that have something; `None` if none has.
    pub fn draw(&mut self, has: impl Fn(Class) -> bool) -> Option<Class> {
        let weight = |class: Class| if has(class) { CLASS_WEIGHTS[class as usize] } else { 0 };
        let total: u64 = Class::ALL.into_iter().map(weight).sum();
        if total == 0 {
            return None;
        }
        let mut ticket = self.0.below(total);
        Class::ALL.into_iter().find(|&class| {
            let weight = weight(class);
            let hit = ticket < weight;
            ticket = ticket.saturating_sub(weight);
            hit
        })
    }
}
