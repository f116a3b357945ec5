use crate::error::Result;
use crate::key_file::{KeyBlock, KeyReader, KeyWriter};
use crate::sort::Entry;
use crate::value::Value;

/// Requests on their way through a merge.
pub(crate) struct Batch<V> {
    /// Sorted by key, equal keys by the order of discovery.
    pub(crate) entries: Vec<Entry>,
    /// What each request brings, by order of discovery.
    pub(crate) updates: Vec<Option<V>>,
    /// What each request found; written by the merge, by order of discovery.
    pub(crate) befores: Vec<Option<V>>,
}

/// The one pass through the keys (IRLbot §IV-C, steps 2 and 3). With no writer nothing is updated.
pub(crate) fn merge_keys<V: Value>(
    old: &mut KeyReader<V>,
    batch: &mut Batch<V>,
    writer: Option<&mut KeyWriter<V>>,
) -> Result<()> {
    let Batch { entries, updates, befores } = batch;
    let mut pass = Pass { waiting: entries, updates, befores, writer };
    while let Some(block) = old.next_block()? {
        pass.through(block)?;
    }
    while let Some(entry) = pass.waiting.first() {
        pass.settle(entry.key, None)?;
    }
    Ok(())
}

struct Pass<'a, V> {
    waiting: &'a [Entry],
    updates: &'a [Option<V>],
    befores: &'a mut [Option<V>],
    writer: Option<&'a mut KeyWriter<V>>,
}

impl<V: Value> Pass<'_, V> {
    /// Settles the requests up to the last key of `block`.
    fn through(&mut self, block: &KeyBlock) -> Result<()> {
        let KeyBlock { keys, values } = block;
        let mut place = 0;
        while let Some(entry) = self.waiting.first() {
            let key = entry.key;
            let start = place;
            place += keys[start..].iter().position(|known| *known >= key).unwrap_or(keys.len() - start);
            self.copy(&keys[start..place], &values[start * V::SIZE..place * V::SIZE])?;
            if place == keys.len() {
                return Ok(());
            }
            let known = keys[place] == key;
            self.settle(key, known.then(|| V::decode(&values[place * V::SIZE..(place + 1) * V::SIZE])))?;
            place += usize::from(known);
        }
        self.copy(&keys[place..], &values[place * V::SIZE..])
    }

    /// Settles the requests for `key`, which must be the next: each sees what those before it did.
    fn settle(&mut self, key: u64, mut state: Option<V>) -> Result<()> {
        while let Some((entry, rest)) = self.waiting.split_first()
            && entry.key == key
        {
            let seq = entry.seq as usize;
            self.befores[seq] = state;
            if let Some(update) = self.updates[seq] {
                state = Some(state.map_or(update, |value| value.merge(update)));
            }
            self.waiting = rest;
        }
        match (&mut self.writer, state) {
            (Some(writer), Some(value)) => writer.push(key, &value),
            _ => Ok(()),
        }
    }

    fn copy(&mut self, keys: &[u64], values: &[u8]) -> Result<()> {
        match &mut self.writer {
            Some(writer) => writer.extend(keys, values),
            None => Ok(()),
        }
    }
}
