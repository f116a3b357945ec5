use crate::error::Result;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};

/// The connected components of `near`, whose pairs are (later, earlier), by sorting alone: large-star and small-star in turn, until nothing
/// changes (Kiveris et al.: *Connected Components in `MapReduce` and Beyond*, 2014). Then each text is joined to the
/// first of its component and to nothing else: (text, first).
pub(crate) fn group(scratch: &Scratch, near: Sorter, memory_bytes: usize) -> Result<Sorted> {
    let mut edges = near.finish()?;
    let mut before = None;
    loop {
        let mut both_ways = Sorter::new(scratch, "both-ways", memory_bytes);
        let state = turn_both_ways(edges, &mut both_ways)?;
        let mut large = Sorter::new(scratch, "large-star", memory_bytes);
        large_star(both_ways.finish()?, &mut large)?;
        let mut small = Sorter::new(scratch, "small-star", memory_bytes);
        small_star(large.finish()?, &mut small)?;
        edges = small.finish()?;
        if before.replace(state) == Some(state) {
            return Ok(edges);
        }
    }
}

/// How many edges there are, and their sum in a sense: equal sets have equal states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct State {
    edges: u64,
    sum: u64,
}

fn turn_both_ways(mut edges: Sorted, out: &mut Sorter) -> Result<State> {
    let mut state = State::default();
    while let Some([later, earlier]) = edges.next()? {
        out.push([later, earlier])?;
        out.push([earlier, later])?;
        state.edges += 1;
        state.sum =
            state.sum.wrapping_add(later.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32) ^ earlier);
    }
    Ok(state)
}

/// Joins the later neighbours of each text to its first neighbour, or to itself if it comes before all of them.
fn large_star(mut edges: Sorted, out: &mut Sorter) -> Result<()> {
    let mut star = None;
    while let Some([text, neighbour]) = edges.next()? {
        // Neighbours ascend, so that the first one read is the first of all.
        let centre = centre(&mut star, text, neighbour);
        if neighbour > text {
            out.push([neighbour, centre])?;
        }
    }
    Ok(())
}

/// Joins each text and its earlier neighbours to the first of them.
fn small_star(mut edges: Sorted, out: &mut Sorter) -> Result<()> {
    let mut star = None;
    while let Some([text, neighbour]) = edges.next()? {
        let centre = centre(&mut star, text, neighbour);
        let joined = if neighbour == centre { text } else { neighbour };
        out.push([joined, centre])?;
    }
    Ok(())
}

struct Star {
    text: u64,
    centre: u64,
}

fn centre(star: &mut Option<Star>, text: u64, neighbour: u64) -> u64 {
    match star {
        Some(star) if star.text == text => star.centre,
        _ => star.insert(Star { text, centre: text.min(neighbour) }).centre,
    }
}
