//! Hard limits of the kernel's on what a process may have of memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A limit in bytes, kept by whatever this machine offers. Dropping it takes a control group away.
pub(crate) enum Confinement {
    /// A control group: all that is resident, and what the kernel holds on behalf of it.
    Group { dir: PathBuf, limit_file: &'static str, bytes: u64 },
    /// `RLIMIT_DATA`, for which nobody needs rights: all that is mapped to be written, resident or not, and so half as
    /// much again.
    Data { bytes: u64 },
}

/// Where control groups of memory are, and the file that holds the limit: version 1, version 2.
const HIERARCHIES: [(&str, &str); 2] =
    [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];

impl Confinement {
    /// A control group if one can be made, else a limit of the process.
    pub(crate) fn of(bytes: u64) -> Self {
        let group =
            HIERARCHIES.iter().find_map(|(root, limit_file)| group(Path::new(root), limit_file, bytes));
        let confinement = group.unwrap_or(Self::Data { bytes: bytes / 2 * 3 });
        println!("confined to {} MiB by {}", confinement.bytes() >> 20, confinement.name());
        confinement
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Group { bytes, .. } | Self::Data { bytes } => *bytes,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Group { limit_file: "memory.max", .. } => "a control group, version 2",
            Self::Group { .. } => "a control group, version 1",
            Self::Data { .. } => "RLIMIT_DATA",
        }
    }

    /// The start of a command line that is confined.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command;
        match self {
            Self::Group { dir, .. } => {
                command = Command::new("sh");
                command.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(dir.join("cgroup.procs"));
            }
            Self::Data { bytes } => {
                command = Command::new("prlimit");
                command.arg(format!("--data={bytes}")).arg("--");
            }
        }
        command.arg(program);
        command
    }
}

/// A group of our own with this limit. The limit is set before anybody is in it, and read back: a file system that only
/// looks like control groups would take it too.
fn group(root: &Path, limit_file: &'static str, bytes: u64) -> Option<Confinement> {
    let (process, thread) = (std::process::id(), std::thread::current().id());
    let dir = root.join(format!("drumlin-test-{process}-{thread:?}"));
    fs::create_dir(&dir).ok()?;
    let group = Confinement::Group { dir: dir.clone(), limit_file, bytes };
    fs::write(dir.join(limit_file), bytes.to_string()).ok()?;
    // What swaps out is memory too; a machine without swap has no such file.
    let _ = fs::write(dir.join("memory.swap.max"), "0");
    let _ = fs::write(dir.join("memory.memsw.limit_in_bytes"), bytes.to_string());
    let is_kept = fs::read_to_string(dir.join(limit_file)).is_ok_and(|kept| kept.trim() == bytes.to_string());
    (is_kept && dir.join("cgroup.procs").is_file()).then_some(group)
}

impl Drop for Confinement {
    fn drop(&mut self) {
        if let Self::Group { dir, .. } = self {
            let _ = fs::remove_dir(dir);
        }
    }
}
