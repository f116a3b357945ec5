use std::ops::{Index, IndexMut};

/// Values under small numbers that are used again when a value has gone.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = Some(value);
            return number;
        }
        self.slots.push(Some(value));
        u32::try_from(self.slots.len() - 1).expect("memory holds fewer than 2^32 hosts")
    }

    pub(crate) fn remove(&mut self, number: u32) -> T {
        self.free.push(number);
        self.slots[number as usize].take().expect("what is removed is there")
    }

    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize)?.as_ref()
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(number, slot)| slot.as_ref().map(|value| (number as u32, value)))
    }

    /// The values of `limit` places from the `first` on.
    pub(crate) fn stretch(&self, first: usize, limit: usize) -> impl Iterator<Item = &T> {
        self.slots.iter().skip(first).take(limit).flatten()
    }

    /// How many places there are, used or not.
    pub(crate) fn places(&self) -> usize {
        self.slots.len()
    }

    /// The numbers in use; the slab may be changed while they are gone through.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        self.iter().map(|(number, _)| number).collect()
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;
    fn index(&self, number: u32) -> &T {
        self.slots[number as usize].as_ref().expect("what is named is there")
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        self.slots[number as usize].as_mut().expect("what is named is there")
    }
}
