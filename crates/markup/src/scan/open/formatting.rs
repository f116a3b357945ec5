use super::sets::{CLEARS, FORMATTING};
use super::stack::{Kind, Node, Stack};
use crate::limits::ALIKE;
use crate::tag::{Label, Tag};

/// The formatting elements that come back where something else has closed them (HTML 13.2.4.3).
#[derive(Default)]
pub(super) struct Formatting {
    entries: Vec<Entry>,
    /// Whether some may have been closed by others than their end tags.
    lost: bool,
    serial: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Marker,
    Element(Label),
}

impl Formatting {
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// A new one, under a label that no other has.
    pub(super) fn add(&mut self, tag: Tag) -> Label {
        let alike = |entry: &&Entry| matches!(entry, Entry::Element(label) if label.tag == tag);
        let from = self.since_marker();
        if self.entries[from..].iter().filter(alike).count() >= ALIKE
            && let Some(first) = self.entries[from..].iter().position(|entry| alike(&entry))
        {
            self.entries.remove(from + first);
        }
        self.serial = self.serial.wrapping_add(1);
        let label = Label { tag, hash: self.serial };
        self.entries.push(Entry::Element(label));
        label
    }

    /// What is in here does not concern what is outside.
    pub(super) fn mark(&mut self) {
        self.entries.push(Entry::Marker);
    }

    fn since_marker(&self) -> usize {
        self.entries.iter().rposition(|entry| *entry == Entry::Marker).map_or(0, |at| at + 1)
    }

    /// The last one of an element.
    pub(super) fn find(&self, tag: Tag) -> Option<Label> {
        let elements = self.entries.iter().rev().map_while(|entry| match entry {
            Entry::Marker => None,
            Entry::Element(label) => Some(*label),
        });
        elements.into_iter().find(|label| label.tag == tag)
    }

    /// Removes it where it is the last; says whether it was.
    pub(super) fn take_last(&mut self, label: Label) -> bool {
        let is_last = self.entries.last() == Some(&Entry::Element(label));
        if is_last {
            self.entries.pop();
        }
        is_last
    }

    pub(super) fn remove(&mut self, label: Label) {
        if let Some(at) = self.entries.iter().rposition(|entry| *entry == Entry::Element(label)) {
            self.entries.remove(at);
        }
    }

    /// Learns what was closed.
    pub(super) fn closed(&mut self, nodes: impl Iterator<Item = Node>) {
        let mut cleared = false;
        for node in nodes.filter(|node| node.kind == Kind::Html) {
            cleared |= CLEARS.has(node.label.tag);
            self.lost |= FORMATTING.has(node.label.tag);
        }
        if cleared {
            self.clear_to_marker();
        }
    }

    /// Once for each end, however many markers have gathered: that is how HTML has it.
    pub(super) fn clear_to_marker(&mut self) {
        self.entries.truncate(self.since_marker().saturating_sub(1));
        self.lost = !self.entries.is_empty();
    }

    /// Opens again those that were lost.
    pub(super) fn reopen(&mut self, stack: &mut Stack) {
        if self.lost {
            self.reopen_lost(stack);
        }
    }

    #[cold]
    fn reopen_lost(&mut self, stack: &mut Stack) {
        self.lost = false;
        // The stack may be deep, and little of it is formatting.
        let open: Vec<Label> = stack.all_formatting().collect();
        let is_open = |entry: &Entry| match entry {
            Entry::Marker => true,
            Entry::Element(label) => open.contains(label),
        };
        let from = self.entries.iter().rposition(is_open).map_or(0, |at| at + 1);
        for entry in &self.entries[from..] {
            if let Entry::Element(label) = entry {
                stack.push(Node::new(*label, Kind::Html));
            }
        }
    }
}
