use super::{BadUsage, Exit, bad_usage, exit_of, one_line, remedy};
use anyhow::Context;
use crawler::RecoveryError;
use ledger::AuditError;
use node::NodeError;
use std::io::{self, ErrorKind};

fn check(error: impl Into<anyhow::Error>, exit: Exit) {
    let error = error.into();
    assert_eq!(exit_of(&error), exit, "{error:#}");
    assert_eq!(exit_of(&Err::<(), _>(error).context("while crawling").unwrap_err()), exit);
}

#[test]
fn the_code_follows_the_fault() {
    check(bad_usage("no"), Exit::Usage);
    check(BadUsage("no".into()), Exit::Usage);
    check(io::Error::from(ErrorKind::PermissionDenied), Exit::Internal);
    check(io::Error::from(ErrorKind::StorageFull), Exit::DiskFull);
    check(NodeError::Archive(io::Error::from(ErrorKind::StorageFull).into()), Exit::DiskFull);
    check(NodeError::Archive(io::Error::from(ErrorKind::NotFound).into()), Exit::Internal);
    check(io::Error::from(ErrorKind::QuotaExceeded), Exit::DiskFull);
    check(
        NodeError::System { what: "writing crawl.log", source: ErrorKind::QuotaExceeded.into() },
        Exit::DiskFull,
    );
    check(NodeError::ThreadLost("archive"), Exit::Internal);
    check(export::Error::NotPurged { takedown: "takedown 17".to_owned() }, Exit::Usage);
    check(NodeError::Recovery(RecoveryError::OtherCrawl), Exit::Usage);
    check(NodeError::Recovery(RecoveryError::OtherFolding), Exit::Usage);
    check(NodeError::Recovery(RecoveryError::OtherNodes), Exit::Internal);
    check(
        NodeError::Archive(archive::Error::Version { path: "state/checkpoint".into(), found: 9, known: 1 }),
        Exit::Usage,
    );
    check(
        NodeError::Corpus(corpus::Error::Version {
            path: "corpus/pages-00001.parquet".into(),
            found: "9".into(),
        }),
        Exit::Usage,
    );
}

#[test]
fn an_edited_key_is_named_with_its_file() {
    let told = |error| remedy(&NodeError::Recovery(error).into()).unwrap_or_default();
    let seed = "; put `seed` in its drumlin.toml back as it was, if that has changed, or its own state/ back";
    assert_eq!(told(RecoveryError::OtherCrawl), seed);
    assert_eq!(told(RecoveryError::OtherFolding), "; put [folding] in its drumlin.toml back as it was");
    assert_eq!(told(RecoveryError::OtherNodes), "");
}

#[test]
fn what_is_damaged_comes_from_a_backup_unless_the_journal_has_it() {
    let told = |path: &str| {
        let damage =
            || archive::Error::Corrupt { path: path.into(), offset: 5, what: "a record cannot be read" };
        let of_node = anyhow::Error::from(NodeError::Archive(damage())).context("while crawling");
        let others =
            [damage().into(), AuditError::from(damage()).into(), report::Error::from(damage()).into()];
        let others = others.map(|error| remedy(&error).unwrap_or_default());
        assert!(others.iter().all(|remedy| *remedy == others[0]), "{others:?}");
        (remedy(&of_node).unwrap_or_default(), others[0].clone())
    };
    let backup = "; put it back from a backup";
    assert_eq!(told("archive/x.warc.gz"), (backup.to_owned(), backup.to_owned()));
    assert!(told("state/checkpoint").0.contains("makes both again"));
    let full = NodeError::Archive(io::Error::from(ErrorKind::StorageFull).into());
    assert_eq!(remedy(&full.into()), None);
}

#[test]
fn the_codes_are_the_documented_ones() {
    let all = [
        Exit::Done,
        Exit::Internal,
        Exit::Usage,
        Exit::Waiting,
        Exit::LimitReached,
        Exit::DiskFull,
        Exit::Interrupted,
    ];
    assert_eq!(all.map(|exit| exit as u8), [0, 1, 2, 3, 4, 5, 130]);
    for exit in all {
        let line = format!("  {:<4} ", exit as u8);
        assert!(crate::args::EXIT_CODES.lines().any(|documented| documented.starts_with(&line)), "{exit:?}");
    }
}

#[test]
fn a_message_of_many_lines_becomes_one() {
    let number = "error: invalid value 'x' for '--limit <N>': invalid digit found in string\n";
    assert_eq!(one_line(number), "invalid value 'x' for '--limit <N>': not a whole number");
    let message = "error: invalid value\n  [possible values: a, b]\n\n  tip: try\n\nUsage: drumlin\n\nFor more information\n";
    assert_eq!(one_line(message), "invalid value [possible values: a, b]; try");
}

#[test]
fn a_cause_that_is_named_already_is_said_once() {
    let place = tempfile::tempdir().unwrap();
    let disk = disk::OsDisk::new(place.path().to_owned()).unwrap();
    let error = disk::read_all(&disk, std::path::Path::new("absent")).unwrap_err();
    let said = super::whole(&anyhow::Error::from(error).context("the crawl stopped"));
    assert!(said.starts_with("the crawl stopped: cannot open "), "{said}");
    assert_eq!(said.matches("No such file").count(), 1, "{said}");
}
