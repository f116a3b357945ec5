use stdx::Rng;

/// The bytes of one file, and what was done to them since they were last durable.
#[derive(Clone, Default)]
pub(super) struct Content {
    bytes: Vec<u8>,
    unsynced: Vec<Change>,
    unlinked: bool,
}

/// One write or cut, with what it takes to undo it.
#[derive(Clone)]
enum Change {
    Write { offset: usize, new: Vec<u8>, overwritten: Vec<u8>, len_before: usize },
    Resize { len_after: usize, tail: Vec<u8>, len_before: usize },
}

impl Content {
    pub(super) fn durable(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    pub(super) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn is_unlinked(&self) -> bool {
        self.unlinked
    }

    /// Marks the file as nameless; returns the bytes that its name held.
    pub(super) fn unlink(&mut self) -> u64 {
        self.unlinked = true;
        self.len()
    }

    pub(super) fn read(&self, buf: &mut [u8], offset: u64) -> usize {
        let start = (offset.min(self.len())) as usize;
        let there = buf.len().min(self.bytes.len() - start);
        buf[..there].copy_from_slice(&self.bytes[start..start + there]);
        there
    }

    pub(super) fn write(&mut self, data: &[u8], offset: u64) {
        let (offset, len_before) = (offset as usize, self.bytes.len());
        let overlap = offset.min(len_before)..(offset + data.len()).min(len_before);
        let overwritten = if offset < len_before { self.bytes[overlap].to_vec() } else { Vec::new() };
        put(&mut self.bytes, data, offset);
        self.unsynced.push(Change::Write { offset, new: data.to_vec(), overwritten, len_before });
    }

    pub(super) fn resize(&mut self, len: u64) {
        let (len_after, len_before) = (len as usize, self.bytes.len());
        let tail = self.bytes[len_after.min(len_before)..].to_vec();
        self.bytes.resize(len_after, 0);
        self.unsynced.push(Change::Resize { len_after, tail, len_before });
    }

    pub(super) fn sync(&mut self) {
        self.unsynced.clear();
    }

    /// What is there if nothing arrived since the last sync.
    pub(super) fn last_durable(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        self.unsynced.iter().rev().for_each(|change| change.undo(&mut bytes));
        bytes
    }

    /// What is there if the changes since the last sync arrived in order up to one that was torn.
    pub(super) fn torn_prefix(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.last_durable();
        let kept = rng.below(self.unsynced.len() as u64 + 1) as usize;
        self.unsynced[..kept].iter().for_each(|change| change.redo(&mut bytes));
        if let Some(last) = self.unsynced.get(kept) {
            last.redo_torn(&mut bytes, rng);
        }
        bytes
    }

    /// What is there if each change since the last sync arrived, was torn or was lost, independently.
    pub(super) fn any_subset(&self, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = self.last_durable();
        for change in &self.unsynced {
            match rng.below(3) {
                0 => {}
                1 => change.redo(&mut bytes),
                _ => change.redo_torn(&mut bytes, rng),
            }
        }
        bytes
    }
}

impl Change {
    fn undo(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write { offset, overwritten, len_before, .. } => {
                bytes.truncate(*len_before);
                put(bytes, overwritten, (*offset).min(*len_before));
            }
            Self::Resize { tail, len_before, .. } => {
                bytes.resize(*len_before, 0);
                let kept = len_before - tail.len();
                bytes[kept..].copy_from_slice(tail);
            }
        }
    }

    fn redo(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write { offset, new, .. } => put(bytes, new, *offset),
            Self::Resize { len_after, .. } => bytes.resize(*len_after, 0),
        }
    }

    /// A write may arrive in part; a cut is one value in the inode and arrives or not.
    fn redo_torn(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        match self {
            Self::Write { offset, new, .. } => {
                put(bytes, &new[..rng.below(new.len() as u64 + 1) as usize], *offset);
            }
            Self::Resize { .. } if rng.one_in(2) => self.redo(bytes),
            Self::Resize { .. } => {}
        }
    }
}

fn put(bytes: &mut Vec<u8>, data: &[u8], offset: usize) {
    if data.is_empty() {
        return;
    }
    if bytes.len() < offset + data.len() {
        bytes.resize(offset + data.len(), 0);
    }
    bytes[offset..offset + data.len()].copy_from_slice(data);
}
