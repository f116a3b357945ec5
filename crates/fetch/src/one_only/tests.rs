use super::OneOnly;
use crate::limits::ONE_ONLY;

#[test]
fn those_that_said_so_last_are_remembered() {
    let one_only = OneOnly::default();
    for host in 0..=ONE_ONLY {
        one_only.note(&format!("https://{host}.test"));
    }
    let known = (0..=ONE_ONLY).filter(|host| one_only.has(&format!("https://{host}.test")));
    assert!(known.eq(1..=ONE_ONLY));
}
