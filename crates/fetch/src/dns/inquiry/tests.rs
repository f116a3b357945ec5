use super::{Answered, Found, Inquiry};
use crate::failure::failure;
use crate::policy::AddressPolicy;
use crawler::FailureKind;
use hickory_resolver::proto::rr::{Name, RecordType};

fn inquiry(policy: &AddressPolicy) -> Inquiry<'_> {
    Inquiry::new(Name::from_ascii("a.example.").expect("a name"), &[RecordType::A, RecordType::AAAA], policy)
}

fn at(address: &str) -> Found {
    Found { addresses: vec![address.parse().expect("an address")], ttl_s: 3_600 }
}

fn fails(kind: FailureKind) -> Answered {
    Err(failure(kind, String::new()))
}

fn verdict(a: Option<Answered>, aaaa: Option<Answered>) -> Answered {
    let policy = AddressPolicy::public();
    let mut inquiry = inquiry(&policy);
    let answers = [(RecordType::A, a), (RecordType::AAAA, aaaa)];
    for (record_type, answer) in answers {
        if let Some(answer) = answer {
            inquiry.note(record_type, answer);
        }
    }
    inquiry.verdict("nobody answers")
}

#[test]
fn half_an_answer_is_asked_for_again_soon_where_the_half_is_the_one_that_most_have() {
    let ttl = |a, aaaa| verdict(a, aaaa).expect("it is found").ttl_s;
    assert_eq!(ttl(None, Some(Ok(at("2606:4700::1")))), 0);
    assert_eq!(ttl(Some(fails(FailureKind::NameServer)), Some(Ok(at("2606:4700::1")))), 0);
    assert_eq!(ttl(Some(fails(FailureKind::NameNotFound)), Some(Ok(at("2606:4700::1")))), 3_600);
    assert_eq!(ttl(Some(Ok(at("93.184.215.14"))), None), 3_600);
    assert_eq!(ttl(Some(Ok(at("93.184.215.14"))), Some(Ok(at("2606:4700::1")))), 3_600);
}

#[test]
fn an_upstream_that_is_not_there_says_nothing_beside_one_that_is() {
    use FailureKind::{Local, NameServer};
    for (first, second, expected) in
        [(NameServer, Local, NameServer), (Local, NameServer, NameServer), (Local, Local, Local)]
    {
        let policy = AddressPolicy::public();
        let mut inquiry = inquiry(&policy);
        for kind in [first, second] {
            for record_type in [RecordType::A, RecordType::AAAA] {
                inquiry.note(record_type, fails(kind));
            }
        }
        let said = inquiry.verdict("nobody answers").expect_err("nobody has answered");
        assert_eq!(said.kind, expected, "{first}, then {second}");
    }
}

/// Who is at a private address by one family may be at a public one by the other.
#[test]
fn a_name_is_nowhere_to_be_contacted_only_if_both_families_say_so() {
    use FailureKind::{Local, NameNotFound, NameServer};
    for (private, public) in [("10.0.0.1", "2606:4700::1"), ("fd00::5", "93.184.215.14")] {
        let both = |half, other| match private {
            "fd00::5" => verdict(other, half),
            _ => verdict(half, other),
        };
        for unknown in [None, Some(fails(NameServer)), Some(fails(Local))] {
            let said = both(Some(Ok(at(private))), unknown.clone()).expect_err("half is not known");
            assert_eq!(said.kind, NameServer, "{private}, {unknown:?}");
            let told = format!("; by what is known it is at {private}, not on the public internet");
            assert!(said.detail.ends_with(&told), "{}", said.detail);
            assert!(both(Some(Ok(at(public))), unknown).is_ok(), "{public}");
        }
        let addresses =
            |other| both(Some(Ok(at(private))), Some(other)).expect("all is known").addresses.len();
        assert_eq!((addresses(fails(NameNotFound)), addresses(Ok(at(public)))), (1, 2));
    }
}

#[test]
fn the_other_family_is_waited_for_without_an_end_until_there_is_an_address_to_contact() {
    let policy = AddressPolicy::public();
    let mut inquiry = inquiry(&policy);
    inquiry.note(RecordType::AAAA, Ok(at("fd00::5")));
    assert_eq!((inquiry.grace_until(), inquiry.is_over()), (None, false));
    inquiry.note(RecordType::A, Ok(at("93.184.215.14")));
    assert!(inquiry.grace_until().is_some() && inquiry.is_over());
}
