use super::Found;
use super::arrivals::{Arrivals, Came, DAMAGED};
use super::plan::Plan;
use crate::entry::Entry;
use crate::host::Barred;
use crate::limits::{ADVANCE_URLS, PARKED, REVIVING};
use crate::stored_host::StoredHost;
use crate::table::read_pending;
use crate::{Pending, Result};
use backlog::JobQueues;
use stdx::Timestamp;

impl StoredHost<'_> {
    /// Takes out what has been tried, as if it had not been.
    fn take_tried(&mut self) -> Result<Vec<Vec<u8>>> {
        self.standing.retry_at = Timestamp::NEVER;
        let mut tried = std::mem::take(&mut self.queues.retries);
        tried.extend(
            self.queues
                .back
                .extract_if(.., |entry| Entry::parse(entry).is_some_and(|entry| entry.attempts > 0)),
        );
        tried.into_iter().map(|entry| Ok(read_pending(entry)?.afresh().encoded())).collect()
    }
}

impl Plan {
    /// Takes parked URLs that are to be put back from their queue, as many as one job takes in.
    pub(super) fn revive(
        &mut self,
        queues: &mut JobQueues,
        arrivals: &mut Arrivals,
        found: &mut Found,
    ) -> Result<()> {
        let Some(reviving) = self.reviving.clone() else { return Ok(()) };
        let revived = found.revived.get_or_insert_default();
        revived.known = reviving.known();
        revived.set_apart = queues.is_empty(REVIVING);
        if revived.set_apart {
            queues.splice(PARKED, REVIVING)?;
        }
        let (mut next_order, last) = (reviving.next_order, reviving.next_order + ADVANCE_URLS);
        while next_order < last {
            let Some(entries) = queues.read(REVIVING)? else { break };
            let block: Vec<Pending> = entries.iter().map(read_pending).collect::<Result<_>>()?;
            for pending in block {
                if !reviving.takes(&pending) {
                    queues.append(PARKED, &pending.encoded())?;
                    continue;
                }
                let order = next_order;
                next_order += 1;
                self.put_back(pending.afresh(), order, arrivals, found)?;
            }
        }
        found.revived.get_or_insert_default().done = queues.is_empty(REVIVING);
        Ok(())
    }

    fn put_back(
        &mut self,
        pending: Pending,
        order: u64,
        arrivals: &mut Arrivals,
        found: &mut Found,
    ) -> Result<()> {
        if self.tombstones.lift(pending.key, pending.order) {
            // A replay has seen it go on.
            found.bury(&pending);
            found.revived.get_or_insert_default().buried += 1;
            return Ok(());
        }
        found.revived.get_or_insert_default().urls.push((pending.key, pending.depth));
        let entry = Pending { order, ..pending }.encoded();
        arrivals.push_entry(&entry, Came::Back, self.seed).ok_or(DAMAGED)
    }

    /// A host of the directory, let go on if it was held and is meant.
    pub(super) fn revive_host(&self, payload: Vec<u8>, found: &mut Found) -> Result<Vec<u8>> {
        let Some(reviving) = self.reviving.as_ref().filter(|reviving| reviving.sees_to_hosts()) else {
            return Ok(payload);
        };
        let tried: Vec<Vec<u8>>;
        let mut stored = StoredHost::parse(&payload)?;
        let mut record = stored.record()?;
        let known = (record.resting.len(), record.robots.len());
        match reviving.lets_go_on(&mut record) {
            Some(barred) => {
                let revived = found.revived.get_or_insert_default();
                *match barred {
                    Barred::Parked(_) => &mut revived.with_parked,
                    Barred::Excluded(_) => &mut revived.with_refused,
                } += stored.standing.pending;
                stored.standing.barred = false;
                tried = stored.take_tried()?;
                stored.queues.back.extend(tried.iter().map(Vec::as_slice));
            }
            None if known == (record.resting.len(), record.robots.len()) => return Ok(payload),
            None => {}
        }
        let record = record.encode();
        Ok(stored.with_record(&record).encode())
    }
}
