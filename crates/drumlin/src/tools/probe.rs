//! `drumlin probe`: the one door for conformance suites. JSON lines in, one JSON answer a line out, in order.

mod answer;
mod question;

use answer::Answer;
use anyhow::Context;
use question::Question;
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

/// A question is at most this long: the body cap of a crawl (16 MiB) in base64, and as much again for its fields.
const LINE_BYTES: u64 = 64 << 20;

/// Which questions are asked.
#[derive(Debug, clap::Args)]
#[command(after_help = QUESTIONS)]
pub(crate) struct Args {
    /// What the lines ask about.
    kind: Kind,
}

const QUESTIONS: &str = "\
Questions and answers (a field NAME of bytes may be given as NAME_b64, in base64):
  robots     {robots, agent, url?}            {allow, delay, sitemaps}
  url        {input, base|null}               {href|null}
  normalize  {input}                          {url|null}: the key, as a URL
  surt       {input}                          {surt}
  psl        {host}                           {registered|null}
  links      {body, url, headers?}            {links: [{url, nofollow}]}
  encoding   {data}                           {encoding}
  sitemap    {body, url, content_type}        {urls, is_index}
  lang       {text}                           {lang|null}
A line that is no such question is answered with {error}.";

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Kind {
    Robots,
    Url,
    Normalize,
    Surt,
    Psl,
    Links,
    Encoding,
    Sitemap,
    Lang,
}

impl Kind {
    fn answer(self, question: &Question) -> Answer {
        match self {
            Self::Robots => answer::robots(question),
            Self::Url => answer::url(question),
            Self::Normalize => answer::normalize(question),
            Self::Surt => answer::surt(question),
            Self::Psl => answer::psl(question),
            Self::Links => answer::links(question),
            Self::Encoding => answer::encoding(question),
            Self::Sitemap => answer::sitemap(question),
            Self::Lang => answer::lang(question),
        }
    }
}

/// Answers standard input until it ends.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while read_line(&mut input, &mut line).context("cannot read the questions")? {
        let answer = Question::read(&line).and_then(|question| args.kind.answer(&question));
        let answer = answer.unwrap_or_else(|problem| json!({"error": problem.to_string()}));
        if let Err(error) = writeln!(output, "{answer}").and_then(|()| output.flush()) {
            return stop_of(error);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whoever asked may leave before the end.
fn stop_of(error: io::Error) -> anyhow::Result<ExitCode> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        _ => Err(error).context("cannot write the answers"),
    }
}

/// Replaces `line` by the next one; false at the end. What is beyond the limit is read past, and the line
/// refused for what is left of it.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.by_ref().take(LINE_BYTES).read_until(b'\n', line)?;
    if line.len() as u64 == LINE_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(!line.is_empty())
}
