use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic elsewhere leaves the values of this crate whole, and a test that provokes one still wants its disk.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
