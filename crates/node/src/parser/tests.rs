use super::{ParseTask, Parser};
use crate::Witnessed;
use crate::corpus_writer::CorpusCommand;
use crate::examples::{capture, crawl_config, job, report};
use crate::executor::Message;
use crate::limits::PANIC_CHARS;
use crate::rows::Rows;
use archive::Capture;
use crawler::{CrawlConfig, Digested, Event, Material, ParseJob, Parsed, Room, Source};
use crossbeam_channel::{Receiver, bounded};
use std::io;
use std::sync::Arc;

const FATAL: &str = "http://a.example/fatal";
const FINE: &str = "http://a.example/fine";

/// A parser that meets the page it was not made for.
#[expect(clippy::unnecessary_wraps, reason = "as a parser does")]
fn stumble(job: &ParseJob, material: &Material<'_>, _: &CrawlConfig, _: &mut Room) -> io::Result<Digested> {
    assert_ne!(material.url, FATAL, "{}", "no such page ".repeat(100));
    Ok(Digested::nothing(job))
}

/// What comes of these pages, in one thread.
fn parsed(urls: &[&str]) -> Vec<Parsed> {
    let (report, messages) = report();
    let (corpus, _rows): (_, Receiver<CorpusCommand>) = bounded(1);
    let (sender, tasks) = bounded(urls.len());
    for url in urls {
        sender.send(task(capture(url))).unwrap();
    }
    drop(sender);
    let config = crawl_config();
    let (rows, witnessed) = (Rows::new(corpus), Witnessed::default());
    Parser { config, rows, witnessed, report, room: Room::default(), digest: stumble }.serve(&tasks);
    let parsed = messages.try_iter().map(|message| match message {
        Message::Event(Event::Parsed(parsed)) => parsed,
        _ => panic!("a parser has nothing else to say"),
    });
    parsed.collect()
}

fn task(capture: Capture) -> ParseTask {
    let job = ParseJob { source: Source::Held(Arc::new(capture)), ..job() };
    ParseTask { job, stored: None, record_id: "urn:uuid:1".to_owned(), warc_file: "a.warc.gz".to_owned() }
}

#[test]
fn a_panic_costs_one_page_and_the_log_names_it() {
    let parsed = parsed(&[FATAL, FINE]);
    assert_eq!(parsed.len(), 2, "the thread goes on");
    let lost = parsed[0].lost.as_ref().expect("nothing can be derived from it");
    assert_eq!((lost.url.as_str(), parsed[0].capture), (FATAL, job().capture));
    assert!(lost.detail.starts_with("the parser panicked: "), "{}", lost.detail);
    assert!(lost.detail.contains("no such page"), "{}", lost.detail);
    assert!(lost.detail.len() <= PANIC_CHARS + 30, "{}", lost.detail);
    assert_eq!(parsed[1].lost, None);
}
