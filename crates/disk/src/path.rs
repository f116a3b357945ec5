//! Paths inside a disk, and errors that name them.

use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// `path` without `.` components; refused if it could leave the root.
pub(crate) fn inside(path: &Path) -> io::Result<PathBuf> {
    let mut clean = PathBuf::with_capacity(path.as_os_str().len());
    for component in path.components() {
        match component {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            _ => return Err(about(path, "use")(outside_root())),
        }
    }
    Ok(clean)
}

/// The directory that holds `path`.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Its last part.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether it is the root of a disk.
pub(crate) fn is_root(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// Adds to an error what was to be done with which path; the kind stays.
pub(crate) fn about<'a>(path: &'a Path, action: &'static str) -> impl FnOnce(io::Error) -> io::Error + 'a {
    move |source| io::Error::new(source.kind(), PathError { action, path: path.to_owned(), source })
}

fn outside_root() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path leaves the disk's root")
}

#[derive(Debug)]
struct PathError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.action, self.path.display(), self.source)
    }
}

impl std::error::Error for PathError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
