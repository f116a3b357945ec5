use crate::corpus_writer::CorpusCommand;
use crate::limits::ROWS_GATHERED_BYTES;
use corpus::Row;
use crossbeam_channel::{SendError, Sender};
use std::sync::{Arc, Mutex, PoisonError};

/// Where parsers put rows, and the corpus thread takes many at a time.
///
/// With a lock: an owner would have to be woken for each row, which takes longer than what is to be done with it.
#[derive(Clone)]
pub(crate) struct Rows {
    gathered: Arc<Mutex<Gathered>>,
    corpus: Sender<CorpusCommand>,
}

#[derive(Default)]
struct Gathered {
    rows: Vec<Row>,
    bytes: u64,
}

/// The corpus thread is gone.
pub(crate) struct NoCorpus;

impl Rows {
    pub(crate) fn new(corpus: Sender<CorpusCommand>) -> Self {
        Self { gathered: Arc::default(), corpus }
    }

    /// Adds a row; waits where there are too many.
    pub(crate) fn push(&self, row: Row) -> Result<(), NoCorpus> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        gathered.bytes += row.bytes();
        gathered.rows.push(row);
        if gathered.bytes < ROWS_GATHERED_BYTES { Ok(()) } else { self.hand_over(&mut gathered) }
    }

    /// Has the file closed behind all rows that were pushed.
    pub(crate) fn close(&self) -> Result<(), NoCorpus> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        self.hand_over(&mut gathered)?;
        Ok(self.corpus.send(CorpusCommand::Close)?)
    }

    /// With the lock held, so that no row comes behind a later word.
    fn hand_over(&self, gathered: &mut Gathered) -> Result<(), NoCorpus> {
        let Gathered { rows, .. } = std::mem::take(gathered);
        Ok(self.corpus.send(CorpusCommand::Push(rows))?)
    }
}

impl From<SendError<CorpusCommand>> for NoCorpus {
    fn from(_: SendError<CorpusCommand>) -> Self {
        Self
    }
}
