use crate::coverage::Coverage;
use crate::limits::{EXECUTIONS, INPUT_BYTES};
use crate::mutation::Mutation;
use crate::pool::Pool;
use crate::shrink::shrink;
use crate::until::Until;
use crate::watch::Watch;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use stdx::Rng;

/// What a target is fed with.
pub struct Fuzz {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    executions: u64,
    most_bytes: usize,
}

impl Fuzz {
    /// Of the target of this name.
    pub fn new(name: &'static str) -> Self {
        Self { name, seeds: Vec::new(), words: Vec::new(), executions: EXECUTIONS, most_bytes: INPUT_BYTES }
    }

    /// Inputs to begin with: such as the parser is made for, and such as once failed.
    #[must_use]
    pub fn seeds<S: Into<Vec<u8>>>(mut self, seeds: impl IntoIterator<Item = S>) -> Self {
        self.seeds.extend(seeds.into_iter().map(Into::into));
        self
    }

    /// What the language of the target is made of; it is put in anywhere.
    #[must_use]
    pub fn words(mut self, words: &[&str]) -> Self {
        self.words.extend(words.iter().map(|word| word.as_bytes().to_vec()));
        self
    }

    /// How often the target is executed in an ordinary run.
    #[must_use]
    pub fn executions(mut self, executions: u64) -> Self {
        self.executions = executions;
        self
    }

    /// Inputs have at most so many bytes.
    #[must_use]
    pub fn most_bytes(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// Executes the target on every seed, then on mutations, until the run ends, or an input fails, which is made short and
    /// shown, or hangs, which ends the process. Targets of a process run one after another: what they allocate and cover is counted for all of it.
    pub fn run(self, target: impl Fn(&[u8])) {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Until::of(self.executions);
        let mut rng = Rng::new(until.seed());
        let mut fed =
            Fed { name: self.name, target, coverage: Coverage::default(), watch: Watch::over(self.name) };
        let mut pool = Pool::new(self.seeds);
        let mutation = Mutation { words: &self.words, most_bytes: self.most_bytes };
        for seed in pool.seeds() {
            fed.execute(seed);
        }
        let mut executions = 0;
        while !until.is_over(executions) {
            executions += 1;
            let input = mutation.mutate(pool.any(&mut rng), pool.any(&mut rng), &mut rng);
            if fed.execute(&input) {
                pool.keep(input);
            }
        }
        println!("fuzz {}: {executions} executions, {} regions reached", self.name, fed.coverage.regions());
    }
}

static TURN: Mutex<()> = Mutex::new(());

/// A target that is being fed.
struct Fed<F> {
    name: &'static str,
    target: F,
    coverage: Coverage,
    watch: Watch,
}

impl<F: Fn(&[u8])> Fed<F> {
    /// Whether the input reached something new.
    fn execute(&mut self, input: &[u8]) -> bool {
        let fails = |input: &[u8]| {
            self.watch.begin(input);
            catch_unwind(AssertUnwindSafe(|| (self.target)(input))).is_err()
        };
        Coverage::begin();
        if fails(input) {
            let short = shrink(input, fails);
            panic!("{} fails on b\"{}\"", self.name, short.escape_ascii());
        }
        self.coverage.is_new()
    }
}
