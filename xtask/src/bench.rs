//! `cargo xtask bench [--guided] NAME`: runs `crates/*/examples/bench_NAME.rs`, after saying on what.

use crate::example::Example;
use crate::guided::Guide;
use crate::judges::Judges;
use crate::run;
use crate::tree::Tree;
use anyhow::{Result, bail};
use std::process::ExitCode;

const KIND: &str = "bench";

/// Comes before the name of a benchmark that is to be built as releases are, and so are the programs that it builds.
const GUIDED: &str = "--guided";

/// Runs the benchmark of the first word with the rest as its arguments; lists them all if there is none.
pub(crate) fn task(words: &[&str]) -> Result<ExitCode> {
    let tree = Tree::read()?;
    let benches: Vec<Example<'_>> =
        tree.files.iter().filter_map(|file| Example::of(KIND, &file.path)).collect();
    let names: Vec<&str> = benches.iter().map(|bench| bench.name).collect();
    let (words, is_guided) = match words {
        [GUIDED, words @ ..] => (words, true),
        words => (words, false),
    };
    let [name, args @ ..] = words else {
        println!("benchmarks: {}", names.join(", "));
        return Ok(ExitCode::SUCCESS);
    };
    let Some(bench) = benches.iter().find(|bench| bench.name == *name) else {
        bail!("no benchmark `{name}`; there are: {}", names.join(", "));
    };
    let guide = is_guided.then(Guide::trained).transpose()?;
    print_machine();
    println!(
        "build: {}",
        if guide.is_some() { "guided by a profile, as `cargo xtask release`" } else { "release" }
    );
    Ok(if run_bench(*bench, args, guide.as_ref()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_bench(bench: Example<'_>, args: &[&str], guide: Option<&Guide>) -> bool {
    let fixed = [
        "run",
        "--release",
        "--locked",
        "--all-features",
        "--package",
        bench.krate,
        "--example",
        bench.target,
        "--",
    ];
    let mut command = run::cargo();
    if let Some(judges) = Judges::at_hand() {
        judges.lend(&mut command);
    }
    if let Some(guide) = guide {
        guide.lend(&mut command);
    }
    run::succeeds(command.args(fixed).args(args))
}

/// What figures depend on; without it they say nothing.
fn print_machine() {
    let said = |name: &str, args: &[&str]| run::output(run::program(name).args(args)).unwrap_or_default();
    println!("machine: {}, {} cores, {} memory", processor(), said("nproc", &[]).trim(), memory());
    println!("system: {}", said("uname", &["-srm"]).trim());
    println!("compiler: {}", said("rustc", &["--version"]).trim());
    println!("commit: {}", said("git", &["describe", "--always", "--dirty"]).trim());
}

fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned())
}

fn memory() -> String {
    field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned())
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
