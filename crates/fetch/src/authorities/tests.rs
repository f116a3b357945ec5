use super::Authorities;
use crate::limits::AUTHORITIES;

#[test]
fn those_that_were_noted_last_are_remembered() {
    let noted = Authorities::default();
    for host in 0..=AUTHORITIES {
        noted.note(&format!("https://{host}.test"));
    }
    let known = (0..=AUTHORITIES).filter(|host| noted.has(&format!("https://{host}.test")));
    assert!(known.eq(1..=AUTHORITIES));
}
