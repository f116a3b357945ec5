//! Passes over a graph that lies on disk (Haveliwala, *Efficient Computation of* `PageRank`, 1999): what every vertex gathers from those
//! that point to it, for as many vertices at once as memory has room for.

use crate::error::Result;
use crate::scratch::{Scratch, ScratchFile, ScratchWriter};
use disk::SequentialReader;
use std::cell::Cell;
use std::io::Read;
use std::marker::PhantomData;

/// The host graph as numbers.
pub(super) struct HostGraph<'a> {
    scratch: Scratch<'a>,
    pub(super) vertices: u64,
    pub(super) arcs: u64,
    /// How many arcs leave each vertex: eight bytes a vertex.
    degrees: ScratchFile<'a>,
    /// Where they lead, ascending for each vertex: eight bytes an arc.
    targets: ScratchFile<'a>,
    /// Files of states so far, of which each has its own name.
    states: Cell<u64>,
}

/// Takes in the arcs of a graph.
pub(super) struct ArcWriter<'w> {
    degrees: &'w mut ScratchWriter,
    targets: &'w mut ScratchWriter,
    /// The vertex whose arcs are coming, and how many have come.
    source: u64,
    degree: u64,
    arcs: u64,
}

/// What is known of a vertex, of a fixed size on disk.
pub(super) trait State: Clone {
    const BYTES: usize;
    /// Of so many bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Appends them.
    fn put(&self, out: &mut Vec<u8>);
}

/// Bytes read ahead of each file of a pass.
const BUFFER_BYTES: usize = 64 << 10;

impl<'a> HostGraph<'a> {
    /// Of so many vertices, and of the arcs that `fill` puts in.
    pub(super) fn write(
        scratch: Scratch<'a>,
        vertices: u64,
        fill: impl FnOnce(&mut ArcWriter<'_>) -> Result<()>,
    ) -> Result<Self> {
        let (degrees, targets) = (scratch.file("degrees"), scratch.file("targets"));
        let mut arcs = 0;
        degrees.write(|degrees| {
            targets.write(|targets| {
                let mut writer = ArcWriter { degrees, targets, source: 0, degree: 0, arcs: 0 };
                fill(&mut writer)?;
                arcs = writer.arcs;
                writer.go_to(vertices)
            })
        })?;
        Ok(Self { scratch, vertices, arcs, degrees, targets, states: Cell::new(0) })
    }

    pub(super) fn degrees(&self) -> Result<Numbers<'_>> {
        Numbers::open(&self.degrees)
    }

    pub(super) fn targets(&self) -> Result<Numbers<'_>> {
        Numbers::open(&self.targets)
    }

    /// A state for each vertex.
    pub(super) fn begin<S: State>(&self, mut of: impl FnMut(u64) -> Result<S>) -> Result<States<'a, S>> {
        let states = self.new_states();
        states.write(|out| (0..self.vertices).try_for_each(|vertex| out.put(&of(vertex)?)))?;
        Ok(states)
    }

    /// Makes new states of old ones: each vertex gathers, from `zero` on, what `absorb` takes of those that point to it, in
    /// ascending order; `settle` makes its state of that and of its old one, in ascending order too.
    pub(super) fn pass<S: State>(
        &self,
        old: &States<'a, S>,
        zero: &S,
        absorb: impl Fn(&mut S, &S),
        mut settle: impl FnMut(S, &S) -> Result<S>,
    ) -> Result<States<'a, S>> {
        let new = self.new_states();
        let at_once = (self.scratch.memory_bytes / size_of::<S>().max(1)).max(1) as u64;
        new.write(|out| {
            let mut own = old.read()?;
            for start in (0..self.vertices).step_by(at_once as usize) {
                let end = (start + at_once).min(self.vertices);
                let mut gathered = vec![zero.clone(); (end - start) as usize];
                self.for_each_arc(old, |from, to| {
                    if (start..end).contains(&to) {
                        absorb(&mut gathered[(to - start) as usize], from);
                    }
                })?;
                gathered.into_iter().try_for_each(|state| out.put(&settle(state, &own.next()?)?))?;
            }
            Ok(())
        })?;
        Ok(new)
    }

    fn new_states<S: State>(&self) -> States<'a, S> {
        self.states.set(self.states.get() + 1);
        States { file: self.scratch.file(&format!("states-{}", self.states.get())), of: PhantomData }
    }

    fn for_each_arc<S: State>(&self, states: &States<'_, S>, mut see: impl FnMut(&S, u64)) -> Result<()> {
        let (mut states, mut degrees, mut targets) = (states.read()?, self.degrees()?, self.targets()?);
        for _ in 0..self.vertices {
            let state = states.next()?;
            for _ in 0..degrees.next()? {
                see(&state, targets.next()?);
            }
        }
        Ok(())
    }
}

impl ArcWriter<'_> {
    /// Arcs come in the order of sources and then of targets, each once.
    pub(super) fn push(&mut self, source: u64, target: u64) -> Result<()> {
        self.go_to(source)?;
        self.degree += 1;
        self.arcs += 1;
        put_number(self.targets, target)
    }

    fn go_to(&mut self, source: u64) -> Result<()> {
        while self.source < source {
            put_number(self.degrees, std::mem::take(&mut self.degree))?;
            self.source += 1;
        }
        Ok(())
    }
}

/// A file of states.
pub(super) struct States<'a, S> {
    file: ScratchFile<'a>,
    of: PhantomData<S>,
}

impl<S: State> States<'_, S> {
    fn write(&self, fill: impl FnOnce(&mut StateWriter<'_>) -> Result<()>) -> Result<()> {
        self.file.write(|out| fill(&mut StateWriter { out, bytes: Vec::new() }))
    }

    /// From the first vertex on.
    pub(super) fn read(&self) -> Result<StateReader<'_, S>> {
        let reader = self.file.read(BUFFER_BYTES)?;
        Ok(StateReader { file: &self.file, reader, bytes: vec![0; S::BYTES], of: PhantomData })
    }
}

struct StateWriter<'w> {
    out: &'w mut ScratchWriter,
    bytes: Vec<u8>,
}

impl StateWriter<'_> {
    fn put<S: State>(&mut self, state: &S) -> Result<()> {
        self.bytes.clear();
        state.put(&mut self.bytes);
        self.out.put(&self.bytes)
    }
}

pub(super) struct StateReader<'f, S> {
    file: &'f ScratchFile<'f>,
    reader: SequentialReader,
    bytes: Vec<u8>,
    of: PhantomData<S>,
}

impl<S: State> StateReader<'_, S> {
    /// Of the next vertex, which there must be.
    pub(super) fn next(&mut self) -> Result<S> {
        self.reader.read_exact(&mut self.bytes).map_err(self.file.failed())?;
        Ok(S::read(&self.bytes))
    }
}

/// A file of numbers.
pub(super) struct Numbers<'f> {
    file: &'f ScratchFile<'f>,
    reader: SequentialReader,
}

impl<'f> Numbers<'f> {
    fn open(file: &'f ScratchFile<'f>) -> Result<Self> {
        Ok(Self { file, reader: file.read(BUFFER_BYTES)? })
    }

    /// The next one, which there must be.
    pub(super) fn next(&mut self) -> Result<u64> {
        let mut bytes = [0; 8];
        self.reader.read_exact(&mut bytes).map_err(self.file.failed())?;
        Ok(u64::from_le_bytes(bytes))
    }
}

fn put_number(out: &mut ScratchWriter, number: u64) -> Result<()> {
    out.put(&number.to_le_bytes())
}
