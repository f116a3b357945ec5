use crate::Pending;
use crate::held::Held;
use backlog::Section;
use std::collections::VecDeque;
use weburl::KeyHash;

/// One class of one host's front queue: first in, first out. The oldest URLs and the newest are in memory, what is
/// between them is on disk.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    /// The oldest.
    pub(crate) head: Held,
    /// On disk, oldest first.
    pub(crate) sections: VecDeque<Section>,
    /// In the hands of a job; `None` if nothing is.
    pub(crate) lent: Option<Lent>,
    /// The newest; empty where nothing is before it but the head.
    pub(crate) tail: Held,
}

/// What a job has of a lane: the end of its sections and the tail behind them. Nobody reads them meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Lent {
    pub(crate) sections: VecDeque<Section>,
    pub(crate) tail: Held,
}

/// What a job has made of it.
#[derive(Debug)]
pub(crate) struct Returned {
    /// Instead of the sections that were lent.
    pub(crate) sections: Vec<Section>,
    pub(crate) tail: Tail,
}

/// What became of the tail that was lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tail {
    /// It is in a section.
    Written,
    /// It was too little for one.
    Kept,
}

/// The next URL of a lane.
#[derive(Debug)]
pub(crate) enum Next {
    Here(Pending),
    /// In the first block of this section.
    OnDisk(Section),
    /// None, or none that may be read now.
    None,
}

impl Lane {
    /// Appends the newest URL.
    pub(crate) fn push(&mut self, pending: Pending) {
        let unbroken = self.sections.is_empty() && self.lent.is_none() && self.tail.is_empty();
        if unbroken { self.head.push_back(pending) } else { self.tail.push_back(pending) }
    }

    /// The next URL, if it is in memory, or where it is.
    pub(crate) fn next(&mut self) -> Next {
        if let Some(pending) = self.head.pop_front() {
            return Next::Here(pending);
        }
        if let Some(section) = self.sections.front() {
            return Next::OnDisk(*section);
        }
        match self.lent {
            Some(_) => Next::None,
            None => self.tail.pop_front().map_or(Next::None, Next::Here),
        }
    }

    /// Whether [`Lane::next`] has something.
    pub(crate) fn has_next(&self) -> bool {
        let behind = self.lent.is_none() && !self.tail.is_empty();
        !self.head.is_empty() || !self.sections.is_empty() || behind
    }

    /// Gives a job what it is to write: the tail, and the sections from number `from` on, to be made one with it.
    pub(crate) fn lend(&mut self, from: usize) -> &Lent {
        let tail = std::mem::take(&mut self.tail);
        let sections = self.sections.split_off(from);
        self.lent.insert(Lent { sections, tail })
    }

    /// All that is in memory beyond the first `count` goes to the tail, to be written: possible while nothing is on disk.
    pub(crate) fn cut_head(&mut self, count: usize) {
        if self.sections.is_empty() && self.lent.is_none() {
            let mut rest = self.head.split_off(count);
            rest.append(std::mem::take(&mut self.tail));
            self.tail = rest;
        }
    }

    /// What was lent comes back as it was.
    pub(crate) fn take_back(&mut self) {
        if let Some(Lent { sections, mut tail }) = self.lent.take() {
            self.sections.extend(sections);
            tail.append(std::mem::take(&mut self.tail));
            self.tail = tail;
            self.close_up();
        }
    }

    /// What was lent comes back as a job has left it; `newer` came with it.
    pub(crate) fn take_back_as(&mut self, back: Returned, newer: impl IntoIterator<Item = Pending>) {
        let lent = self.lent.take().unwrap_or_default();
        self.sections.extend(back.sections);
        let mut tail = match back.tail {
            Tail::Written => Held::default(),
            Tail::Kept => lent.tail,
        };
        newer.into_iter().for_each(|pending| tail.push_back(pending));
        tail.append(std::mem::take(&mut self.tail));
        self.tail = tail;
        self.close_up();
    }

    /// A tail right behind the head is part of it.
    pub(crate) fn close_up(&mut self) {
        if self.sections.is_empty() && self.lent.is_none() {
            self.head.append(std::mem::take(&mut self.tail));
        }
    }

    /// Takes a URL out, if it is in memory and not lent.
    pub(crate) fn remove(&mut self, key: KeyHash) -> Option<Pending> {
        self.head.remove(key).or_else(|| self.tail.remove(key))
    }

    /// Takes out all that leave, of what is in memory and not lent.
    pub(crate) fn extract(&mut self, leaves: impl Fn(&Pending) -> bool, gone: &mut Vec<Pending>) {
        self.head.extract(&leaves, gone);
        self.tail.extract(leaves, gone);
    }

    /// Whether some of it is on disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        !self.sections.is_empty() || self.lent.as_ref().is_some_and(|lent| !lent.sections.is_empty())
    }

    /// URLs in it, wherever they are.
    pub(crate) fn len(&self) -> u64 {
        let lent = self.lent.as_ref().map_or(0, |lent| counts(&lent.sections) + lent.tail.len() as u64);
        counts(&self.sections) + lent + (self.head.len() + self.tail.len()) as u64
    }

    /// URLs in memory, oldest first, with those that are lent.
    pub(crate) fn in_memory(&self) -> impl Iterator<Item = &Pending> + Clone {
        let lent = self.lent.iter().flat_map(|lent| lent.tail.iter());
        self.head.iter().chain(lent).chain(self.tail.iter())
    }

    /// Sections, oldest first, with those that are lent.
    pub(crate) fn all_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().chain(self.lent.iter().flat_map(|lent| lent.sections.iter()))
    }

    /// What it takes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        let lent = self.lent.as_ref().map_or(0, |lent| lent.tail.bytes());
        let pointers = self.all_sections().count() * size_of::<Section>();
        self.head.bytes() + self.tail.bytes() + lent + pointers as u64
    }
}

fn counts(sections: &VecDeque<Section>) -> u64 {
    sections.iter().map(|section| section.count).sum()
}
