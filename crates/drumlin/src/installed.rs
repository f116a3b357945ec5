//! What this machine has.

use crate::exit::BadUsage;
use crate::settings::{Settings, Size};
use std::fs;
use stdx::format_bytes;

#[cfg(test)]
mod tests;

/// Refuses memory that the machine does not have, as far as that is known; never the default, which nobody has asked for.
pub(crate) fn require_memory(asked: Option<Size>) -> Result<(), BadUsage> {
    let Some(Size(bytes)) = asked.filter(|_| asked > Settings::defaults().memory) else { return Ok(()) };
    match memory_in(&fs::read_to_string("/proc/meminfo").unwrap_or_default()) {
        Some(has) if bytes > has => Err(BadUsage(format!(
            "a memory of {} is more than this machine has, {}",
            format_bytes(bytes),
            format_bytes(has)
        ))),
        _ => Ok(()),
    }
}

/// Bytes of memory (`proc_meminfo(5)`).
fn memory_in(meminfo: &str) -> Option<u64> {
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}
