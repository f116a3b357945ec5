use crate::exit::BadUsage;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use stdx::format_count;
use weburl::limits::URL_BYTES;
use weburl::{Url, UrlError};

/// Where seeds come from.
pub(crate) enum Source {
    /// Words of the command line, last first.
    Typed(Vec<String>),
    /// Lines of a file or a pipe.
    Lines(Lines),
}

/// The lines of a text that may be long in every way.
pub(crate) struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    number: u64,
    /// Whether the line that was read last goes on beyond what was read of it.
    is_cut: bool,
}

/// All seeds that a command names, in order. Ends after the first error.
pub(crate) struct Seeds {
    sources: std::vec::IntoIter<Source>,
    current: Option<Source>,
    failed: bool,
}

/// Bytes of a line that are read; no URL that is requested is longer, and a file without line ends is no list.
const LINE_BYTES: u64 = 64 << 10;

impl Source {
    /// URLs as they were typed.
    pub(crate) fn typed(urls: &[String]) -> Self {
        Self::Typed(urls.iter().rev().cloned().collect())
    }

    /// The lines of a file, or of standard input for `-`.
    pub(crate) fn open(name: &str) -> Result<Self, BadUsage> {
        if name == "-" {
            return Ok(Self::lines("standard input", Box::new(BufReader::new(io::stdin()))));
        }
        let cannot = |error: io::Error| BadUsage(format!("cannot read seeds file {name}: {error}"));
        let file = File::open(name).map_err(cannot)?;
        if file.metadata().map_err(cannot)?.is_dir() {
            return Err(cannot(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self::lines(name, Box::new(BufReader::new(file))))
    }

    /// The lines of any text; `name` is what it is called in messages.
    pub(crate) fn lines(name: &str, reader: Box<dyn BufRead>) -> Self {
        Self::Lines(Lines { name: name.to_owned(), reader, number: 0, is_cut: false })
    }
}

impl Seeds {
    /// The seeds of these sources, one source after the other.
    pub(crate) fn of(sources: Vec<Source>) -> Self {
        Self { sources: sources.into_iter(), current: None, failed: false }
    }
}

impl Iterator for Seeds {
    type Item = Result<Url, BadUsage>;
    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            let item = match &mut self.current {
                None => None,
                Some(Source::Typed(words)) => words.pop().map(|word| read_typed(&word)),
                Some(Source::Lines(lines)) => lines.next_url(),
            };
            if let Some(item) = item {
                self.failed = item.is_err();
                return Some(item);
            }
            self.current = Some(self.sources.next()?);
        }
        None
    }
}

impl Lines {
    fn next_url(&mut self) -> Option<Result<Url, BadUsage>> {
        loop {
            let line = match self.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return None,
                Err(error) => return Some(Err(BadUsage(format!("cannot read {}: {error}", self.name)))),
            };
            let text = String::from_utf8_lossy(&line);
            let text = without_comment(text.trim_start_matches('\u{feff}'));
            if self.is_cut && text.len() > URL_BYTES {
                let (name, number, most) = (&self.name, self.number, format_count(LINE_BYTES));
                return Some(Err(BadUsage(format!("{name}, line {number}: longer than {most} bytes"))));
            }
            if text.contains(char::REPLACEMENT_CHARACTER) {
                return Some(Err(BadUsage(format!("{}, line {}: not UTF-8", self.name, self.number))));
            }
            if !text.is_empty() {
                return Some(
                    read(text).map_err(|why| BadUsage(format!("{}, line {}: {why}", self.name, self.number))),
                );
            }
        }
    }

    /// What is beyond the limit is no line of its own: it is passed over.
    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        self.number += 1;
        let read = self.reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)?;
        let is_whole = (read as u64) < LINE_BYTES || line.last() == Some(&b'\n');
        self.is_cut = !is_whole && self.reader.skip_until(b'\n')? > 0;
        Ok((read > 0).then_some(line))
    }
}

/// A line of a list without blanks around it and the comment behind it. A `#` right behind something is part of that: a
/// URL's fragment.
pub(crate) fn without_comment(line: &str) -> &str {
    let is_comment = |at: &usize| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = line.match_indices('#').map(|(at, _)| at).find(is_comment);
    line[..comment.unwrap_or(line.len())].trim()
}

fn read_typed(word: &str) -> Result<Url, BadUsage> {
    read(word).map_err(BadUsage)
}

/// A host without a scheme is the commonest slip; the message says what to type.
fn read(text: &str) -> Result<Url, String> {
    Url::parse_listed(text).map_err(|error| match error {
        _ if !text.contains(":/") && Url::parse(&format!("https://{text}")).is_ok() => {
            let shown: String = text.chars().take(120).collect();
            format!("`{shown}` is not a URL: it has no scheme; perhaps https://{shown}")
        }
        UrlError::Malformed { .. } | UrlError::Scheme { .. } | UrlError::TooLong { .. } => error.to_string(),
    })
}
