use super::table::{Entry, Header, Place, Table, key_of};
use disk::{Disk, MemDisk, Mode, replace_file};
use std::path::Path;

const PATH: &str = "earlier";

fn url(n: u64) -> String {
    format!("https://example.com/{n}")
}

/// A table of the pages `0..pages`; every tenth was answered twice.
fn table_of(pages: u64) -> Vec<u8> {
    let place = |n: u64| Place { file: (n % 2) as u32, offset: 1_000 * n };
    let again = |n: u64| Place { file: 7, offset: n };
    let mut entries: Vec<Entry> =
        (0..pages).map(|n| Entry { key: key_of(&url(n)), place: place(n) }).collect();
    entries.extend((0..pages).step_by(10).map(|n| Entry { key: key_of(&url(n)), place: again(n) }));
    entries.sort_unstable();
    let header = Header { entries: entries.len() as u64, names: "one.warc.gz\ntwo.warc.gz\n".to_owned() };
    entries.iter().fold(header.encode(), |mut bytes, entry| {
        bytes.extend_from_slice(&entry.encode());
        bytes
    })
}

fn open(bytes: &[u8]) -> crate::Result<Table> {
    let disk = MemDisk::new();
    replace_file(&disk, Path::new(PATH), bytes).expect("memory");
    Table::open(disk.open(Path::new(PATH), Mode::Read).expect("memory"), Path::new(PATH))
}

#[test]
fn every_url_is_found_in_tables_of_any_size() {
    for pages in [0, 1, 2, 100, 127, 128, 129, 3_000] {
        let table = open(&table_of(pages)).expect("sound");
        for n in 0..pages {
            let places = table.places(&url(n)).expect("sound");
            let last = if n.is_multiple_of(10) { Place { file: 7, offset: n } } else { places[0] };
            assert_eq!(
                (places[0].offset, *places.last().expect("found")),
                (1_000 * n, last),
                "{n} of {pages}"
            );
        }
        assert_eq!(table.places("https://example.com/none").expect("sound"), []);
    }
}

#[test]
fn an_entry_that_is_damaged_is_no_answer() {
    let mut bytes = table_of(3);
    let at = bytes.len() - 10;
    bytes[at] ^= 1;
    let table = open(&bytes).expect("its header is sound");
    assert!((0..3).all(|n| table.places(&url(n)).is_err()));
}

/// Drawn in `docs/formats/earlier.md`.
#[test]
fn version_1_is_read_forever() {
    let golden: &[u8] = include_bytes!("../tests/golden/earlier-v1");
    assert_eq!(table_of(11), golden);
    let table = open(golden).expect("sound");
    assert_eq!((table.len(), table.file_name(1), table.file_name(2)), (13, Some("two.warc.gz"), None));
    assert_eq!(table.places(&url(3)).expect("sound"), [Place { file: 1, offset: 3_000 }]);
}
