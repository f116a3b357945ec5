use crate::limits::KEPT;
use stdx::Rng;

/// The inputs that are mutated: the seeds, and those that reached something new.
pub(crate) struct Pool {
    inputs: Vec<Vec<u8>>,
    /// The seeds stand first.
    seeds: usize,
    oldest: usize,
}

impl Pool {
    /// An empty input is a seed of every target.
    pub(crate) fn new(mut seeds: Vec<Vec<u8>>) -> Self {
        seeds.push(Vec::new());
        Self { seeds: seeds.len(), oldest: seeds.len(), inputs: seeds }
    }

    pub(crate) fn seeds(&self) -> &[Vec<u8>] {
        &self.inputs[..self.seeds]
    }

    pub(crate) fn any(&self, rng: &mut Rng) -> &[u8] {
        let at = rng.below(self.inputs.len() as u64);
        &self.inputs[usize::try_from(at).unwrap_or(0)]
    }

    pub(crate) fn keep(&mut self, input: Vec<u8>) {
        if self.inputs.len() < self.seeds + KEPT {
            self.inputs.push(input);
            return;
        }
        self.inputs[self.oldest] = input;
        self.oldest = if self.oldest + 1 == self.inputs.len() { self.seeds } else { self.oldest + 1 };
    }
}
