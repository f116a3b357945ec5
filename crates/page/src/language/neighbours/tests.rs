use super::{Code, NEIGHBOURS, nearest};

#[test]
fn every_sign_can_be_met_and_tells_something() {
    for neighbour in &NEIGHBOURS {
        for sign in neighbour.signs.iter().flat_map(|signs| signs.split_ascii_whitespace()) {
            assert!(sign.trim_end_matches('-').len() <= 16, "{sign} is too long");
            assert_eq!(sign.to_lowercase(), sign);
            let has = |other: &&super::Neighbour| {
                other.signs.iter().any(|signs| signs.split_ascii_whitespace().any(|word| word == sign))
            };
            let kin = || NEIGHBOURS.iter().filter(|other| other.family == neighbour.family);
            assert!(kin().filter(has).count() < kin().count(), "all have {sign}");
        }
    }
}

#[test]
fn what_is_found_stays_where_no_sign_tells_otherwise() {
    const CROATIAN: Code = Code("hr", "hrv");
    const ENGLISH: Code = Code("en", "eng");
    assert_eq!(nearest(CROATIAN, ""), CROATIAN);
    assert_eq!(nearest(CROATIAN, "vrijeme vreme"), CROATIAN, "as many of one as of the other");
    assert_eq!(nearest(CROATIAN, "vrijeme vreme gde"), Code("sr", "srp"));
    assert_eq!(
        nearest(CROATIAN, "svako, niko"),
        Code("sr", "srp"),
        "Bosnian says so too; more is written in Serbian"
    );
    assert_eq!(nearest(CROATIAN, "futhi noma uma"), CROATIAN, "Zulu is no kin of it");
    assert_eq!(nearest(ENGLISH, "vreme gde"), ENGLISH);
}
