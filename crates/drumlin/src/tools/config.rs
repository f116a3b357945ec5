//! `drumlin config`: what a file of settings says, and what a crawl would go by.

use super::print;
use crate::args::Choices;
use crate::config::Config;
use crate::crawl::{base_of, read_config, read_text, scope_rules};
use crate::exit::{Exit, whole};
use crate::settings::{self, Settings, explained};
use crate::terminal::tell;
use crate::{lookback, overruled, wiring};
use clap::Subcommand;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Whether a file of settings is in order, and what it changes.
    Check {
        /// Laid out like drumlin.toml
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// What a crawl goes by, or would go by: every key, explained. The answer is a file of settings.
    Show(Box<ShowArgs>),
}

/// Layers, later over earlier.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// A crawl; it may be running
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Settings from a file laid out like drumlin.toml; flags go over it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
}

/// Answers; contacts nobody and writes nothing.
pub(crate) fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check { file } => check(file),
        Command::Show(args) => show(args),
    }
}

/// All that is wrong is named at once, a line each.
fn check(file: &Path) -> anyhow::Result<ExitCode> {
    let defaults = Settings::defaults();
    let judge = |settings: &Settings| {
        let effective = defaults.overlaid(&settings.clone().rooted_at(base_of(file)));
        let earlier = effective.earlier.as_deref().map_or(Ok(()), lookback::require_crawl);
        earlier.and_then(|()| require_sound(&sound(&effective)?)).map_err(|error| whole(&error))
    };
    let name = file.display().to_string();
    let faults = settings::faults(&read_text(file)?, &judge);
    for fault in &faults {
        tell(fault.told(&name));
    }
    if !faults.is_empty() {
        return Ok(Exit::Usage.into());
    }
    let effective = defaults.overlaid(&read_config(file)?);
    print(&told(file, &defaults.changes_to(&effective)))
}

fn told(file: &Path, changes: &[String]) -> String {
    let name = file.display();
    if changes.is_empty() {
        return format!("{name} is in order; it changes nothing\n");
    }
    let told = format!("{name} is in order; it changes {} of the defaults", changes.len());
    format!("{}\n", [&[told], changes].concat().join("\n  "))
}

fn show(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let effective = effective(args)?;
    let config = sound(&effective)?;
    require_sound(&if args.dir.is_some() { config.at_rest() } else { config })?;
    // The answer may be kept anywhere.
    print(&explained(&effective.masked().rooted_at(&std::path::absolute(".")?)))
}

/// What a crawl goes by, or would go by.
pub(crate) fn effective(args: &ShowArgs) -> anyhow::Result<Settings> {
    let goes_by = args.dir.as_deref().map(overruled::settings_of).transpose()?;
    let file = args.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
    args.choices.settings().require_text(Path::new(""))?;
    let asked = file.overlaid(&args.choices.settings());
    Ok(goes_by.unwrap_or_else(Settings::defaults).overlaid(&asked))
}

/// As a crawl would read it; which seeds it has is not known here.
fn sound(settings: &Settings) -> anyhow::Result<Config> {
    let seed = Some(settings.seed.clone().unwrap_or_else(|| "0".to_owned()));
    Ok(Config::new(&Settings { seed, ..settings.clone() })?)
}

/// Asks for what a crawl would ask for.
fn require_sound(config: &Config) -> anyhow::Result<()> {
    scope_rules(config)?;
    Ok(wiring::check_network(config)?)
}
