use super::{dir, files, memory};
use crate::{Entry, Error, Tables};
use disk::{FormatError, Mode, SharedDisk, read_all, replace_file};
use std::sync::Arc;

fn filled() -> SharedDisk {
    let disk = memory();
    let entries: Vec<Entry> =
        (0..5_000).map(|id: u64| Entry { fingerprint: id.wrapping_mul(0x9E37_79B9_7F4A_7C15), id }).collect();
    Tables::open(Arc::clone(&disk), dir()).unwrap().add(&entries, |_| Ok(())).unwrap();
    disk
}

fn read(disk: &SharedDisk) -> crate::Result<()> {
    Tables::open(Arc::clone(disk), dir())?.look_up(&[Entry { fingerprint: 1, id: 1 }], |_| Ok(()))
}

fn change(disk: &SharedDisk, name: &str, at: usize) {
    let path = dir().join(name);
    let mut bytes = read_all(&**disk, &path).unwrap();
    bytes[at] ^= 1;
    replace_file(&**disk, &path, &bytes).unwrap();
}

#[test]
fn every_changed_byte_is_noticed() {
    for name in files(&filled()) {
        let len = read_all(&*filled(), &dir().join(&name)).unwrap().len();
        let step = if name == "manifest" { 1 } else { 997 };
        for at in (0..len).step_by(step).chain([len - 1]) {
            let disk = filled();
            change(&disk, &name, at);
            let error = read(&disk).expect_err(&format!("byte {at} of {name}"));
            assert!(matches!(error, Error::Format(_)), "{error}");
            assert!(error.to_string().contains(&name), "{error}");
        }
    }
}

#[test]
fn a_cut_table_is_noticed() {
    let disk = filled();
    let name = files(&disk).into_iter().find(|name| name.starts_with("table-2")).unwrap();
    let mut file = disk.open(&dir().join(name), Mode::Write).unwrap();
    file.set_len(file.len().unwrap() - 1).unwrap();
    assert!(read(&disk).unwrap_err().to_string().contains("it ends before its entries do"));
}

#[test]
fn a_later_version_is_refused_by_name() {
    let disk = filled();
    change(&disk, "manifest", 8);
    assert!(matches!(read(&disk), Err(Error::Format(FormatError::Version { found: 0, known: 1, .. }))));
}
