use crate::error::{Error, Result};
use crate::new_file::UNFINISHED;
use disk::Disk;
use std::path::{Path, PathBuf};

/// Where the program's exports go, below the directory of a crawl, and how their files are called there: `*` begins what a name ends with.
const DIRS: [(&str, &[&str]); 8] = [
    ("", &["crawl.wacz"]),
    ("wet", &["*.warc.wet.gz", "withheld.jsonl"]),
    ("fineweb", &["*.parquet", "withheld.jsonl"]),
    ("jsonl", &["*.jsonl.gz", "withheld.jsonl"]),
    ("cdxj", &["cdx-00000.gz", "cluster.idx", "cluster.loc"]),
    ("index", &["cc-index.parquet"]),
    ("wat", &["*.warc.wat.gz"]),
    (
        "graph",
        &[
            "vertices.txt",
            "edges.txt",
            "ranks.txt",
            "hosts.graph",
            "hosts.offsets",
            "hosts.properties",
            "host-edges.parquet",
            "page-edges.parquet",
            "graph.json",
        ],
    ),
];

/// Files where exports put theirs below `dir`, whoever has made them.
pub fn made(disk: &dyn Disk, dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for dir in DIRS.map(|(name, _)| dir.join(name)) {
        for path in disk.list(&dir).unwrap_or_default().into_iter().map(|name| dir.join(name)) {
            if disk.stat(&path).is_ok_and(|found| found.is_some()) {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// Removes what exports have made below `dir`, or had begun: they can be made again. What somebody else has put there stays. Gives how many
/// files went.
pub fn withdraw_all(disk: &dyn Disk, dir: &Path) -> Result<u64> {
    let mut files = made(disk, dir)?;
    files.retain(|path| path.strip_prefix(dir).is_ok_and(is_ours));
    for path in &files {
        disk.remove(path).map_err(Error::disk(path))?;
    }
    for dir in DIRS.map(|(name, _)| dir.join(name)).iter().filter(|dir| disk.list(dir).is_ok()) {
        disk.sync_dir(dir).map_err(Error::disk(dir))?;
    }
    Ok(files.len() as u64)
}

/// Whether an export calls a file so, by its path below where they go.
fn is_ours(path: &Path) -> bool {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return false;
    };
    let name = name.strip_suffix(UNFINISHED).unwrap_or(name);
    let is_called = |pattern: &&str| match pattern.strip_prefix('*') {
        Some(ending) => name.ends_with(ending),
        None => name == *pattern,
    };
    DIRS.iter().any(|(of, names)| dir == Path::new(of) && names.iter().any(is_called))
}
