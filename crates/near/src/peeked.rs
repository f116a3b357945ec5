use crate::error::Result;
use crate::sorter::{Pair, Sorted};

/// Sorted pairs, and the next of them in sight.
pub(crate) struct Peeked {
    pub(crate) head: Option<Pair>,
    rest: Sorted,
}

impl Peeked {
    pub(crate) fn of(mut rest: Sorted) -> Result<Self> {
        Ok(Self { head: rest.next()?, rest })
    }

    pub(crate) fn next(&mut self) -> Result<()> {
        self.head = self.rest.next()?;
        Ok(())
    }

    /// Whether `pair` is among them; none before it is asked for afterwards.
    pub(crate) fn has(&mut self, pair: Pair) -> Result<bool> {
        self.pass(pair)?;
        Ok(self.head == Some(pair))
    }

    /// What stands beside `first`; none before it is asked for afterwards.
    pub(crate) fn beside(&mut self, first: u64) -> Result<Option<u64>> {
        self.pass([first, 0])?;
        Ok(self.head.filter(|head| head[0] == first).map(|[_, second]| second))
    }

    fn pass(&mut self, pair: Pair) -> Result<()> {
        while self.head.is_some_and(|head| head < pair) {
            self.next()?;
        }
        Ok(())
    }
}
