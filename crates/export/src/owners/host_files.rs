use super::host_file::HostFile;
use super::{Terms, decoded};
use crate::limits::HOST_FILES_BYTES;
use robots::{Preferences, Use};

/// The files of one host, as they were over the time of the crawl; of equal ones one.
#[derive(Default)]
pub(super) struct HostFiles {
    files: Vec<HostFile>,
    /// As they were taken in; the last of them.
    bytes: usize,
    last: Vec<u8>,
}

/// What is said for a host that says too much.
const TOO_MANY: &str = "more files of the host than are read";

impl HostFiles {
    /// One more, encoded; equal ones come one after the other.
    pub(super) fn take_in(&mut self, file: &[u8]) {
        if file == self.last {
            return;
        }
        file.clone_into(&mut self.last);
        self.bytes += file.len();
        if self.are_read() {
            self.files.push(decoded(file));
        }
    }

    /// Adds what they say of a path with its query. Of a host with more than are read nobody knows, and so it refuses all.
    pub(super) fn speak_of(&self, path: &str, terms: &mut Terms) {
        for file in &self.files {
            terms.add(file.place(), file.preferences(path));
        }
        if !self.are_read() {
            terms.add(TOO_MANY, Preferences::refusing(&Use::ALL));
        }
    }

    fn are_read(&self) -> bool {
        self.bytes <= HOST_FILES_BYTES
    }
}
