//! `drumlin contact-page`: who crawls, what it does and how to stop it, for the address that the `User-Agent` names.

use crate::config::Config;
use crate::report::{who, write};
use crate::tools::config::{ShowArgs, effective};
use crate::tools::print;
use report::contact_page;
use std::path::PathBuf;
use std::process::ExitCode;

/// Whose page; a crawl's, or one's that is still to begin.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the page goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    whose: Box<ShowArgs>,
}

/// Writes the page.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut settings = effective(&args.whose)?;
    settings.seed.get_or_insert_with(|| "0".to_owned());
    let page = contact_page(&who(&Config::new(&settings)?));
    match &args.out {
        None => print(&page),
        Some(place) => {
            write(place, &page)?;
            print(&format!("{}\n", place.display()))
        }
    }
}
