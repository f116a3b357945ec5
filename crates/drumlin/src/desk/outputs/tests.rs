use super::of;
use std::fs;

#[test]
fn exports_are_found_in_their_directories() {
    let dir = tempfile::tempdir().unwrap();
    for (path, bytes) in [
        ("archive/a.warc.gz", 5),
        ("archive/deep/b.warc.gz", 7),
        ("export/crawl.wacz", 11),
        ("export/wet/pages-00001.warc.wet.gz", 13),
        ("state/frontier/0/run", 17),
    ] {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![0; bytes]).unwrap();
    }
    let found: Vec<(String, u64, u64)> =
        of(dir.path()).into_iter().map(|output| (output.path, output.files, output.bytes)).collect();
    let expected = [("archive/*.warc.gz", 1, 5), ("export/*", 2, 24), ("state/*", 1, 17)];
    assert_eq!(found, expected.map(|(path, files, bytes)| (path.to_owned(), files, bytes)));
}
