//! The text files of the repository.

use crate::run;
use anyhow::Result;
use std::path::Path;

/// Every text file that is tracked or about to be.
pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
}

/// One file.
pub(crate) struct File {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

impl Tree {
    /// Reads the repository; what is not text is left out.
    pub(crate) fn read() -> Result<Self> {
        let names = run::output(run::program("git").args(["ls-files", "-z", "-co", "--exclude-standard"]))?;
        let read = |path: &str| {
            let text = std::fs::read_to_string(run::root().join(path)).ok()?;
            Some(File { path: path.to_owned(), text })
        };
        Ok(Self { files: names.split_terminator('\0').filter_map(read).collect() })
    }

    /// Rust sources.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.ends_in("rs"))
    }

    /// Documents.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.ends_in("md"))
    }

    /// Rust sources that go into a program or a library: no tests, examples or benches.
    pub(crate) fn shipped(&self) -> impl Iterator<Item = &File> {
        self.rust().filter(|file| !file.is_test())
    }

    /// Manifests of the crates under `crates/`.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = &File> {
        self.files
            .iter()
            .filter(|file| file.path.starts_with("crates/") && file.path.ends_with("/Cargo.toml"))
    }
}

impl File {
    /// The crate it belongs to, if it is under `crates/`.
    pub(crate) fn krate(&self) -> Option<&str> {
        self.path.strip_prefix("crates/")?.split('/').next()
    }

    /// Lines that are not comments from their first character on, with their numbers.
    pub(crate) fn code(&self) -> impl Iterator<Item = Line<'_>> {
        self.lines().filter(|line| !line.text.trim_start().starts_with("//"))
    }

    /// All lines with their numbers, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.text.lines().zip(1..).map(|(text, number)| Line { number, text })
    }

    fn ends_in(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|end| end == extension)
    }

    fn is_test(&self) -> bool {
        let in_directory = ["/tests/", "/examples/", "/benches/"].iter().any(|dir| self.path.contains(dir));
        in_directory || self.path.ends_with("/tests.rs")
    }
}

/// One line of a file.
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
}
