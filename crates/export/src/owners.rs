//! What owners say of the use of their pages, for every row of the corpus: in files of the host, in headers, in the page itself.

mod gate;
mod host_file;
mod host_files;
mod notice;
mod policy;

use crate::captures::{Dangling, Purpose, bracketed, for_each_capture};
use crate::error::Result;
use crate::scratch::Scratch;
use crate::sorter::{Sorted, Sorter};
use control::Takedowns;
pub(crate) use corpus::Terms;
pub(crate) use gate::Gate;
use host_file::HostFile;
use host_files::HostFiles;
use notice::Notice;
pub use policy::Respect;
use serde::{Deserialize, Serialize};
use std::path::Path;
use weburl::Url;

/// Where owners' words are, and to whom they are said.
#[derive(Debug, Clone, Copy)]
pub struct OwnersConfig<'a> {
    /// The directory of the WARC files.
    pub archive: &'a Path,
    /// A directory for what is sorted, emptied before and after.
    pub scratch: &'a Path,
    /// What sorting may take.
    pub memory_bytes: usize,
    /// Bytes of a page that the crawl parses, `[page] parse`: what it reads is read here too.
    pub parsed_bytes: usize,
    /// The product token by which robots.txt and pages speak to the crawl.
    pub agent: &'a str,
    /// What is withheld on their word.
    pub respect: Respect,
    /// What is withheld whatever they say.
    pub taken: &'a Takedowns,
}

/// The terms of the rows of a corpus, in the order of its files and rows.
pub(crate) struct Owners<'a> {
    sorted: Sorted<'a>,
    next: Option<Numbered>,
    row: u64,
    /// Captures of which nobody knows what their owners say, since what they stand for is gone.
    pub(crate) dangling: Dangling,
}

struct Numbered {
    row: u64,
    terms: Terms,
}

/// Between the parts of what is sorted; in no URL and no id.
const ZERO: &[u8] = &[0];
/// Files of a host before the pages they speak of.
const OF_HOST: u8 = 0;
const OF_PAGE: u8 = 1;

impl<'a> Owners<'a> {
    /// Asks the archive about the rows of the corpus in `corpus`.
    pub(crate) fn ask(scratch: Scratch<'a>, config: &OwnersConfig<'_>, corpus: &Path) -> Result<Self> {
        // At most three sort or merge at once.
        let scratch = Scratch { memory_bytes: scratch.memory_bytes / 3, ..scratch };
        let mut dangling = Dangling::default();
        let by_authority = notices(scratch, config, &mut dangling)?;
        let by_id = terms(scratch, by_authority)?;
        let sorted = number(scratch, by_id, corpus)?;
        let mut owners = Self { sorted, next: None, row: 0, dangling };
        owners.advance()?;
        Ok(owners)
    }

    /// Of the next row; none where the archive has its capture no longer.
    pub(crate) fn next(&mut self) -> Result<Option<Terms>> {
        let row = self.row;
        self.row += 1;
        match self.next.take_if(|next| next.row == row) {
            None => Ok(None),
            Some(found) => {
                self.advance()?;
                Ok(Some(found.terms))
            }
        }
    }

    fn advance(&mut self) -> Result<()> {
        self.next = self.sorted.next()?.map(|item| {
            let (row, terms) = item.split_at(8);
            let row = u64::from_be_bytes(row.try_into().expect("eight bytes"));
            Numbered { row, terms: decoded(terms) }
        });
        Ok(())
    }
}

/// By authority: its files, then a notice for each page.
fn notices<'a>(
    scratch: Scratch<'a>,
    config: &OwnersConfig<'_>,
    dangling: &mut Dangling,
) -> Result<Sorted<'a>> {
    let mut sorter = Sorter::new(scratch, "notices");
    for_each_capture(scratch.disk, config.archive, config.taken, config.parsed_bytes, |capture| {
        dangling.see(capture);
        if capture.dangling.is_none() && !matches!(capture.status, 200..=299) {
            return Ok(());
        }
        let authority = capture.url.authority().as_bytes();
        if let Some(file) = HostFile::of(capture, config.agent) {
            sorter.push(&[authority, ZERO, &[OF_HOST], &encoded(&file)].concat())?;
        }
        if capture.purpose == Purpose::Page && capture.dangling.is_none() {
            let notice = encoded(&Notice::of(capture, config));
            sorter.push(&[authority, ZERO, &[OF_PAGE], &notice].concat())?;
        }
        Ok(())
    })?;
    sorter.finish()
}

/// By record id: what all that was said comes to.
fn terms<'a>(scratch: Scratch<'a>, mut by_authority: Sorted<'_>) -> Result<Sorted<'a>> {
    let mut sorter = Sorter::new(scratch, "terms");
    let mut authority = Vec::new();
    let mut files = HostFiles::default();
    while let Some(item) = by_authority.next()? {
        let end = item.iter().position(|byte| *byte == ZERO[0]).expect("it was put there");
        if item[..end] != authority {
            item[..end].clone_into(&mut authority);
            files = HostFiles::default();
        }
        let rest = &item[end + 2..];
        if item[end + 1] == OF_HOST {
            files.take_in(rest);
            continue;
        }
        let Notice { id, url, mut terms } = decoded(rest);
        let path = Url::parse(&url).map(|url| url.request_target().to_owned()).unwrap_or_default();
        files.speak_of(&path, &mut terms);
        sorter.push(&[id.as_bytes(), ZERO, &encoded(&terms)].concat())?;
    }
    sorter.finish()
}

/// By the number of the row.
fn number<'a>(scratch: Scratch<'a>, mut by_id: Sorted<'_>, corpus: &Path) -> Result<Sorted<'a>> {
    let mut ids = Sorter::new(scratch, "ids");
    let mut row: u64 = 0;
    corpus::for_each_id(scratch.disk, corpus, |id| {
        row += 1;
        ids.push(&[bracketed(id).as_bytes(), ZERO, &(row - 1).to_be_bytes()].concat())
    })?;
    let mut ids = ids.finish()?;
    let mut numbered = Sorter::new(scratch, "numbered");
    let mut known = by_id.next()?;
    while let Some(item) = ids.next()? {
        let (id, row) = item.split_at(item.len() - 8);
        while known.as_ref().is_some_and(|known| &known[..known.len().min(id.len())] < id) {
            known = by_id.next()?;
        }
        if let Some(terms) = known.as_ref().and_then(|known| known.strip_prefix(id)) {
            numbered.push(&[row, terms].concat())?;
        }
    }
    numbered.finish()
}

fn encoded<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain values")
}

/// What [`encoded`] made.
fn decoded<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("what was encoded here")
}
