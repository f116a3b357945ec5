/// How far a piece of long work has come. Told often; whoever listens decides what is worth showing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What is being done, for people: "reading the journal".
    pub stage: &'static str,
    /// So much of it is done …
    pub done: u64,
    /// … of so much, as far as is known; 0 where it is not.
    pub of: u64,
    /// What is counted.
    pub unit: Unit,
}

/// What a [`Step`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes read or written.
    Bytes,
    /// Entries, rows, files: the stage says which.
    Items,
}

/// Who is told. Work that nobody watches is given [`nobody`].
pub type Watch<'a> = dyn FnMut(Step) + 'a;

/// Shows nothing.
pub fn nobody(_: Step) {}

impl Step {
    /// Of bytes.
    pub fn bytes(stage: &'static str, done: u64, of: u64) -> Self {
        Self { stage, done, of, unit: Unit::Bytes }
    }

    /// Of anything else.
    pub fn items(stage: &'static str, done: u64, of: u64) -> Self {
        Self { stage, done, of, unit: Unit::Items }
    }
}
