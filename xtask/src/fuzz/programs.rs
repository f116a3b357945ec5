//! The suites' programs, compiled with counters.

use super::{Counted, Suite, Target};
use crate::run;
use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Of each crate and each target of cargo's, the test program.
pub(super) struct Programs(BTreeMap<(String, String), PathBuf>);

impl Programs {
    /// All at once, so that cargo compiles everything for all of them alike.
    pub(super) fn build(targets: &[&Target], counted: Counted) -> Result<Self> {
        println!("xtask: compiling with counters");
        let mut command = run::cargo();
        command.args(["test", "--locked", "--quiet", "--no-run", "--message-format=json-render-diagnostics"]);
        for krate in targets.iter().map(|target| &target.krate).collect::<BTreeSet<_>>() {
            command.args(["--package", krate]);
        }
        for target in targets.iter().map(|target| target.cargo()).collect::<BTreeSet<_>>() {
            command.args(target);
        }
        // What is compiled for the compilation has counters too, and would write them down where it runs.
        command.env("LLVM_PROFILE_FILE", "/dev/null");
        match counted {
            Counted::Everything => {
                command.env("RUSTFLAGS", "-Cinstrument-coverage --cfg=drumlin_coverage");
                command.env("CARGO_TARGET_DIR", run::target_dir().join("fuzz"));
            }
            Counted::OwnCrates => {
                command.env("RUSTC_WORKSPACE_WRAPPER", run::root().join("xtask/with-counters"));
            }
        }
        let output = command.stderr(Stdio::inherit()).output().context("compiling with counters")?;
        ensure!(output.status.success(), "{command:?}: {}", output.status);
        let said = String::from_utf8_lossy(&output.stdout);
        Ok(Self(said.lines().filter_map(|line| program(&serde_json::from_str(line).ok()?)).collect()))
    }

    pub(super) fn of(&self, target: &Target) -> Option<&Path> {
        let [_, name] = target.cargo();
        self.0.get(&(target.krate.clone(), name.to_owned())).map(PathBuf::as_path)
    }
}

impl Target {
    /// What cargo calls the program it is in.
    fn cargo(&self) -> [&str; 2] {
        match self.suite {
            Suite::OfCrate => ["--test", "fuzz"],
            Suite::OfProgram(_) => ["--bin", &self.krate],
        }
    }
}

/// From cargo's message of an artifact, if it is of a test program.
fn program(message: &Value) -> Option<((String, String), PathBuf)> {
    let is_test = message["profile"]["test"].as_bool()?;
    let krate = Path::new(message["manifest_path"].as_str()?).parent()?.file_name()?.to_str()?;
    let name = message["target"]["name"].as_str()?;
    let program = message["executable"].as_str()?;
    is_test.then(|| ((krate.to_owned(), name.to_owned()), program.into()))
}
