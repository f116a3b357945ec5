use super::{Gathered, Lies, Listed};
use crate::desk::Asked;
use crawler::{HostKey, HostsOnDisk, More};
use ui::Unanswered;

/// A directory that a job has replaced before it was opened is asked for again, so often.
const TRIES: u32 = 5;

/// Reads the hosts on disk, shard by shard, as long as there is room. The crawl is asked where they are and nothing else.
pub(super) fn read_all(asked: &Asked, gathered: &mut Gathered) -> Result<(), Unanswered> {
    for shard in 0..=u8::MAX {
        if !read_shard(asked, shard, gathered)? {
            break;
        }
    }
    Ok(())
}

/// Whether there is room for more.
fn read_shard(asked: &Asked, shard: u8, gathered: &mut Gathered) -> Result<bool, Unanswered> {
    let mut has_room = true;
    read_hosts(asked, shard, None, |key, facts| {
        if gathered.at_hand.contains(&key) {
            return More::Yes;
        }
        has_room = gathered.has_room();
        if !has_room {
            return More::No;
        }
        gathered.hosts.push(Listed { facts, lies: Lies::OnDisk });
        More::Yes
    })?;
    Ok(has_room)
}

/// Shows `see` the hosts of a shard behind `after` that lie on disk.
pub(in crate::desk) fn read_hosts(
    asked: &Asked,
    shard: u8,
    after: Option<HostKey>,
    mut see: impl FnMut(HostKey, crawler::HostFacts) -> More,
) -> Result<(), Unanswered> {
    for _ in 0..TRIES {
        let Some(hosts) = hosts_on_disk(asked, shard)? else { return Ok(()) };
        match hosts.read(after, &mut see) {
            Err(error) if error.is_gone() => {}
            read => return read.map_err(|error| Unanswered::Unreadable(error.to_string())),
        }
    }
    Err(Unanswered::Busy)
}

fn hosts_on_disk(asked: &Asked, shard: u8) -> Result<Option<HostsOnDisk>, Unanswered> {
    asked.look(move |crawler, _| crawler.hosts_on_disk(shard))
}
