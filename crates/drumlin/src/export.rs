//! `drumlin export`: what other tools read, made from what a crawl left.

mod sight;

use crate::absent::tell_of_absent;
use crate::config::Identity;
use crate::directory::Directory;
use crate::exit::{BadUsage, bad_usage};
use crate::settings::Settings;
use crate::status::{tell_of_missing_lines, tell_of_missing_rows};
use crate::terminal::tell;
use crate::tools::print;
use crate::tripwire;
use crate::work::Format;
use anyhow::Context;
use clap::ValueEnum;
use control::Takedowns;
use disk::{Disk, Observed, SharedDisk};
use export::{Dangling, FineWeb, Form, GraphConfig, OwnersConfig, Respect, WaczConfig, WatConfig};
use page::{LinkKind, LinkKinds};
pub(crate) use sight::Sight;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use stdx::{count_of, format_count};

/// What is made, and of which crawl.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to make
    #[arg(value_name = "WHAT")]
    what: What,
    /// The crawl's directory; nobody may be crawling there
    #[arg(long, short = 'o', value_name = "DIR")]
    dir: PathBuf,
    /// What sorting and tables may take
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = stdx::parse_bytes)]
    memory: u64,
    /// Of graph: kinds of links that count, as drumlin parse names them, or redirect [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kinds: Vec<EdgeKind>,
    /// Of wet, fineweb and jsonl: which refusals of owners keep a page out: of training (models, and text and data mining), all or none [default: training]
    #[arg(long, value_name = "WHICH")]
    respect: Option<Respect>,
}

/// What a graph may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    Link(LinkKind),
    Redirect,
}

impl EdgeKind {
    fn of_link(self) -> Option<LinkKind> {
        match self {
            Self::Link(kind) => Some(kind),
            Self::Redirect => None,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// The texts as WARC conversion records: export/wet/*.warc.wet.gz
    Wet,
    /// The CDXJ index in compressed blocks, for pywb and others: export/cdxj/cluster.idx
    Cdxj,
    /// The index as a table in Common Crawl's columns: export/index/cc-index.parquet
    Index,
    /// What there is to know of each record, as JSON in WARC metadata records: export/wat/*.warc.wat.gz
    Wat,
    #[value(
        help = "The corpus with all that is known of its rows, in FineWeb's columns: export/fineweb/*.parquet"
    )]
    Fineweb,
    /// The same as JSON lines: export/jsonl/*.jsonl.gz
    Jsonl,
    /// All of it in one file that opens in ReplayWeb.page: export/crawl.wacz
    Wacz,
    /// Links of pages and of hosts, and the ranks of hosts: export/graph/
    Graph,
}

impl What {
    /// Of what parsers made of pages, rather than of captures.
    fn is_made_of_rows(self) -> bool {
        match self {
            Self::Wet | Self::Wat | Self::Fineweb | Self::Jsonl | Self::Wacz | Self::Graph => true,
            Self::Cdxj | Self::Index => false,
        }
    }

    /// Of texts, which owners may refuse to give.
    fn is_made_of_texts(self) -> bool {
        matches!(self, Self::Wet | Self::Fineweb | Self::Jsonl)
    }

    /// Of the index, or with it.
    fn is_made_of_lines(self) -> bool {
        matches!(self, Self::Cdxj | Self::Index | Self::Wacz)
    }
}

const ARCHIVE: &str = "archive";
const INDEX: &str = "archive/index.cdxj";
const CORPUS: &str = "corpus";
pub(crate) const SCRATCH: &str = "state/export";
const SOFTWARE: &str = concat!("drumlin/", env!("CARGO_PKG_VERSION"));

/// Makes it, in the place of what an earlier export made.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    refuse_what_would_do_nothing(args)?;
    let directory = Directory::claim_existing(&args.dir, tripwire::from_environment)?;
    let sight = Arc::new(Sight::new(&*directory.disk(), Format::Text)?);
    let disk: SharedDisk = Arc::new(Observed::new(directory.disk(), sight.clone()));
    let taken = &node::taken_down(&disk)?;
    let agent = &agent(&directory)?;
    tell_of_what_is_missing(&*disk, args)?;
    let parsed_bytes = parsed_bytes(&directory);
    let owners = OwnersConfig {
        archive: Path::new(ARCHIVE),
        scratch: Path::new(SCRATCH),
        memory_bytes: args.memory as usize,
        parsed_bytes,
        agent,
        respect: args.respect.unwrap_or_default(),
        taken,
    };
    let said = match args.what {
        What::Wet => wet(&*disk, &owners, args),
        What::Fineweb => fineweb(&*disk, &owners, args, "export/fineweb", Form::Parquet),
        What::Jsonl => fineweb(&*disk, &owners, args, "export/jsonl", Form::JsonLines),
        What::Cdxj => cdxj(&*disk, taken, args),
        What::Index => index(&*disk, taken, args),
        What::Wat => wat(&*disk, taken, parsed_bytes, args),
        What::Wacz => wacz(&*disk, taken, args),
        What::Graph => graph(&*disk, taken, parsed_bytes, args, &sight),
    };
    sight.clear();
    print(&said.with_context(|| {
        format!(
            "the export of {} is not whole: what it has of files is of now or of before",
            args.dir.display()
        )
    })?)
}

/// A flag that changes nothing of what is made: whoever gave it expects a file that this is not.
fn refuse_what_would_do_nothing(args: &Args) -> anyhow::Result<()> {
    if !args.kinds.is_empty() && !matches!(args.what, What::Graph) {
        return Err(bad_usage("--kinds is of graph alone"));
    }
    if args.respect.is_some() && !args.what.is_made_of_texts() {
        return Err(bad_usage("--respect is of wet, fineweb and jsonl alone"));
    }
    Ok(())
}

/// Says what a killed crawl has left to do: whoever reads an export would take it for all there is.
fn tell_of_what_is_missing(disk: &dyn Disk, args: &Args) -> anyhow::Result<()> {
    if args.what.is_made_of_rows() {
        tell_of_missing_rows(&args.dir, disk)?;
    }
    if args.what.is_made_of_lines() {
        let is_told = tell_of_missing_lines(&args.dir)?;
        if !is_told {
            require_whole_index(disk, args)?;
        }
    }
    tell_of_open_files(disk, args);
    tell_of_absent(disk, &args.dir).map(drop)
}

/// An index that a run has ended with, and that is another one since.
fn require_whole_index(disk: &dyn Disk, args: &Args) -> anyhow::Result<()> {
    if disk.stat(Path::new(INDEX))?.is_none() || archive::is_index_whole(disk)? {
        return Ok(());
    }
    let dir = args.dir.display();
    Err(bad_usage(format!(
        "{dir}/{INDEX} is not what the crawl made of it; `drumlin resume {dir}` makes it anew"
    )))
}

/// Says where a file of the archive is not whole.
fn tell_of_open_files(disk: &dyn Disk, args: &Args) {
    let names = disk.list(Path::new(ARCHIVE)).unwrap_or_default();
    let open = names.iter().filter(|name| name.ends_with(".warc.gz.open")).count();
    if open > 0 {
        let files = count_of(open as u64, "WARC file");
        let dir = args.dir.display();
        tell(format_args!(
            "{files} left open by a run that was killed: not exported; `drumlin resume {dir}` first"
        ));
    }
}

fn wet(disk: &dyn Disk, owners: &OwnersConfig<'_>, args: &Args) -> anyhow::Result<String> {
    require(disk, CORPUS, args)?;
    let dir = Path::new("export/wet");
    let made = export::wet(disk, Path::new(CORPUS), owners, dir, SOFTWARE)?;
    let (bytes, place) = (stdx::format_bytes(made.bytes), args.dir.join(dir));
    let withheld = withheld(made.withheld);
    let (texts, files) = (count_of(made.records, "text"), count_of(made.files, "file"));
    let gone = gone(&made.dangling);
    Ok(format!("{texts} in {files}, {bytes}{withheld}: {}\n{gone}", place.display()))
}

fn fineweb(
    disk: &dyn Disk,
    owners: &OwnersConfig<'_>,
    args: &Args,
    dir: &str,
    form: Form,
) -> anyhow::Result<String> {
    require(disk, CORPUS, args)?;
    let made = export::fineweb(disk, Path::new(CORPUS), owners, Path::new(dir), form)?;
    let (bytes, place) = (stdx::format_bytes(made.bytes), args.dir.join(dir));
    let withheld = withheld(made.withheld);
    let (rows, files) = (count_of(made.rows, "row"), count_of(made.files, "file"));
    let (gone, missing) = (gone(&made.dangling), missing_duplicates(&made, args));
    Ok(format!("{rows} in {files}, {bytes}{withheld}: {}\n{gone}{missing}", place.display()))
}

/// Says so where the table of duplicates was made before the last rows were.
fn missing_duplicates(made: &FineWeb, args: &Args) -> String {
    let rows = made.rows + made.withheld;
    let told = |compared| {
        let (compared, rows) = (format_count(compared), count_of(rows, "row"));
        let dir = args.dir.display();
        format!(
            "duplicates were looked for among {compared} of {rows}; `drumlin duplicates --dir {dir}` first\n"
        )
    };
    made.compared.filter(|compared| *compared < rows).map_or_else(String::new, told)
}

/// The product token by which owners speak to the crawl.
fn agent(directory: &Directory) -> Result<String, BadUsage> {
    let own = directory.saved().and_then(|settings| settings.user_agent.as_deref());
    Ok(Identity::new(own, None)?.token)
}

/// How much of a page the crawl parses.
fn parsed_bytes(directory: &Directory) -> usize {
    let own = directory.saved().and_then(|settings| settings.page.as_ref()?.parse);
    let default = || Settings::defaults().page.and_then(|page| page.parse);
    own.or_else(default).map_or(0, |size| size.0 as usize)
}

fn withheld(rows: u64) -> String {
    if rows == 0 { String::new() } else { format!(", {} withheld (withheld.jsonl)", count_of(rows, "page")) }
}

fn gone(Dangling { captures, first }: &Dangling) -> String {
    match captures {
        0 => String::new(),
        1 => format!("what 1 capture stands for is not there: {first}\n"),
        n => format!("what {} captures stand for is not there; of the first, {first}\n", format_count(*n)),
    }
}

fn left_out(of_taken_down: u64) -> String {
    if of_taken_down == 0 { String::new() } else { format!(", {of_taken_down} left out as taken down") }
}

fn cdxj(disk: &dyn Disk, taken: &Takedowns, args: &Args) -> anyhow::Result<String> {
    require(disk, INDEX, args)?;
    let made = export::zipnum(disk, Path::new(INDEX), taken, Path::new("export/cdxj"))?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/cdxj/cluster.idx");
    let left = left_out(made.withheld);
    let (captures, blocks) = (count_of(made.lines, "capture"), count_of(made.blocks, "block"));
    Ok(format!("{captures} in {blocks}, {bytes}{left}: {}\n", place.display()))
}

fn index(disk: &dyn Disk, taken: &Takedowns, args: &Args) -> anyhow::Result<String> {
    require(disk, INDEX, args)?;
    let made =
        export::cc_index(disk, Path::new(INDEX), taken, Path::new("export/index"), args.memory as usize)?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/index/cc-index.parquet");
    let left = left_out(made.withheld);
    Ok(format!("{}, {bytes}{left}: {}\n", count_of(made.rows, "capture"), place.display()))
}

fn wat(disk: &dyn Disk, taken: &Takedowns, parsed_bytes: usize, args: &Args) -> anyhow::Result<String> {
    require(disk, ARCHIVE, args)?;
    let config = WatConfig { archive: Path::new(ARCHIVE), parsed_bytes, software: SOFTWARE, taken };
    let made = export::wat(disk, &config, Path::new("export/wat"))?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/wat");
    let left = left_out(made.withheld);
    let (records, files) = (count_of(made.records, "record"), count_of(made.files, "file"));
    Ok(format!("{records} in {files}, {bytes}{left}: {}\n", place.display()))
}

fn wacz(disk: &dyn Disk, taken: &Takedowns, args: &Args) -> anyhow::Result<String> {
    [INDEX, CORPUS].iter().try_for_each(|what| require(disk, what, args))?;
    let config = WaczConfig {
        archive: Path::new(ARCHIVE),
        index: Path::new(INDEX),
        corpus: Path::new(CORPUS),
        scratch: Path::new(SCRATCH),
        software: SOFTWARE,
        taken,
    };
    let made = export::wacz(disk, &config, Path::new("export/crawl.wacz"))?;
    let bytes = stdx::format_bytes(made.bytes);
    let place = args.dir.join("export/crawl.wacz");
    let lacks = without_originals(made.not_modified);
    let (pages, files) = (count_of(made.pages, "page"), count_of(made.files, "WARC file"));
    Ok(format!("{pages} in {files}, {bytes}: {}\n{lacks}", place.display()))
}

fn without_originals(not_modified: u64) -> String {
    match not_modified {
        0 => String::new(),
        1 => "1 capture is a 304: what it stands for is in the earlier crawl's archive; give a reader both\n"
            .to_owned(),
        n => format!(
            "{n} captures are 304s: what they stand for is in the earlier crawl's archive; give a reader both\n"
        ),
    }
}

fn graph(
    disk: &dyn Disk,
    taken: &Takedowns,
    parsed_bytes: usize,
    args: &Args,
    sight: &Sight,
) -> anyhow::Result<String> {
    require(disk, ARCHIVE, args)?;
    let is_all = args.kinds.is_empty();
    let links: Vec<LinkKind> = args.kinds.iter().filter_map(|kind| kind.of_link()).collect();
    let config = GraphConfig {
        archive: Path::new(ARCHIVE),
        scratch: Path::new(SCRATCH),
        memory_bytes: args.memory as usize,
        parsed_bytes,
        kinds: if is_all { LinkKinds::ALL } else { LinkKinds::of(&links) },
        with_redirects: is_all || args.kinds.contains(&EdgeKind::Redirect),
        taken,
    };
    let made = export::graph_watched(disk, &config, Path::new("export/graph"), &mut |step| sight.work(step))?;
    let (page_links, pages) = (count_of(made.page_edges, "link"), count_of(made.pages, "page"));
    let (host_links, hosts) = (count_of(made.host_edges, "link"), count_of(made.hosts, "host"));
    let place = args.dir.join("export/graph");
    let gone = gone(&made.dangling);
    Ok(format!("{page_links} of {pages}, {host_links} between {hosts}: {}\n{gone}", place.display()))
}

fn kind(name: &str) -> Result<EdgeKind, String> {
    if name == export::REDIRECT {
        return Ok(EdgeKind::Redirect);
    }
    LinkKind::of_name(name)
        .map(EdgeKind::Link)
        .ok_or_else(|| "redirect, or one of the kinds that `drumlin parse` names: anchor, image …".to_owned())
}

fn require(disk: &dyn Disk, what: &str, args: &Args) -> anyhow::Result<()> {
    if disk.stat(Path::new(what)).is_ok_and(|found| found.is_some()) || disk.list(Path::new(what)).is_ok() {
        return Ok(());
    }
    Err(bad_usage(format!("the crawl in {} has no {what} yet", args.dir.display())))
}
