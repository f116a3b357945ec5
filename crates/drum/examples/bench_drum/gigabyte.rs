//! Holds the process, page cache included, to its memory by a control group of the kernel's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const ROOT: &str = "/sys/fs/cgroup";

/// How the process is held to its memory, for the report; the group goes when it is dropped.
pub(crate) enum Gigabyte {
    Group(Group),
    /// No group could be made; why not.
    Nothing(String),
}

/// A control group that holds this process alone.
pub(crate) struct Group {
    path: PathBuf,
    files: &'static Files,
}

/// The files of one version of control groups.
struct Files {
    version: u8,
    limit: &'static str,
    most_used: &'static str,
    members: &'static str,
}

const VERSION_1: Files = Files {
    version: 1,
    limit: "memory.limit_in_bytes",
    most_used: "memory.max_usage_in_bytes",
    members: "cgroup.procs",
};
const VERSION_2: Files =
    Files { version: 2, limit: "memory.max", most_used: "memory.peak", members: "cgroup.procs" };

impl Gigabyte {
    /// Moves this process into a group of its own with `bytes` of memory.
    pub(crate) fn enforce(bytes: u64) -> Self {
        let (parent, files) = match own_group("memory") {
            Some(path) => (below(&format!("{ROOT}/memory"), &path), &VERSION_1),
            None => (below(ROOT, &own_group("").unwrap_or_default()), &VERSION_2),
        };
        let path = parent.join(format!("drumlin-bench-{}", std::process::id()));
        match Group::enter(path, files, bytes) {
            Ok(group) => Self::Group(group),
            Err(error) => Self::Nothing(error.to_string()),
        }
    }

    /// What a report must say.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Group(group) => {
                format!("enforced by a control group (version {}), page cache included", group.files.version)
            }
            Self::Nothing(why) => format!(
                "NOT enforced ({why}); as an ordinary user: systemd-run --user --scope -p MemoryMax=1G cargo xtask …"
            ),
        }
    }

    /// Most bytes that were in use at once, page cache included.
    pub(crate) fn most_used(&self) -> Option<u64> {
        let Self::Group(group) = self else { return None };
        fs::read_to_string(group.path.join(group.files.most_used)).ok()?.trim().parse().ok()
    }

    pub(crate) fn is_enforced(&self) -> bool {
        matches!(self, Self::Group(_))
    }
}

impl Group {
    fn enter(path: PathBuf, files: &'static Files, bytes: u64) -> io::Result<Self> {
        fs::create_dir(&path)?;
        let group = Self { path, files };
        fs::write(group.path.join(files.limit), bytes.to_string())?;
        fs::write(group.path.join(files.members), std::process::id().to_string())?;
        Ok(group)
    }
}

impl Drop for Group {
    /// Leaves the group and removes it. What cannot be is left to the operator.
    fn drop(&mut self) {
        if let Some(parent) = self.path.parent() {
            let _ = fs::write(parent.join(self.files.members), std::process::id().to_string());
        }
        let _ = fs::remove_dir(&self.path);
    }
}

/// The group of this process in the hierarchy of `controller`; version 2 has one without a name.
fn own_group(controller: &str) -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        controllers.split(',').any(|name| name == controller).then(|| path.to_owned())
    })
}

fn below(root: &str, group: &str) -> PathBuf {
    Path::new(root).join(group.trim_start_matches('/'))
}
