use super::run;
use crate::error::Result;
use crate::layout::{RUN_DIR, piece_path, run_path, temp_path};
use crate::merge::{Sorted, merge_runs};
use disk::{Appender, Disk, Mode};
use std::io::Write;
use std::path::Path;
use stdx::nobody;

/// Index lines of one WARC file, which become its run: sorted in bounded memory. What is more goes to disk in sorted
/// pieces.
pub(crate) struct LineSorter {
    /// Of the WARC file.
    name: String,
    memory_bytes: usize,
    lines: Vec<String>,
    /// What `lines` take.
    bytes: usize,
    /// Pieces on disk.
    pieces: u32,
}

impl LineSorter {
    pub(crate) fn new(name: &str, memory_bytes: usize) -> Self {
        Self { name: name.to_owned(), memory_bytes, lines: Vec::new(), bytes: 0, pieces: 0 }
    }

    pub(crate) fn push(&mut self, line: String) {
        self.bytes += taken(&line);
        self.lines.push(line);
    }

    /// Lines in memory.
    pub(crate) fn held(&self) -> usize {
        self.lines.len()
    }

    /// Forgets all lines in memory but the first `held`.
    pub(crate) fn truncate(&mut self, held: usize) {
        self.bytes -= self.lines.drain(held..).map(|line| taken(&line)).sum::<usize>();
    }

    /// Writes the lines in memory to disk, if they take more than they may. If that fails they stay.
    pub(crate) fn spill_beyond_bound(&mut self, disk: &dyn Disk) -> Result<()> {
        if self.bytes > self.memory_bytes { self.spill(disk) } else { Ok(()) }
    }

    /// All lines, sorted, as the run of the WARC file, which has so many bytes. Gives the lines in it.
    pub(crate) fn finish(self, disk: &dyn Disk, warc_bytes: u64) -> Result<Sorted> {
        let run = run_path(&self.name);
        let lines = self.sorted(disk)?;
        run::seal(disk, &lines, warc_bytes)?;
        disk.rename(&lines.path, &run)?;
        disk.sync_dir(Path::new(RUN_DIR))?;
        Ok(Sorted { path: run, ..lines })
    }

    /// All lines, sorted, in a temporary file.
    pub(crate) fn sorted(mut self, disk: &dyn Disk) -> Result<Sorted> {
        disk.create_dir(Path::new(RUN_DIR))?;
        let temp = temp_path(&run_path(&self.name));
        if self.pieces == 0 {
            self.write(disk, &temp)?;
        } else {
            self.spill(disk)?;
            self.merge_into(disk, &temp)?;
        }
        Sorted::whole(disk, temp)
    }

    fn spill(&mut self, disk: &dyn Disk) -> Result<()> {
        let path = piece_path(&self.name, self.pieces);
        self.write(disk, &path)?;
        self.pieces += 1;
        self.lines = Vec::new();
        self.bytes = 0;
        Ok(())
    }

    fn write(&mut self, disk: &dyn Disk, path: &Path) -> Result<()> {
        self.lines.sort_unstable();
        let mut out = Appender::new(disk.open(path, Mode::Truncate)?, 0);
        for line in &self.lines {
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")?;
        }
        Ok(out.sync()?)
    }

    fn merge_into(&self, disk: &dyn Disk, out: &Path) -> Result<()> {
        let pieces = (0..self.pieces).map(|piece| Sorted::whole(disk, piece_path(&self.name, piece)));
        let pieces: Vec<_> = pieces.collect::<Result<_>>()?;
        merge_runs(disk, &pieces, out, self.memory_bytes, &mut nobody)?;
        pieces.iter().try_for_each(|piece| Ok(disk.remove(&piece.path)?))
    }
}

fn taken(line: &str) -> usize {
    size_of::<String>() + line.len()
}
