//! TLS is aws-lc's alone: `ring` is not in the build.

use super::Finding;
use crate::run;
use anyhow::Result;

/// Who pulls in `ring`, according to cargo.
pub(super) fn activated() -> Result<Vec<Finding>> {
    let mut tree = run::cargo();
    tree.args([
        "tree",
        "--workspace",
        "--locked",
        "--all-features",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
    ]);
    Ok(findings(&run::output(tree.args(["--format", "{p}"]))?))
}

/// The lines of a `cargo tree` that name it.
pub(super) fn findings(tree: &str) -> Vec<Finding> {
    let lines = tree.lines().filter(|line| line.starts_with("ring v"));
    let finding = |line: &str| Finding {
        path: "Cargo.toml".to_owned(),
        line: 1,
        what: format!("{line} is in the build; see `cargo tree --invert ring`"),
    };
    let mut found: Vec<Finding> = lines.map(finding).collect();
    found.dedup();
    found
}
