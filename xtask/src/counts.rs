//! `cargo xtask counts`: instructions of the hot paths, counted by callgrind, beside what `xtask/counts.txt` says. Instructions do
//! not depend on what else the machine does.

#[cfg(test)]
mod tests;

use crate::example::Example;
use crate::run;
use crate::tree::Tree;
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Command, ExitCode};

const KIND: &str = "count";
const KEPT: &str = "xtask/counts.txt";

/// Other processors take other branches of the C library: that is this much, at most.
const TOLERANCE: f64 = 0.05;

/// Rounds of the two runs. What differs is the path itself, without what a process does before and after.
const ROUNDS: [u64; 2] = [400, 1_200];

/// Counts and compares, or keeps what was counted.
pub(crate) fn task(words: &[&str]) -> Result<ExitCode> {
    match words {
        ["--keep"] => {
            std::fs::write(run::root().join(KEPT), show(&count_all()?)).context(KEPT)?;
            Ok(ExitCode::SUCCESS)
        }
        [] => Ok(if hold()? { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        _ => bail!("`counts` takes `--keep` or nothing"),
    }
}

/// Whether nothing has become dearer, nor cheaper without being told; says what has.
pub(crate) fn hold() -> Result<bool> {
    let differences = differences(&kept()?, &count_all()?);
    for difference in &differences {
        eprintln!("error: {difference}; if that is meant: cargo xtask counts --keep");
    }
    Ok(differences.is_empty())
}

/// Instructions a round, by path.
type Counts = BTreeMap<String, u64>;

fn kept() -> Result<Counts> {
    read(&std::fs::read_to_string(run::root().join(KEPT)).context(KEPT)?)
}

fn read(text: &str) -> Result<Counts> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pair = |line: &str| -> Result<(String, u64)> {
        let (name, count) = line.split_once(' ').with_context(|| format!("{KEPT}: {line}"))?;
        Ok((name.to_owned(), count.trim().parse().with_context(|| format!("{KEPT}: {line}"))?))
    };
    lines.map(pair).collect()
}

fn show(counts: &Counts) -> String {
    let mut text = String::from("# Instructions a round, by `cargo xtask counts --keep`.\n");
    for (name, count) in counts {
        writeln!(text, "{name} {count}").expect("text");
    }
    text
}

fn differences(kept: &Counts, counted: &Counts) -> Vec<String> {
    let mut all = Vec::new();
    for (name, count) in counted {
        let before = kept.get(name).copied();
        let change = before.map(|before| *count as f64 / before as f64 - 1.0);
        match change {
            Some(change) if change.abs() <= TOLERANCE => {}
            Some(change) => all.push(format!("{name}: {count} instructions, {:+.1} %", change * 100.0)),
            None => all.push(format!("{name}: {count} instructions, which {KEPT} does not have")),
        }
    }
    all.extend(kept.keys().filter(|name| !counted.contains_key(*name)).map(|name| format!("{name}: gone")));
    all
}

/// Every example `count_…` of every crate.
fn count_all() -> Result<Counts> {
    let tree = Tree::read()?;
    let paths: Vec<Example<'_>> =
        tree.files.iter().filter_map(|file| Example::of(KIND, &file.path)).collect();
    let mut build = run::cargo();
    build.args(["build", "--release", "--locked", "--quiet"]);
    for path in &paths {
        build.args(["--package", path.krate, "--example", path.target]);
    }
    anyhow::ensure!(run::succeeds(&mut build), "the hot paths do not build");
    let mut counts = Counts::new();
    for path in &paths {
        let count = count(*path)?;
        println!("{:<16} {count:>12} instructions", path.name);
        counts.insert(path.name.to_owned(), count);
    }
    Ok(counts)
}

/// Of an example that goes a hot path so many times as its argument says.
fn count(path: Example<'_>) -> Result<u64> {
    let program = run::target_dir().join("release/examples").join(path.target);
    let [few, many] = ROUNDS.map(|rounds| instructions(&program, rounds));
    Ok((many? - few?) / (ROUNDS[1] - ROUNDS[0]))
}

fn instructions(program: &std::path::Path, rounds: u64) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).arg(rounds.to_string());
    let output = command.output().context("running valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    collected(&said).with_context(|| format!("{command:?} says nothing of instructions:\n{said}"))
}

/// From callgrind's `==123== Collected : 456`.
fn collected(said: &str) -> Option<u64> {
    let (_, count) = said.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok()
}
