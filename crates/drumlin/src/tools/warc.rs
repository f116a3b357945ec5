//! `drumlin warc`: check files by the rules real readers hold them to, and list what is in them.

use super::print;
use crate::exit::bad_usage;
use crate::work::{Format, Work};
use clap::Subcommand;
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::process::ExitCode;
use stdx::{Step, count_of, format_count};
use warc::{ReadError, ReadErrorKind, Reader, Record, Report, Severity};

/// What to do with which files.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Report every broken rule; the exit code is 1 where one is an error.
    Check(Files),
    /// List the records: offset, length, type, date, status, URL.
    Ls(Files),
}

#[derive(Debug, clap::Args)]
struct Files {
    /// JSON lines instead of lines for people.
    #[arg(long)]
    json: bool,
    /// WARC files, compressed or not.
    #[arg(required = true)]
    files: Vec<String>,
}

/// Checks or lists.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Check(files) => check(files),
        Action::Ls(files) => list(files),
    }
}

fn check(args: &Files) -> anyhow::Result<ExitCode> {
    let mut has_errors = false;
    let mut checked = Checked { work: Work::new(Format::of(args.json)), done: 0, of: bytes_of(&args.files) };
    for file in &args.files {
        let report = warc::check(BufReader::new(Counted { file: open(file)?, checked: &mut checked }));
        checked.work.clear();
        has_errors |= report.errors().next().is_some();
        print(&if args.json { report_as_json(file, &report) } else { report_as_text(file, &report) })?;
    }
    Ok(if has_errors { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn report_as_text(file: &str, report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        writeln!(out, "{file}: {} at byte {finding}", severity(finding.rule.severity()))
            .expect("a string takes any text");
    }
    if report.findings_dropped > 0 {
        writeln!(out, "{file}: {}", count_of(report.findings_dropped, "further finding"))
            .expect("a string takes any text");
    }
    let verdict = if report.is_clean() { "clean" } else { "not clean" };
    let (records, right) = (count_of(report.records, "record"), count_of(report.digests_verified, "digest"));
    let unverified = format_count(report.digests_unverified);
    out + &format!("{file}: {records}, {right} right, {unverified} not comparable: {verdict}\n")
}

fn report_as_json(file: &str, report: &Report) -> String {
    let findings = report.findings.iter().map(|finding| {
        json!({
            "offset": finding.offset,
            "record_id": finding.record_id,
            "rule": finding.rule.name(),
            "severity": severity(finding.rule.severity()),
            "detail": finding.detail,
        })
    });
    let report = json!({
        "file": file,
        "records": report.records,
        "digests_verified": report.digests_verified,
        "digests_unverified": report.digests_unverified,
        "findings": findings.collect::<Vec<_>>(),
        "findings_dropped": report.findings_dropped,
        "skipped_bytes": report.skipped_bytes,
    });
    format!("{report}\n")
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn list(args: &Files) -> anyhow::Result<ExitCode> {
    for file in &args.files {
        for record in Reader::new(BufReader::new(open(file)?)) {
            let record = record.map_err(|error| not_whole(file, error))?;
            print(&if args.json { record_as_json(file, &record) } else { record_as_text(&record) })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whose fault it is: the file's, or the disk's.
fn not_whole(file: &str, error: ReadError) -> anyhow::Error {
    match error.kind {
        ReadErrorKind::Io(error) => anyhow::Error::new(error).context(format!("cannot read {file}")),
        _ => bad_usage(format!("{file} is not a whole WARC file: {error}")),
    }
}

fn record_as_text(record: &Record) -> String {
    let length = record.length.map_or("-".to_owned(), |length| length.to_string());
    let status = status_of(record).map_or("-".to_owned(), |status| status.to_string());
    let field = |name| record.header.get(name).unwrap_or("-");
    format!(
        "{:>12} {length:>10} {:<10} {} {status:>3} {}\n",
        record.offset,
        field("WARC-Type"),
        field("WARC-Date"),
        record.target_uri().unwrap_or("-"),
    )
}

fn record_as_json(file: &str, record: &Record) -> String {
    let status = status_of(record);
    let line: Value = json!({
        "file": file,
        "offset": record.offset,
        "length": record.length,
        "type": record.header.get("WARC-Type"),
        "date": record.header.get("WARC-Date"),
        "status": status,
        "url": record.target_uri(),
        "id": record.id(),
    });
    format!("{line}\n")
}

fn status_of(record: &Record) -> Option<u16> {
    record.http().and_then(|http| http.status())
}

/// How far the files that are checked have been read.
struct Checked {
    work: Work,
    done: u64,
    of: u64,
}

/// A file while somebody watches how far it has been read.
struct Counted<'a> {
    file: File,
    checked: &'a mut Checked,
}

impl Read for Counted<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buf)?;
        let Checked { work, done, of } = &mut *self.checked;
        *done += read as u64;
        work.step(Step::bytes("checking", *done, *of));
        Ok(read)
    }
}

/// As far as they can be looked at.
fn bytes_of(files: &[String]) -> u64 {
    files.iter().filter_map(|file| Some(std::fs::metadata(file).ok()?.len())).sum()
}

fn open(file: &str) -> anyhow::Result<File> {
    let opened = File::open(file).map_err(|error| bad_usage(format!("cannot read {file}: {error}")))?;
    if opened.metadata()?.is_dir() {
        return Err(bad_usage(format!("cannot read {file}: it is a directory; name its files")));
    }
    Ok(opened)
}
