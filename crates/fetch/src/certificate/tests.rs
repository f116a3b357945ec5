use super::{Element, Tag, leaf_of, moment};
use crate::limits::CERTIFICATE_NAMES;
use proptest::prelude::*;
use rcgen::{CertificateParams, DistinguishedName, DnType, Issuer, KeyPair, date_time_ymd};

fn issued(edit: impl FnOnce(&mut CertificateParams)) -> Vec<u8> {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.distinguished_name = DistinguishedName::new();
    authority.distinguished_name.push(DnType::OrganizationName, "Ümlaut & Söhne");
    authority.distinguished_name.push(DnType::CommonName, "Authority");
    let issuer = Issuer::new(authority, KeyPair::generate().unwrap());
    let mut params = CertificateParams::new(vec!["a.test".to_owned(), "192.0.2.1".to_owned()]).unwrap();
    params.distinguished_name = DistinguishedName::new();
    params.not_before = date_time_ymd(1999, 12, 31);
    params.not_after = date_time_ymd(2056, 2, 3);
    edit(&mut params);
    params.signed_by(&KeyPair::generate().unwrap(), &issuer).unwrap().der().to_vec()
}

#[test]
fn a_certificate_says_who_it_is_for_who_signed_it_and_when_it_is_valid() {
    let certificate = issued(|params| {
        params.distinguished_name.push(DnType::CountryName, "NL");
        params.distinguished_name.push(DnType::CommonName, "a.test");
    });
    let leaf = leaf_of(&certificate);
    let says = leaf.says.unwrap();
    assert_eq!(says.subject, "CN=a.test, C=NL");
    assert_eq!(says.issuer, "CN=Authority, O=Ümlaut & Söhne");
    assert_eq!(
        (says.not_before.as_str(), says.not_after.as_str()),
        ("1999-12-31T00:00:00Z", "2056-02-03T00:00:00Z")
    );
    assert_eq!(says.names, ["a.test", "192.0.2.1"]);
    assert_eq!(leaf.sha256.len(), 64);
}

/// FIPS 180-4's example.
#[test]
fn the_digest_is_that_of_the_whole() {
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let leaf = leaf_of(b"abc");
    assert_eq!((leaf.sha256.as_str(), leaf.says), (abc, None));
}

#[test]
fn of_very_many_names_the_first_are_kept() {
    let names: Vec<String> = (0..CERTIFICATE_NAMES + 9).map(|n| format!("n{n}.test")).collect();
    let wanted = names[..CERTIFICATE_NAMES].to_vec();
    let certificate = issued(|params| {
        params.subject_alt_names = CertificateParams::new(names).unwrap().subject_alt_names;
    });
    assert_eq!(leaf_of(&certificate).says.unwrap().names, wanted);
}

#[test]
fn a_certificate_without_names_has_none() {
    let certificate = issued(|params| params.subject_alt_names.clear());
    assert_eq!(leaf_of(&certificate).says.unwrap().names, Vec::<String>::new());
}

#[test]
fn moments_of_both_kinds() {
    let read = |tag, text: &str| moment(Element { tag, content: text.as_bytes() });
    assert_eq!(read(Tag::UTC_TIME, "500102030405Z").unwrap(), "1950-01-02T03:04:05Z");
    assert_eq!(read(Tag::UTC_TIME, "491231235959Z").unwrap(), "2049-12-31T23:59:59Z");
    assert_eq!(read(Tag::GENERALIZED_TIME, "20500102030405Z").unwrap(), "2050-01-02T03:04:05Z");
    for wrong in ["", "5", "500102030405", "50010203040Z", "5001020304é", "5001020304xxZ"] {
        assert_eq!(read(Tag::UTC_TIME, wrong), None, "{wrong}");
    }
    assert_eq!(read(Tag::INTEGER, "500102030405Z"), None);
}

proptest! {
    #[test]
    fn no_bytes_are_too_wild(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        leaf_of(&bytes);
    }

    #[test]
    fn no_damage_is_too_wild(at in 0..400_usize, value: u8, cut in 0..700_usize) {
        let mut certificate = issued(|_| {});
        if let Some(byte) = certificate.get_mut(at) {
            *byte = value;
        }
        certificate.truncate(cut);
        if let Some(says) = leaf_of(&certificate).says {
            prop_assert!(says.names.len() <= CERTIFICATE_NAMES);
        }
    }
}
