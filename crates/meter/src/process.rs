use rustix::time::{ClockId, clock_gettime};
use std::fs;

/// Seconds that the processor has worked for this process, over all its threads and in the system too.
pub fn cpu_s() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

/// Seconds that the processor has worked for this thread.
pub fn thread_cpu_s() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Resident memory of this process, in bytes (`VmRSS` of proc(5)); 0 beside Linux.
pub fn resident_bytes() -> u64 {
    status("self", "VmRSS:").unwrap_or(0)
}

/// The most that it has been (`VmHWM`).
pub fn peak_bytes() -> u64 {
    status("self", "VmHWM:").unwrap_or(0)
}

/// … of another process; `None` once that has ended.
pub fn peak_bytes_of(process: u32) -> Option<u64> {
    status(&process.to_string(), "VmHWM:")
}

fn status(process: &str, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let said = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kib: u64 = said.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}
