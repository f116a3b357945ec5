use super::{memory_in, require_memory};
use crate::settings::{Settings, Size};

#[test]
fn the_memory_of_a_machine_is_read() {
    assert_eq!(memory_in("MemTotal:       16318480 kB\nMemFree:        9172736 kB\n"), Some(16_710_123_520));
    for unknown in ["", "MemFree: 1 kB", "MemTotal: many kB", "MemTotal: 18446744073709551615 kB"] {
        assert_eq!(memory_in(unknown), None, "{unknown}");
    }
}

#[test]
fn memory_that_the_machine_does_not_have_is_refused() {
    assert!(require_memory(Some(Size(1 << 60))).is_err());
    for fits in [None, Settings::defaults().memory, Some(Size(64 << 20))] {
        assert_eq!(require_memory(fits), Ok(()), "{fits:?}");
    }
}
