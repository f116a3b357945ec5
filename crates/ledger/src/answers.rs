use crawler::RobotsAnswer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An answer to a request for robots.txt as the journal has it, compressed.
pub(crate) type Packed = Arc<[u8]>;

/// What robots.txt files say. Compiled, rules take a multiple of their text, and that a multiple of what it takes packed: so they are
/// kept packed, equal ones once, and compiled when somebody is judged by them.
#[derive(Debug)]
pub(crate) struct Answers {
    packed: BTreeSet<Packed>,
    packed_bytes: usize,
    /// Those that were asked for last.
    compiled: BTreeMap<Packed, RobotsAnswer>,
    compiled_bytes: usize,
    compiled_room: usize,
}

/// A fast level: lines of paths are alike enough for it.
const ZSTD_LEVEL: i32 = 1;

/// What a set takes for an entry, and an allocation for itself.
const ENTRY_BYTES: usize = 64;

/// A compiled rule takes some 120 bytes and what is written twice, at least five bytes of text.
const COMPILED_FACTOR: usize = 30;

impl Answers {
    /// With room for so many bytes of compiled rules, and for one file's whatever it takes.
    pub(crate) fn new(compiled_room: usize) -> Self {
        Self {
            packed: BTreeSet::new(),
            packed_bytes: 0,
            compiled: BTreeMap::new(),
            compiled_bytes: 0,
            compiled_room,
        }
    }

    /// An answer to be kept, for as long as somebody holds it.
    pub(crate) fn pack(&mut self, answer: &RobotsAnswer) -> Packed {
        let plain = postcard::to_allocvec(answer).expect("answers are plain data");
        let packed = zstd::bulk::compress(&plain, ZSTD_LEVEL).expect("memory is compressed");
        if let Some(known) = self.packed.get(&*packed) {
            return Arc::clone(known);
        }
        let packed = Packed::from(packed);
        self.packed_bytes += packed.len();
        self.packed.insert(Arc::clone(&packed));
        packed
    }

    /// What it says.
    pub(crate) fn compiled(&mut self, packed: &Packed) -> &RobotsAnswer {
        if !self.compiled.contains_key(packed) {
            self.compile(packed);
        }
        &self.compiled[packed]
    }

    /// Lets go of what nobody holds.
    pub(crate) fn sweep(&mut self) {
        self.forget_compiled();
        self.packed.retain(|packed| Arc::strong_count(packed) > 1);
        self.packed_bytes = self.packed.iter().map(|packed| packed.len()).sum();
    }

    /// What they take packed.
    pub(crate) fn bytes(&self) -> u64 {
        (self.packed_bytes + ENTRY_BYTES * self.packed.len()) as u64
    }

    fn compile(&mut self, packed: &Packed) {
        let plain = zstd::stream::decode_all(&**packed).expect("it was compressed here");
        let answer = postcard::from_bytes(&plain).expect("it was encoded here");
        let bytes = COMPILED_FACTOR * plain.len();
        if self.compiled_bytes + bytes > self.compiled_room {
            self.forget_compiled();
        }
        self.compiled_bytes += bytes;
        self.compiled.insert(Arc::clone(packed), answer);
    }

    fn forget_compiled(&mut self) {
        self.compiled.clear();
        self.compiled_bytes = 0;
    }
}
