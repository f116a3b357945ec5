//! `drumlin plan`: what a crawl of some size takes, before it starts.

use super::print;
use crate::exit::bad_usage;
use ::plan::{InputError, Inputs, Plan, in_digits};
use std::process::ExitCode;
use stdx::{count_of, format_bytes};

#[cfg(test)]
mod tests;

/// The crawl and the node it runs on. What is left out is as measured; `--json` lists every figure used.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Pages to fetch; 10e9 is read too.
    #[arg(long, value_name = "N")]
    pages: f64,
    /// Days to fetch them in.
    #[arg(long)]
    days: f64,
    /// Distinct links of a page.
    #[arg(long, value_name = "N")]
    links: Option<f64>,
    /// Share of links that are new, above 0 and at most 1.
    #[arg(long, value_name = "SHARE")]
    unique: Option<f64>,
    /// Share of links that miss the cache of recent URLs, above 0 and at most 1.
    #[arg(long, value_name = "SHARE")]
    misses: Option<f64>,
    /// URLs known before the crawl.
    #[arg(long, value_name = "N")]
    seen: Option<f64>,
    /// Size of a page on the wire.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    page_size: Option<f64>,
    /// Seconds between two contacts with a host.
    #[arg(long, value_name = "SECS")]
    delay: Option<f64>,
    /// Cores of a node.
    #[arg(long, value_name = "N")]
    cores: Option<f64>,
    /// Memory of a node for URL checks.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<f64>,
    /// Disk of a node for URLs waiting to be checked.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    disk: Option<f64>,
    /// What the disks of a node read or write in a second.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    disk_rate: Option<f64>,
    /// Network of a node, each way.
    #[arg(long, value_name = "GBIT/S")]
    net: Option<f64>,
    /// One JSON object with inputs and results instead of a table.
    #[arg(long)]
    json: bool,
}

const GIGABIT: f64 = 1e9;

/// Prints the plan, or says which number no crawl can have.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = Plan::of(&args.inputs()).map_err(|error| bad_usage(in_flags(&error)))?;
    if args.json { print(&format!("{}\n", serde_json::to_string(&plan)?)) } else { print(&in_words(&plan)) }
}

/// The table, and what to do where one machine is not enough.
fn in_words(plan: &Plan) -> String {
    if plan.nodes == 1 {
        return plan.to_string();
    }
    let crawls = count_of(plan.nodes, "crawl");
    format!(
        "{plan}\nA crawl runs on one machine so far: split the seeds by domain into {crawls}, each of which keeps to \
         its own domains (--scope domain; under any each would fetch everything) and does not know of the others' contacts with a server, or take more days.\n"
    )
}

impl Args {
    fn inputs(&self) -> Inputs {
        let usual = Inputs::default();
        Inputs {
            pages: self.pages,
            days: self.days,
            links: self.links.unwrap_or(usual.links),
            unique: self.unique.unwrap_or(usual.unique),
            misses: self.misses.unwrap_or(usual.misses),
            seen: self.seen.unwrap_or(usual.seen),
            page_bytes: self.page_size.unwrap_or(usual.page_bytes),
            host_delay_s: self.delay.unwrap_or(usual.host_delay_s),
            cores: self.cores.unwrap_or(usual.cores),
            ram_bytes: self.memory.unwrap_or(usual.ram_bytes),
            bucket_bytes: self.disk.unwrap_or(usual.bucket_bytes),
            disk_bytes_per_s: self.disk_rate.unwrap_or(usual.disk_bytes_per_s),
            net_bits_per_s: self.net.map_or(usual.net_bits_per_s, |gbit| gbit * GIGABIT),
            ..usual
        }
    }
}

/// What is wrong, by the names of the flags.
fn in_flags(error: &InputError) -> String {
    match error {
        InputError::NotPositive { name: "seen + 1", value } => {
            format!("--seen is {}; it must be a number from 0 on", in_digits(value - 1.0))
        }
        InputError::NotPositive { name: "net_bits_per_s", value } => {
            format!("--net is {}; it must be a number above 0", in_digits(value / GIGABIT))
        }
        InputError::NotPositive { name: name @ ("unique" | "misses"), value }
        | InputError::NotAShare { name, value } => {
            format!("{} is {}; a share is above 0 and at most 1", flag(name), in_digits(*value))
        }
        InputError::NotPositive { name, value } => {
            format!("{} is {}; it must be a number above 0", flag(name), in_digits(*value))
        }
        InputError::TooLittleMemory { ram_bytes, least } => format!(
            "--memory is {}; below {} the disk is not read sequentially (Theorem 2)",
            format_bytes(*ram_bytes as u64),
            format_bytes(least.ceil() as u64)
        ),
        InputError::RunsDry { .. } | InputError::TooFast { .. } => error.to_string(),
    }
}

/// The flag that gives this input.
fn flag(input: &str) -> String {
    let name = match input {
        "page_bytes" => "page-size",
        "host_delay_s" => "delay",
        "ram_bytes" => "memory",
        "bucket_bytes" => "disk",
        "disk_bytes_per_s" => "disk-rate",
        "net_bits_per_s" => "net",
        same => same,
    };
    format!("--{name}")
}

fn bytes(text: &str) -> Result<f64, stdx::UnitError> {
    stdx::parse_bytes(text).map(|bytes| bytes as f64)
}
