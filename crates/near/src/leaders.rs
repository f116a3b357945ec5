use crate::error::Result;
use crate::limits::LEADERS;
use crate::peeked::Peeked;
use crate::scratch::Scratch;
use crate::sorter::{Kept, Sorted, Sorter};

/// Pairs those who stand for the texts of a band, each with the first [`LEADERS`] of them. `shared` has (text, band), `stars` (text,
/// representative).
pub(crate) fn pair_with_leaders(
    scratch: &Scratch,
    shared: &Kept,
    stars: &Kept,
    memory_bytes: usize,
    pairs: &mut Sorter,
) -> Result<()> {
    let mut standing = standing(scratch, shared, stars, memory_bytes)?;
    let (mut band, mut leaders) = (None, Vec::with_capacity(LEADERS));
    while let Some([key, rank]) = standing.next()? {
        if band.replace(key) != Some(key) {
            leaders.clear();
        }
        let text = rank & !ALONE;
        leaders.iter().try_for_each(|leader| pairs.push([text.min(*leader), text.max(*leader)]))?;
        if leaders.len() < LEADERS {
            leaders.push(text);
        }
    }
    Ok(())
}

/// Pairs whoever is near a member of a group with the representative. `near` has (earlier, later).
pub(crate) fn pair_with_representatives(near: &Kept, stars: &Kept, pairs: &mut Sorter) -> Result<()> {
    let (mut near, mut stars) = (near.read()?, Peeked::of(stars.read()?)?);
    while let Some([member, text]) = near.next()? {
        if let Some(representative) = stars.beside(member)? {
            pairs.push([representative, text])?;
        }
    }
    Ok(())
}

/// Set in the number of a text that stands for no other: it comes after those that do.
const ALONE: u64 = 1 << 63;

/// (band, who stands for a text of it).
fn standing(scratch: &Scratch, shared: &Kept, stars: &Kept, memory_bytes: usize) -> Result<Sorted> {
    let mut standing = Sorter::new(scratch, "standing", memory_bytes);
    let mut centres = centres(scratch, stars, memory_bytes)?;
    let (mut shared, mut stars) = (shared.read()?, Peeked::of(stars.read()?)?);
    while let Some([text, band]) = shared.next()? {
        let rank = match stars.beside(text)? {
            Some(representative) => representative,
            None if centres.beside(text)?.is_some() => text,
            None => text | ALONE,
        };
        standing.push([band, rank])?;
    }
    standing.finish()
}

/// Texts that stand for others: (text, 0).
fn centres(scratch: &Scratch, stars: &Kept, memory_bytes: usize) -> Result<Peeked> {
    let mut centres = Sorter::new(scratch, "centres", memory_bytes);
    let mut stars = stars.read()?;
    while let Some([_, representative]) = stars.next()? {
        centres.push([representative, 0])?;
    }
    Peeked::of(centres.finish()?)
}
