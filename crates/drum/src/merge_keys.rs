use crate::error::Result;
use crate::key_file::{KeyBlock, KeyReader, KeyWriter};
use crate::requests::Outcome;
use crate::sort::Entry;
use crate::value::Value;

/// The one pass through the keys (IRLbot §IV-C, steps 2 and 3): of requests sorted by key, equal keys by the
/// order of discovery, with their outcomes in that order. With no writer nothing is updated.
pub(crate) fn merge_keys<V: Value>(
    old: &mut KeyReader<V>,
    entries: &[Entry],
    outcomes: &mut [Outcome<V>],
    writer: Option<&mut KeyWriter<V>>,
) -> Result<()> {
    let mut pass = Pass { waiting: entries, outcomes, writer };
    while let Some(block) = old.next_block()? {
        pass.through(block)?;
    }
    while let Some(entry) = pass.waiting.first() {
        let value = pass.settle(entry.key, None);
        pass.push(entry.key, value)?;
    }
    Ok(())
}

struct Pass<'a, V> {
    waiting: &'a [Entry],
    outcomes: &'a mut [Outcome<V>],
    writer: Option<&'a mut KeyWriter<V>>,
}

impl<V: Value> Pass<'_, V> {
    /// Settles the requests up to the last key of `block`. Its keys are copied in long runs, from one new key
    /// to the next; known ones change in place.
    fn through(&mut self, block: &mut KeyBlock) -> Result<()> {
        let (mut place, mut copied) = (0, 0);
        while let Some(entry) = self.waiting.first() {
            let key = entry.key;
            place += count_less(&block.keys[place..], key);
            let Some(known) = block.keys.get(place) else { break };
            if *known == key {
                let value = block.value_mut(place, V::SIZE);
                if let Some(merged) = self.settle(key, Some(V::decode(value))) {
                    merged.encode(value);
                }
            } else {
                let value = self.settle(key, None);
                if value.is_some() {
                    self.copy(block, copied..place)?;
                    copied = place;
                    self.push(key, value)?;
                }
            }
        }
        self.copy(block, copied..block.keys.len())
    }

    /// Settles the requests for `key`, which must be the next: each sees what those before it did. Returns what
    /// the key has after them.
    fn settle(&mut self, key: u64, mut state: Option<V>) -> Option<V> {
        while let Some((entry, rest)) = self.waiting.split_first()
            && entry.key == key
        {
            let outcome = &mut self.outcomes[entry.seq as usize];
            outcome.before = state;
            if let Some(update) = outcome.update {
                state = Some(state.map_or(update, |value| value.merge(update)));
            }
            self.waiting = rest;
        }
        state
    }

    fn push(&mut self, key: u64, value: Option<V>) -> Result<()> {
        match (&mut self.writer, value) {
            (Some(writer), Some(value)) => writer.push(key, &value),
            _ => Ok(()),
        }
    }

    fn copy(&mut self, block: &KeyBlock, places: std::ops::Range<usize>) -> Result<()> {
        let values = &block.values[places.start * V::SIZE..places.end * V::SIZE];
        match &mut self.writer {
            Some(writer) => writer.extend(&block.keys[places], values),
            None => Ok(()),
        }
    }
}

/// How many of `keys`, which ascend, are less than `key`: few, as a rule. Four at a time, so that the branch is
/// seldom guessed wrong.
fn count_less(keys: &[u64], key: u64) -> usize {
    let (steps, rest) = keys.as_chunks::<4>();
    for (nth, [a, b, c, d]) in steps.iter().enumerate() {
        if *d >= key {
            let second_half = usize::from(*b < key);
            let next = if second_half == 1 { c } else { a };
            return nth * 4 + 2 * second_half + usize::from(*next < key);
        }
    }
    steps.len() * 4 + rest.iter().take_while(|known| **known < key).count()
}
