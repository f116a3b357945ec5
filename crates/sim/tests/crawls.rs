//! Whole crawls in virtual time, without a fault.

use crawler::{Exit, Retention};
use sim::checks::{captures, rows};
use sim::{Network, Setup, Site, Trial};
use simweb::{End, Media, WebConfig};
use std::path::Path;
use weburl::Scope;

#[test]
fn a_whole_crawl_on_a_disk_in_memory() {
    for seed in 1..4 {
        let site = Site::new(WebConfig::small(seed, 300).without_traps(), 2);
        let setup = Setup::new(&site, Scope::Any, 7);
        let mut trial = Trial::new(&site, setup, Network::new(site.web.clone(), 3), seed);
        assert_eq!(trial.finish(), Exit::Done);
        let wrong = trial.judge_done();
        assert!(wrong.is_empty(), "{} violations, first: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    }
}

#[test]
fn expired_captures_are_gone_and_nothing_else_is() {
    let site = Site::new(WebConfig::small(2, 300).without_traps(), 2);
    let mut setup = Setup::new(&site, Scope::Any, 7);
    setup.crawl.retention = Retention::Expire;
    setup.archive.payload_bytes = 0;
    let mut trial = Trial::new(&site, setup, Network::new(site.web.clone(), 3), 1);
    assert_eq!(trial.finish(), Exit::Done);
    let snapshot = trial.last().snapshot();
    let left = captures(&trial.disk()).unwrap().len() as u64;
    assert!(left < snapshot.captures, "{left} of {} captures are left", snapshot.captures);
    let names = trial.disk().list(Path::new("archive")).unwrap();
    let warcs = names.iter().filter(|name| name.ends_with(".warc.gz")).count();
    assert_eq!(warcs, 1, "the newest file stays: {names:?}");
    assert_eq!(rows(&trial.disk()).unwrap().len() as u64, snapshot.rows, "every row is there");
    let is_text = |end| matches!(end, End::Page(Media::Html | Media::Text) | End::Ruined);
    assert_eq!(trial.truth().ending(is_text).count() as u64, snapshot.rows);
}
