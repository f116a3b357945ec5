use ledger::limits::LINE_BYTES;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The lines of a file, one in memory at a time; of one that is too long, its beginning.
pub(super) struct Lines {
    file: BufReader<File>,
}

impl Lines {
    /// A log is read twice: a pipe would be empty the second time.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no file, and a log is read twice"));
        }
        Ok(Self { file: BufReader::new(File::open(path)?) })
    }

    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let most = LINE_BYTES as u64 + 1;
        if self.file.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == most && line.last() != Some(&b'\n') {
            self.file.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&line);
        Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
    }
}

impl Iterator for Lines {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line().transpose()
    }
}
