//! Sees to it that every execution ends: one that does not would say nothing.

use crate::limits::{HANG, LOOK};
use crate::until::spent;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What is being executed. Under a lock, since a thread that hangs cannot say so: another looks.
#[derive(Clone)]
pub(crate) struct Watch(Arc<Mutex<Execution>>);

#[derive(Default)]
struct Execution {
    input: Vec<u8>,
    /// What the process had spent on processors by then.
    began: Duration,
}

impl Watch {
    /// Watches the target of this name as long as it is held.
    pub(crate) fn over(name: &'static str) -> Self {
        let watch = Self(Arc::default());
        watch.begin(&[]);
        let held = watch.clone();
        std::thread::spawn(move || held.look_on(name));
        watch
    }

    /// An execution begins, on this input.
    pub(crate) fn begin(&self, input: &[u8]) {
        let mut execution = self.execution();
        execution.input.clear();
        execution.input.extend_from_slice(input);
        execution.began = spent();
    }

    /// Until nobody else holds it. Ends the process, which nothing else can, where an execution hangs.
    #[expect(clippy::disallowed_methods, reason = "for tests only: it waits beside what is executed")]
    fn look_on(&self, name: &str) {
        while Arc::strong_count(&self.0) > 1 {
            if let Some(input) = self.hangs_at(spent()) {
                eprintln!("{name} hangs on b\"{}\"", input.escape_ascii());
                std::process::exit(1);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// The input on which the execution has spent too much.
    pub(crate) fn hangs_at(&self, spent: Duration) -> Option<Vec<u8>> {
        let execution = self.execution();
        (spent.saturating_sub(execution.began) > HANG).then(|| execution.input.clone())
    }

    fn execution(&self) -> MutexGuard<'_, Execution> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
