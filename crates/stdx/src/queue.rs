use std::collections::VecDeque;

/// First in, first out, never longer than its limit.
#[derive(Debug, Clone)]
pub struct BoundedQueue<T> {
    items: VecDeque<T>,
    limit: usize,
}

impl<T> BoundedQueue<T> {
    /// An empty queue that takes at most `limit` items.
    pub fn new(limit: usize) -> Self {
        assert!(limit > 0, "a queue that takes nothing is a mistake");
        Self { items: VecDeque::new(), limit }
    }

    /// Appends, or gives the item back when the queue is full.
    pub fn push(&mut self, item: T) -> Result<(), T> {
        if self.items.len() >= self.limit {
            return Err(item);
        }
        self.items.push_back(item);
        Ok(())
    }

    /// The oldest item.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop_front()
    }

    /// How many items wait.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether the next push would be refused.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.limit
    }
}
