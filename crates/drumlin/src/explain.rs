//! `drumlin explain`: what a crawl knows of one URL, by the functions that decide about it.

mod account;
mod answer;
mod clocks;
mod known;
mod robots;

pub(crate) use account::Account;
pub(crate) use answer::Answer;
pub(crate) use clocks::{Neighbours, reason_of};
pub(crate) use known::Known;

use crate::ctl::Client;
use crate::desk::explain_still;
use crate::directory::{Directory, in_use};
use crate::exit::bad_usage;
use crate::tools::print;
use crate::work::{Format, Work};
use crate::{crawl, wiring};
use anyhow::Context;
use std::path::PathBuf;
use std::process::ExitCode;
use weburl::{Url, UrlError};

/// Which URL of which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A URL, or a host
    #[arg(value_name = "URL|HOST")]
    subject: String,
    /// The crawl's directory; it may be running
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
}

/// Asks the crawl if it runs, looks the URL up if it does not, and says what was found.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let url = subject(&args.subject)?;
    if let Some(client) = Client::connect(&args.dir)? {
        let value = client.get(&format!("/api/v1/explain?url={}", escaped(url.as_str())))?;
        return print(value["text"].as_str().context("the crawl's answer has no text")?);
    }
    let directory = Directory::look_into(&args.dir)?.ok_or_else(|| in_use(&args.dir))?;
    let prepared = crawl::at_rest(directory)?;
    let node = wiring::node_config(&prepared.config, prepared.scope)?;
    let mut work = Work::new(Format::Text);
    let crawler = node::revive(&node, &prepared.directory.disk(), &mut |step| work.step(step))
        .with_context(|| format!("the crawl in {} can't be read", args.dir.display()))?;
    drop(work);
    print(&explain_still(crawler, &prepared.directory.disk(), &url)?)
}

/// A host stands for its front page; what has no scheme is taken for http, path and all.
fn subject(text: &str) -> anyhow::Result<Url> {
    Url::parse_typed(text).map_err(|error| match error {
        UrlError::Malformed { .. } if !text.contains("://") => {
            bad_usage(format!("`{text}` is neither a URL nor the name of a host"))
        }
        error => bad_usage(error.to_string()),
    })
}

/// As a value of a query.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
