//! What a run costs: Linux only, as the limit on memory is.

use meter::cpu_s;
use std::fs;
use std::time::Instant;

/// Measures from its making on.
pub(crate) struct Stopwatch {
    started: Instant,
    cpu_s: f64,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), cpu_s: cpu_s() }
    }

    /// Seconds on the wall.
    pub(crate) fn wall_s(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Seconds of processor time, over all threads.
    pub(crate) fn cpu_s(&self) -> f64 {
        cpu_s() - self.cpu_s
    }
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
