//! `drumlin keygen`: a key for signed requests (Web Bot Auth), and the key directory that its owner has to serve.

use crate::exit::bad_usage;
use crate::report::{cannot_write, write};
use crate::settings::Span;
use crate::tools::print;
use crate::wiring::read_key;
use anyhow::Context;
use fetch::{SignedDirectory, Signer, SigningKey};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;
use stdx::WallTime;
use toml::Value;

/// Which key, and in whose name.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the private key is, or goes if there is none yet; what is to be published goes beside it
    #[arg(value_name = "FILE")]
    key: PathBuf,
    /// The origin that will serve the key directory
    #[arg(long, value_name = "https://HOST")]
    agent: String,
    /// How long the directory's signature is good for; run it again before then
    #[arg(long, value_name = "DUR", default_value = "90d")]
    valid: Span,
}

/// The least that a signature is good for: clocks are apart, and the file has still to be published.
const VALID_MIN_MS: u64 = 60_000;

/// Makes what is missing and says what to do with it. Nothing is made before all that was said makes sense.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.valid.0 < VALID_MIN_MS {
        return Err(bad_usage(
            "--valid: a signature that is over before anybody can check it is no use; at least 1m",
        ));
    }
    let new = if args.key.exists() { None } else { Some(new_pem()?) };
    let key = match &new {
        Some(pem) => SigningKey::from_pem(pem.as_bytes())?,
        None => read_key(&args.key)?,
    };
    let id = key.id().to_owned();
    let signer = Signer::new(key, &args.agent).map_err(|error| bad_usage(format!("--agent: {error}")))?;
    if let Some(pem) = new {
        create(&args.key, &pem)?;
    }
    let now = now();
    let expires = WallTime::from_unix_ms(now.unix_ms() + args.valid.0);
    let SignedDirectory { body, headers } = signer.directory(now, expires);
    let [directory, beside] =
        ["directory.json", "directory.headers"].map(|ending| args.key.with_extension(ending));
    write(&directory, &body)?;
    write(&beside, &lines(&headers))?;
    print(&format!(
        "key        {id}: {} (keep it to yourself)\n\
         publish    {} as {}{}\n\
         with       the headers in {}, good until {expires}\n\
         crawl      with these settings:\n\n[signature]\nkey = {}\nagent = {}\n",
        args.key.display(),
        directory.display(),
        args.agent.trim_end_matches('/'),
        SignedDirectory::PATH,
        beside.display(),
        Value::from(std::path::absolute(&args.key)?.display().to_string()),
        Value::from(args.agent.as_str())
    ))
}

fn new_pem() -> anyhow::Result<String> {
    SigningKey::new_pem().context("the system has no randomness")
}

/// Nobody else may read it, from its first byte on.
fn create(path: &Path, pem: &str) -> anyhow::Result<()> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let written = opened.and_then(|mut file| file.write_all(pem.as_bytes()).and_then(|()| file.sync_all()));
    written.map_err(|error: io::Error| {
        if error.kind() != io::ErrorKind::AlreadyExists {
            // Half a key would be taken for one the next time.
            let _ = std::fs::remove_file(path);
        }
        cannot_write(path, error)
    })
}

fn lines(headers: &[(&'static str, String)]) -> String {
    let mut text = String::new();
    for (name, value) in headers {
        writeln!(text, "{name}: {value}").expect("a string takes any text");
    }
    text
}

#[expect(clippy::disallowed_methods, reason = "the program is what reads the clock")]
fn now() -> WallTime {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    WallTime::from_unix_ms(since.as_millis() as u64)
}
