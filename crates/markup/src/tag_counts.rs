use crate::tag::{Tag, TagSet};

/// How many elements of each name there are: whoever looks for one where there is none need not look.
#[derive(Debug, Clone)]
pub struct TagCounts {
    counts: [u16; 128],
    /// Those of which there is one.
    present: TagSet,
}

impl Default for TagCounts {
    fn default() -> Self {
        Self { counts: [0; 128], present: TagSet::of(&[]) }
    }
}

impl TagCounts {
    /// One more.
    pub fn add(&mut self, tag: Tag) {
        self.counts[tag as usize] += 1;
        self.present = self.present.with(TagSet::of(&[tag]));
    }

    /// One less.
    pub fn remove(&mut self, tag: Tag) {
        let count = &mut self.counts[tag as usize];
        *count -= 1;
        if *count == 0 {
            self.present = self.present.without(&[tag]);
        }
    }

    /// Whether there is one of these.
    pub fn has_any(&self, tags: TagSet) -> bool {
        self.present.meets(tags)
    }
}
