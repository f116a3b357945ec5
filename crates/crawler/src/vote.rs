//! A page has one vote (STAR).
//!
//! IRLbot's in-degree counts every domain that links to another, so R domains that one owner has bought give each other R²
//! votes with a page or two each. That does not matter where the top begins at thousands of votes; in a crawl of some ten
//! thousand domains such a ring leads the ranking. So of all links of a page that leave its domain one is its vote, drawn by lot
//! among the domains they lead to, as a reader would who follows one: what a domain says of others is as much as it has been
//! fetched, and that is what its own budget holds. A vote counts for a URL that is known, too.

use crate::FoundLinks;
use crate::limits::SHARDS;
use frontier::CaptureSeq;
use stdx::Rng;

/// Which of the links of a page in the shard `own` is its vote; the same whenever the capture is parsed. Domains are told apart
/// by their shards: two of one shard have one lot between them, and those of the page's own shard, one in 256, none.
pub(crate) fn voted(capture: CaptureSeq, own: u8, links: &FoundLinks) -> Option<usize> {
    let mut has_lot = [false; SHARDS];
    has_lot[usize::from(own)] = true;
    let shards = links.iter().map(|link| link.shard).enumerate();
    let first_abroad =
        shards.filter(|(_, shard)| !std::mem::replace(&mut has_lot[usize::from(*shard)], true));
    first_abroad.min_by_key(|(_, shard)| lot(capture, *shard)).map(|(link, _)| link)
}

fn lot(capture: CaptureSeq, shard: u8) -> u64 {
    Rng::new(capture.0.rotate_left(u8::BITS) ^ u64::from(shard)).next_u64()
}
