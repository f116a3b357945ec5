//! Clock and environment: tests of a whole program stand outside of it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Now, for durations.
#[expect(clippy::disallowed_methods, reason = "the servers' logs are judged by the real clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970, as the archive dates its captures.
#[expect(clippy::disallowed_methods, reason = "captures are told apart by run through their dates")]
pub(crate) fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
}

/// Waits for something that another process does and gives no sign of.
#[expect(clippy::disallowed_methods, reason = "another process is waited for")]
pub(crate) fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Looks every few milliseconds until `happened`, for at most `patience`; whether it did.
pub(crate) fn await_until(patience: Duration, mut happened: impl FnMut() -> bool) -> bool {
    let begun = now();
    loop {
        if happened() {
            return true;
        }
        if begun.elapsed() > patience {
            return false;
        }
        pause(Duration::from_millis(2));
    }
}

/// An environment variable.
#[expect(clippy::disallowed_methods, reason = "the suites are told by their runner what there is")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether the long forms are wanted.
pub(crate) fn is_nightly() -> bool {
    variable("DRUMLIN_NIGHTLY").is_some_and(|value| value == "1")
}

/// Says that a test cannot run for want of `what`; on the project's own machines that is a failure.
pub(crate) fn skip(what: &str) {
    assert!(variable("CI").is_none_or(|ci| ci != "true"), "there is no {what}");
    println!("skipped: no {what}");
}
