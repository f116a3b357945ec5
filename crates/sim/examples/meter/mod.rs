//! What a run costs, as the system counts it: Linux only, as the limit on memory is.

use std::fs;
use std::time::Instant;

/// Measures from its making on.
pub(crate) struct Meter {
    started: Instant,
    cpu_ms: u64,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), cpu_ms: cpu_ms() }
    }

    /// Seconds on the wall.
    pub(crate) fn wall_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Seconds of processor time, over all threads.
    pub(crate) fn cpu_s(&self) -> f64 {
        (cpu_ms() - self.cpu_ms) as f64 / 1000.0
    }
}

/// Resident memory of this process, in bytes.
pub(crate) fn resident_bytes() -> u64 {
    field("/proc/self/status", "VmRSS:").map_or(0, |kib| kib * 1024)
}

/// The most that it has been.
pub(crate) fn peak_bytes() -> u64 {
    field("/proc/self/status", "VmHWM:").map_or(0, |kib| kib * 1024)
}

/// Puts this process under a limit of the kernel's (cgroup v1), page cache included; says how, or why not.
pub(crate) fn limit_memory(bytes: u64) -> String {
    let group = "/sys/fs/cgroup/memory/drumlin-bench";
    let enter = || -> std::io::Result<()> {
        fs::create_dir_all(group)?;
        fs::write(format!("{group}/memory.limit_in_bytes"), bytes.to_string())?;
        fs::write(format!("{group}/cgroup.procs"), std::process::id().to_string())
    };
    match enter() {
        Ok(()) => format!("{bytes} bytes, by memory.limit_in_bytes of {group}"),
        Err(error) => format!("none: {error}"),
    }
}

/// User and system time, in milliseconds: the 14th and 15th field, in hundredths of a second.
fn cpu_ms() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>()
        * 10
}

fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
