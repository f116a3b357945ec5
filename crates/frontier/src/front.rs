use crate::Class;
use crate::limits::CLASS_WEIGHTS;
use stdx::Rng;

/// Mercator's lottery among the front queues: picks a class by weight among those that have something.
pub(crate) fn draw_class(lottery: &mut Rng, has: impl Fn(Class) -> bool) -> Option<Class> {
    let weight = |class: Class| if has(class) { CLASS_WEIGHTS[class as usize] } else { 0 };
    let total: u64 = Class::ALL.into_iter().map(weight).sum();
    if total == 0 {
        return None;
    }
    let mut ticket = lottery.below(total);
    Class::ALL.into_iter().find(|&class| {
        let weight = weight(class);
        let hit = ticket < weight;
        ticket = ticket.saturating_sub(weight);
        hit
    })
}
