use super::{Answered, Found, Inquiry};
use crate::failure::failure;
use crawler::FailureKind;
use hickory_resolver::proto::rr::{Name, RecordType};

fn inquiry() -> Inquiry {
    Inquiry::new(Name::from_ascii("a.example.").expect("a name"), &[RecordType::A, RecordType::AAAA])
}

fn fails(kind: FailureKind) -> Answered {
    Err(failure(kind, String::new()))
}

fn verdict(a: Option<Answered>, aaaa: Option<Answered>) -> Answered {
    let mut inquiry = inquiry();
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
    let at =
        |address: &str| Ok(Found { addresses: vec![address.parse().expect("an address")], ttl_s: 3_600 });
    assert_eq!(ttl(None, Some(at("2001:db8::1"))), 0);
    assert_eq!(ttl(Some(fails(FailureKind::NameServer)), Some(at("2001:db8::1"))), 0);
    assert_eq!(ttl(Some(fails(FailureKind::NameNotFound)), Some(at("2001:db8::1"))), 3_600);
    assert_eq!(ttl(Some(at("192.0.2.1")), None), 3_600);
    assert_eq!(ttl(Some(at("192.0.2.1")), Some(at("2001:db8::1"))), 3_600);
}

#[test]
fn an_upstream_that_is_not_there_says_nothing_beside_one_that_is() {
    use FailureKind::{Local, NameServer};
    for (first, second, expected) in
        [(NameServer, Local, NameServer), (Local, NameServer, NameServer), (Local, Local, Local)]
    {
        let mut inquiry = inquiry();
        for kind in [first, second] {
            for record_type in [RecordType::A, RecordType::AAAA] {
                inquiry.note(record_type, fails(kind));
            }
        }
        let said = inquiry.verdict("nobody answers").expect_err("nobody has answered");
        assert_eq!(said.kind, expected, "{first}, then {second}");
    }
}
