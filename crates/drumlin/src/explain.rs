//! `drumlin explain`: what a crawl knows of one URL, by the functions that decide about it.

mod account;

pub(crate) use account::{Account, reason_of};

use crate::crawl::prepare;
use crate::directory::{Directory, in_use};
use crate::exit::bad_usage;
use crate::seeds::Seeds;
use crate::settings::Settings;
use crate::tools::print;
use crate::wiring;
use anyhow::Context;
use std::path::PathBuf;
use std::process::ExitCode;
use weburl::{Url, Verdict};

/// Which URL of which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The URL
    #[arg(value_name = "URL")]
    url: String,
    /// The crawl's directory; nobody may be crawling there
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
}

/// Looks the URL up and says what was found.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let url = Url::parse(&args.url).map_err(|error| bad_usage(format!("`{}`: {error}", args.url)))?;
    let directory = Directory::look_into(&args.dir)?.ok_or_else(|| in_use(&args.dir))?;
    let prepared = prepare(directory, &Settings::default(), Seeds::of(Vec::new()))?;
    let out_of_scope = match prepared.scope.judge(&url) {
        Verdict::In => None,
        Verdict::Out(rule) => Some(rule.to_string()),
    };
    let node = wiring::node_config(&prepared.config, prepared.scope)?;
    let known = node::look_up(&node, &prepared.directory.disk(), &url)
        .with_context(|| format!("the crawl in {} can't be read", args.dir.display()))?;
    print(&Account { url: &url, out_of_scope, known: known.as_ref() }.to_string())
}
