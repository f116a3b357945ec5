//! Serves a synthetic web on loopback until it is killed.
//!
//! `simweb --seed 1 --pages 2000 --log access.jsonl --ca-out ca.pem` prints one JSON line when it answers:
//! `{"http_port", "https_port", "dns", "seeds"}`.

use clap::{Parser, ValueEnum};
use simweb::server::{ServerOptions, start};
use simweb::{Plan, Scope, WebConfig};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A synthetic web on loopback, over HTTP, HTTPS and DNS.
#[derive(Parser)]
struct Arguments {
    /// The seed of everything.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ordinary pages, roughly.
    #[arg(long, default_value_t = 2_000)]
    pages: u64,
    /// Registrable domains; by default as many as suit the pages.
    #[arg(long)]
    domains: Option<u32>,
    /// Distinct server addresses.
    #[arg(long)]
    addresses: Option<u32>,
    /// How large pages are.
    #[arg(long, value_enum, default_value = "small")]
    size: Size,
    /// What is odd about the web.
    #[arg(long, value_enum, default_value = "wild")]
    temper: Temper,
    /// The port of plain HTTP; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    http_port: u16,
    /// The port of HTTPS; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    https_port: u16,
    /// The UDP port of DNS on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    dns_port: u16,
    /// Answers a connection has; by default as many as a client likes.
    #[arg(long)]
    answers_a_connection: Option<u32>,
    /// Serve all hosts over HTTPS.
    #[arg(long)]
    https: bool,
    /// How many seeds to print.
    #[arg(long, default_value_t = 1)]
    seeds: u32,
    /// Where the access log goes, one JSON object a line.
    #[arg(long)]
    log: Option<PathBuf>,
    /// Where the certificate authority goes, as PEM.
    #[arg(long)]
    ca_out: Option<PathBuf>,
    /// Where the truth about a crawl from the printed seeds goes, one JSON object a URL.
    #[arg(long)]
    truth_out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Size {
    /// Median 8 KB.
    Small,
    /// Median 138 KB, mean 240 KB.
    Real,
}

#[derive(Clone, Copy, ValueEnum)]
enum Temper {
    /// Nothing.
    Calm,
    /// All but endless URL spaces.
    Finite,
    /// Everything.
    Wild,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let log = arguments.log.as_deref().map(create).transpose()?;
    let options = ServerOptions {
        dns_port: arguments.dns_port,
        log: log.map(|file| Box::new(file) as _),
        answers_a_connection: arguments.answers_a_connection,
        level: None,
    };
    let running = start(config(&arguments), options)?;
    let seeds = running.web.seeds(arguments.seeds);
    if let Some(path) = &arguments.ca_out {
        create(path)?.write_all(running.ca_pem.as_bytes())?;
    }
    if let Some(path) = &arguments.truth_out {
        let truth = running.web.truth(&Plan { seeds: &seeds, scope: Scope::Any, depth: None });
        write_truth(&truth, create(path)?)?;
    }
    let ready = serde_json::json!({
        "http_port": running.http_port(),
        "https_port": running.https_port(),
        "dns": running.dns.to_string(),
        "seeds": seeds,
    });
    println!("{ready}");
    loop {
        std::thread::park();
    }
}

fn config(arguments: &Arguments) -> WebConfig {
    let config = match arguments.size {
        Size::Small => WebConfig::small(arguments.seed, arguments.pages),
        Size::Real => WebConfig::realistic(arguments.seed, arguments.pages),
    };
    let config = WebConfig {
        domains: arguments.domains.unwrap_or(config.domains),
        addresses: arguments.addresses.unwrap_or(config.addresses),
        http_port: arguments.http_port,
        https_port: arguments.https_port,
        ..config
    };
    let mut config = match arguments.temper {
        Temper::Calm => config.calm(),
        Temper::Finite => config.without_traps(),
        Temper::Wild => config,
    };
    if arguments.https {
        config.hosts.https = 1_000;
    }
    config
}

fn write_truth(truth: &simweb::Truth, file: std::fs::File) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::BufWriter::new(file);
    for (url, fate) in &truth.urls {
        let line = serde_json::json!({ "url": url, "depth": fate.depth, "end": format!("{:?}", fate.end) });
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

fn create(path: &Path) -> Result<std::fs::File, String> {
    std::fs::File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
