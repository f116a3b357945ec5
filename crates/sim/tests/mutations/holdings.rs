//! An archive, an index, rows, states and files that are not what the crawl has seen.

use crate::{crawled, site};
use disk::{Mode, SharedDisk, read_all};
use sim::checks::{
    Captured, Holdings, archived_once, attempts_logged, audited, captures, complete, fates, index_complete,
    purged, rows, rows_exact, warcs_sound,
};
use sim::{Site, Trial};
use simweb::End;
use std::path::Path;

/// Tampers with what the archive is said to hold.
#[track_caller]
fn check_captures(
    tamper: impl Fn(&mut Vec<Captured>, &Site),
    judge: impl Fn(&[Captured], &Trial<'_>, &Site) -> Vec<String>,
) {
    let site = site();
    let trial = crawled(&site);
    let mut captures = captures(&trial.disk()).unwrap();
    assert_eq!(judge(&captures, &trial, &site), Vec::<String>::new());
    tamper(&mut captures, &site);
    assert!(!judge(&captures, &trial, &site).is_empty(), "the judge sees nothing wrong");
}

/// Where the archive has a page.
fn page_at(captures: &[Captured]) -> usize {
    let is_page = |capture: &Captured| capture.status == 200 && !capture.url.contains("robots");
    captures.iter().rposition(is_page).unwrap()
}

#[test]
fn a_page_archived_twice() {
    let twice = |captures: &mut Vec<Captured>, _: &Site| captures.push(captures[page_at(captures)].clone());
    check_captures(twice, |captures, _, site| archived_once(captures, &site.web));
}

#[test]
fn a_page_missing() {
    let lose = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures.remove(index);
    };
    check_captures(lose, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_page_that_no_link_leads_to() {
    let stray = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        let url = format!("{}/no/such/page", captures[index].url);
        captures.push(Captured { url, status: 404, ..captures[index].clone() });
    };
    check_captures(stray, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_page_with_another_answer() {
    let change = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures[index].status = 503;
    };
    check_captures(change, |captures, trial, site| complete(captures, &site.web, &trial.truth()));
}

#[test]
fn a_record_missing_from_the_index() {
    let add = |captures: &mut Vec<Captured>, _: &Site| {
        let index = page_at(captures);
        captures.push(Captured { offset: 1, ..captures[index].clone() });
    };
    check_captures(add, |captures, trial, _| index_complete(&trial.disk(), captures));
}

#[test]
fn an_index_line_without_its_record() {
    let lose = |captures: &mut Vec<Captured>, _: &Site| drop(captures.pop());
    check_captures(lose, |captures, trial, _| index_complete(&trial.disk(), captures));
}

#[test]
fn rows_that_are_not_the_pages() {
    let site = site();
    let trial = crawled(&site);
    let (captures, truth) = (captures(&trial.disk()).unwrap(), trial.truth());
    let whole = rows(&trial.disk()).unwrap();
    let judge = |rows: &[corpus::Row]| rows_exact(rows, &captures, &site.web, &truth);
    assert_eq!(judge(&whole), Vec::<String>::new());
    assert!(!judge(&whole[1..]).is_empty(), "a row less");
    let twice = [&whole[..], &whole[..1]].concat();
    assert!(!judge(&twice).is_empty(), "a row twice");
    let mut elsewhere = whole.clone();
    elsewhere[0].warc_offset += 1;
    assert!(!judge(&elsewhere).is_empty(), "a row that points elsewhere");
}

#[test]
fn a_url_in_the_wrong_state() {
    let site = site();
    let trial = crawled(&site);
    let states = trial.last().states().unwrap();
    let state = |url: &str| states.get(&trial.key(url)?);
    let mut truth = trial.truth();
    assert_eq!(fates(&truth, state), Vec::<String>::new());
    let page = truth.pages().next().unwrap().to_owned();
    assert!(
        !fates(&truth, |url| if url == page { None } else { state(url) }).is_empty(),
        "a URL nobody knows"
    );
    truth.urls.get_mut(&page).unwrap().end = End::Forbidden;
    assert!(!fates(&truth, state).is_empty(), "a URL fetched that must not be");
}

/// Changes the first file of a finished crawl whose path ends like this.
#[track_caller]
fn check_files(
    file: &str,
    tamper: impl Fn(&mut Vec<u8>),
    judge: impl Fn(&SharedDisk, &Trial<'_>) -> Vec<String>,
) {
    let site = site();
    let trial = crawled(&site);
    let disk = trial.disk();
    assert_eq!(judge(&disk, &trial), Vec::<String>::new());
    let dir = Path::new(file).parent().unwrap();
    let name = disk
        .list(dir)
        .unwrap()
        .into_iter()
        .find(|name| name.ends_with(Path::new(file).file_name().unwrap().to_str().unwrap()));
    let path = dir.join(name.unwrap());
    let mut bytes = read_all(disk.as_ref(), &path).unwrap();
    tamper(&mut bytes);
    disk.open(&path, Mode::Truncate).unwrap().write_at(&bytes, 0).unwrap();
    assert!(!judge(&disk, &trial).is_empty(), "the judge sees nothing wrong");
}

#[test]
fn a_warc_file_that_was_damaged() {
    check_files("archive/.warc.gz", |bytes| bytes.truncate(bytes.len() - 9), |disk, _| warcs_sound(disk));
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
    };
    check_files("archive/.warc.gz", flip, |disk, _| warcs_sound(disk));
}

#[test]
fn an_index_that_is_not_sorted() {
    let swap = |bytes: &mut Vec<u8>| {
        let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        bytes.rotate_left(first);
    };
    check_files("archive/index.cdxj", swap, |disk, _| index_complete(disk, &captures(disk).unwrap()));
}

#[test]
fn a_log_that_misses_a_line_or_has_one_twice() {
    let judge = |disk: &SharedDisk, trial: &Trial<'_>| attempts_logged(disk, &trial.network.log);
    let first_line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let lose = |bytes: &mut Vec<u8>| drop(bytes.drain(..first_line(bytes)));
    check_files("crawl.log", lose, judge);
    let twice = |bytes: &mut Vec<u8>| {
        let line = bytes[..first_line(bytes)].to_vec();
        bytes.splice(..0, line);
    };
    check_files("crawl.log", twice, judge);
    check_files("crawl.log", |bytes| bytes[40..80].fill(0), judge);
}

#[test]
fn a_purge_that_takes_too_much_or_too_little() {
    let site = site();
    let trial = crawled(&site);
    let before = Holdings::of(&trial.disk()).unwrap();
    let host = |url: &str| url.split('/').nth(2).unwrap_or_default().to_owned();
    let taken_down = host(&before.rows[0].url);
    let is_covered = |url: &str| host(url) == taken_down;
    let mut right = before.clone();
    right.captures.retain(|capture| !is_covered(&capture.url));
    right.rows.retain(|row| !is_covered(&row.url));
    assert_eq!(purged(&before, &right, is_covered), Vec::<String>::new());
    let tampered: [fn(&mut Holdings, &Holdings); 6] = [
        |after, before| after.captures.clone_from(&before.captures),
        |after, _| drop(after.captures.pop()),
        |after, _| after.captures[0].status += 1,
        |after, _| after.captures.push(after.captures[0].clone()),
        |after, _| drop(after.rows.pop()),
        |after, _| after.rows[0].warc_offset += 1,
    ];
    for (index, tamper) in tampered.into_iter().enumerate() {
        let mut after = right.clone();
        tamper(&mut after, &before);
        assert!(!purged(&before, &after, is_covered).is_empty(), "tampering {index} goes unseen");
    }
}

#[test]
fn a_journal_that_tells_the_same_twice() {
    let site = site();
    let disk = crawled(&site).disk();
    let journal = || archive::ledger(disk.clone());
    assert_eq!(audited(journal), Vec::<String>::new());
    assert!(!audited(|| Ok(journal()?.chain(journal()?))).is_empty(), "the judge sees nothing wrong");
}
