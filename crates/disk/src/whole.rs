use crate::path::{about, parent};
use crate::{Disk, File, Mode};
use std::io;
use std::path::{Path, PathBuf};

/// The content of a file.
pub fn read_all(disk: &dyn Disk, path: &Path) -> io::Result<Vec<u8>> {
    let file = disk.open(path, Mode::Read)?;
    let len = usize::try_from(file.len()?).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let mut bytes = vec![0; len];
    let there = file.read_at(&mut bytes, 0)?;
    bytes.truncate(there);
    Ok(bytes)
}

/// Makes `bytes` the content of `path`, durably: whatever happens, `path` holds its old content or the new
/// one (write-temp, fsync, rename, fsync-directory). The file `path` + `.tmp` is used meanwhile.
pub fn replace_file(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file_by_parts(disk, path, &[bytes])
}

/// [`replace_file`] by `parts` one after the other, which need not lie together.
pub fn replace_file_by_parts(disk: &dyn Disk, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let temp = temp_name(path);
    let replaced = write_new(disk, &temp, parts).and_then(|()| disk.rename(&temp, path));
    if replaced.is_err() {
        // The error that is reported is the first; a leftover is overwritten by the next replacement.
        let _ = disk.remove(&temp);
    }
    replaced?;
    disk.sync_dir(parent(path))
}

/// Removes all files of a directory, if it is there.
pub fn clear_dir(disk: &dyn Disk, dir: &Path) -> io::Result<()> {
    match disk.list(dir) {
        Ok(names) => names.iter().try_for_each(|name| disk.remove(&dir.join(name))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Fills `buf` from `offset`, or fails with `UnexpectedEof` if the file ends before.
pub fn read_exact_at(file: &dyn File, buf: &mut [u8], offset: u64) -> io::Result<()> {
    if file.read_at(buf, offset)? < buf.len() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends before its data does"));
    }
    Ok(())
}

fn write_new(disk: &dyn Disk, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = disk.open(path, Mode::Truncate)?;
    let mut end = 0;
    for part in parts {
        file.write_at(part, end).map_err(about(path, "replace"))?;
        end += part.len() as u64;
    }
    file.sync()
}

fn temp_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
