use super::Consequence;
use crate::host::HostId;
use crate::limits::MAX_HOPS;
use crate::record::Exclusion;
use crate::{Frontier, Pending, Result};

/// What becomes of a URL that is redirected to itself, in whatever form.
impl Frontier {
    /// Same key, other form.
    pub(super) fn go_on_as(&mut self, id: HostId, mut pending: Pending, target: &str) -> Result<Consequence> {
        if pending.url == target {
            return self.goes_nowhere(id, &pending);
        }
        target.clone_into(&mut pending.url);
        self.go_on(id, pending)
    }

    /// The URL goes on, next in its host's queue.
    pub(super) fn go_on(&mut self, id: HostId, mut pending: Pending) -> Result<Consequence> {
        if pending.hops >= MAX_HOPS {
            return self.goes_nowhere(id, &pending);
        }
        pending.hops += 1;
        self.host(id).back.push_front(pending);
        Ok(Consequence::Again)
    }

    pub(super) fn goes_nowhere(&mut self, id: HostId, pending: &Pending) -> Result<Consequence> {
        self.exclude(id, pending, Exclusion::RedirectLimit)?;
        Ok(Consequence::Excluded)
    }
}
