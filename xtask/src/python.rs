//! Python environments below the tools' directory, each made from a file of requirements.

use crate::run;
use std::fs;
use std::path::{Path, PathBuf};

const TRIES: usize = 3;

/// An environment of pinned packages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Environment {
    /// Its directory's name.
    pub(crate) name: &'static str,
    /// What it is made from.
    pub(crate) requirements: &'static str,
}

impl Environment {
    /// Where its programs are.
    pub(crate) fn programs(self, tools: &Path) -> PathBuf {
        tools.join(self.name).join("bin")
    }

    /// Whether it was made from the requirements as they stand.
    pub(crate) fn is_current(self, tools: &Path) -> bool {
        let made_from = fs::read_to_string(self.stamp(tools));
        let wanted = fs::read_to_string(run::root().join(self.requirements));
        matches!((made_from, wanted), (Ok(made_from), Ok(wanted)) if made_from == wanted)
    }

    /// Makes it anew unless it is current, and says if that cannot be done.
    pub(crate) fn provide(self, tools: &Path) {
        if self.is_current(tools) {
            return;
        }
        println!("judges: Python packages of {} into {}", self.requirements, tools.join(self.name).display());
        let made =
            run::succeeds(run::program("python3").args(["-m", "venv", "--clear"]).arg(tools.join(self.name)));
        let filled = made && (0..TRIES).any(|_| self.fill(tools));
        if !filled || fs::copy(run::root().join(self.requirements), self.stamp(tools)).is_err() {
            println!("judges: the Python packages could not be installed");
        }
    }

    fn fill(self, tools: &Path) -> bool {
        let mut pip = run::program(self.programs(tools).join("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--requirement", self.requirements]);
        run::succeeds(&mut pip)
    }

    fn stamp(self, tools: &Path) -> PathBuf {
        tools.join(self.name).join("made-from.txt")
    }
}
