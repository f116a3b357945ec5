use crate::orders::Orders;
use crate::saved::Saved;
use crate::{Crawler, Order, Record, RecoveryError};
use archive::{Checkpoint, Purged, ReplayEntry};
use control::{Command, Takedown, Takedowns};
use corpus::Revision;
use weburl::Url;

impl Crawler {
    /// What keeps a URL from leaving the crawl, if it was taken down.
    pub fn takedown_of(&self, url: &Url) -> Option<Takedown> {
        self.orders.takedowns().covering(url).cloned()
    }

    /// All that has been taken down.
    pub fn takedowns(&self) -> Takedowns {
        self.orders.takedowns()
    }
}

/// What has been taken down in a crawl that nobody recovers: by its checkpoint, and by what its journal says from there on.
/// `ledger` gives the entries from about a number on.
pub fn takedowns<I: Iterator<Item = archive::Result<ReplayEntry>>>(
    checkpoint: Option<&Checkpoint>,
    ledger: impl FnOnce(u64) -> archive::Result<I>,
) -> Result<Takedowns, RecoveryError> {
    let mut orders = Orders::default();
    let mut covered = 0;
    if let Some(checkpoint) = checkpoint {
        orders = Saved::decode(&checkpoint.state)?.orders;
        covered = checkpoint.covers_seq;
    }
    for entry in ledger(covered)? {
        let entry = entry?;
        if entry.seq > covered && Record::is_of_takedowns(&entry.record) {
            note(&mut orders, entry.seq, Record::decode(entry.seq, &entry.record)?);
        }
    }
    Ok(orders.takedowns())
}

fn note(orders: &mut Orders, entry: u64, record: Record) {
    match record {
        Record::Control { at, command: Command::Takedown(target), .. } => {
            orders.withhold(target, Order { entry, at });
        }
        Record::Control { command: Command::Readmit(target), .. } => orders.readmit(&target),
        Record::Purged { through, .. } => orders.purged(through),
        _ => {}
    }
}

/// What becomes of a row, by its id and URL, in a corpus whose archive has been purged.
pub fn revision(takedowns: &Takedowns, purged: &Purged, id: &str, url: &str) -> Revision {
    if takedowns.covering_text(url).is_some() || purged.gone.has(id) {
        return Revision::Gone;
    }
    purged.moved.place(id).map_or(Revision::Stays, |place| Revision::Moved {
        warc_file: place.filename.clone(),
        offset: place.offset,
        length: place.length,
    })
}
