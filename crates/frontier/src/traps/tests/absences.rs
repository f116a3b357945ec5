use crate::traps::{Absences, Fingerprint, Yield};

const GONE: Fingerprint = Fingerprint(0xFFFF_0000_FFFF_0000);
/// Three bits away: a page number in the text.
const NEARLY: Fingerprint = Fingerprint(0xFFFF_0000_FFFF_0007);
const OTHER: Fingerprint = Fingerprint(0x0000_FFFF_0000_FFFF);

#[test]
fn a_page_that_says_what_missing_ones_say_gave_nothing() {
    let mut absences = Absences::default();
    assert_eq!(absences.note(Yield::Content(GONE)), Yield::Content(GONE), "nothing is known yet");
    assert_eq!(absences.note(Yield::Absent(GONE)), Yield::Nothing);
    assert_eq!(absences.note(Yield::Content(NEARLY)), Yield::Nothing);
    assert_eq!(absences.note(Yield::Content(OTHER)), Yield::Content(OTHER));
    assert_eq!(absences.note(Yield::Nothing), Yield::Nothing);
    assert_eq!(absences.soft(), 1);
}

#[test]
fn the_last_ways_of_saying_it_are_remembered() {
    let mut absences = Absences::default();
    let way = |n: u64| Fingerprint(n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for n in 0..100 {
        absences.note(Yield::Absent(way(n)));
        absences.check_invariants();
        assert_eq!(absences.note(Yield::Content(way(n))), Yield::Nothing);
    }
    assert_eq!(absences.soft(), 100);
}
