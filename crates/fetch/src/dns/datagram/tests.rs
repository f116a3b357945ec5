use super::{Extension, Question, Reply};
use crawler::FailureKind;
use hickory_resolver::proto::op::{Message, MessageType, Query, ResponseCode};
use hickory_resolver::proto::rr::rdata::{CNAME, SOA};
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use proptest::prelude::*;
use std::net::IpAddr;

fn name(text: &str) -> Name {
    Name::from_ascii(text).unwrap()
}

fn address(owner: &str, ttl_s: u32, ip: &str) -> Record {
    let data = match ip.parse().unwrap() {
        IpAddr::V4(v4) => RData::A(v4.into()),
        IpAddr::V6(v6) => RData::AAAA(v6.into()),
    };
    Record::from_rdata(name(owner), ttl_s, data)
}

fn alias(owner: &str, ttl_s: u32, target: &str) -> Record {
    Record::from_rdata(name(owner), ttl_s, RData::CNAME(CNAME(name(target))))
}

/// What the upstream says to `question`: these records, changed as told.
fn said(question: &Question, records: &[Record], change: impl FnOnce(&mut Message)) -> Vec<u8> {
    let mut message = Message::from_vec(&question.bytes).unwrap();
    message.metadata.message_type = MessageType::Response;
    message.answers = records.to_vec();
    change(&mut message);
    message.to_vec().unwrap()
}

fn question() -> Question {
    Question::new(&name("www.site.test."), RecordType::A, Extension::Edns).unwrap()
}

#[track_caller]
fn check_found(records: &[Record], expected: &[&str], ttl_s: u32) {
    let question = question();
    match question.reply(&said(&question, records, |_| ())) {
        Some(Reply::Answer(Ok(found))) => {
            let found_text: Vec<_> = found.addresses.iter().map(IpAddr::to_string).collect();
            assert_eq!(
                (found_text, found.ttl_s),
                (expected.iter().map(ToString::to_string).collect(), ttl_s)
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn addresses_are_those_of_the_name() {
    let own = address("www.site.test.", 60, "93.184.215.14");
    check_found(std::slice::from_ref(&own), &["93.184.215.14"], 60);
    check_found(&[own.clone(), own.clone()], &["93.184.215.14"], 60);
    let others = [address("other.test.", 5, "93.184.215.15"), address("www.site.test.", 5, "2606:4700::1")];
    check_found(&[others[0].clone(), own.clone(), others[1].clone()], &["93.184.215.14"], 60);
    check_found(&[address("WWW.Site.TEST.", 60, "93.184.215.14")], &["93.184.215.14"], 60);
}

#[test]
fn aliases_lead_to_addresses_in_any_order() {
    let records = [
        address("edge.cdn.test.", 60, "93.184.215.14"),
        alias("site.cdn.test.", 20, "edge.cdn.test."),
        alias("www.site.test.", 300, "site.cdn.test."),
    ];
    check_found(&records, &["93.184.215.14"], 20);
    let ring = [alias("www.site.test.", 300, "site.test."), alias("site.test.", 300, "www.site.test.")];
    let question = question();
    let to_itself = [alias("www.site.test.", 300, "www.site.test.")];
    for records in [&ring[..], &to_itself] {
        let reply = question.reply(&said(&question, records, |_| ()));
        assert!(!matches!(reply, Some(Reply::Answer(Ok(_))) | None), "{reply:?}");
    }
}

#[test]
fn what_one_datagram_cannot_say_is_unfinished() {
    let question = question();
    let short = said(&question, &[address("www.site.test.", 60, "93.184.215.14")], |message| {
        message.metadata.truncation = true;
    });
    let bare_alias = said(&question, &[alias("www.site.test.", 60, "site.cdn.test.")], |_| ());
    for packet in [short, bare_alias] {
        assert!(matches!(question.reply(&packet), Some(Reply::Unfinished)));
    }
}

/// Of most aliases there is no IPv6 address, and the resolver has been there.
#[test]
fn an_alias_to_a_name_without_an_address_has_none() {
    let question = question();
    let packet = said(&question, &[alias("www.site.test.", 60, "site.cdn.test.")], |message| {
        let [zone, server, person] = ["cdn.test.", "ns.cdn.test.", "who.cdn.test."].map(name);
        let soa = SOA::new(server, person, 1, 2, 3, 4, 5);
        message.authorities.push(Record::from_rdata(zone, 60, RData::SOA(soa)));
    });
    match question.reply(&packet) {
        Some(Reply::Answer(Err(failure))) => assert_eq!(failure.kind, FailureKind::NameNotFound),
        other => panic!("{other:?}"),
    }
}

#[test]
fn refusals_say_whose_fault_they_are() {
    let cases = [
        (ResponseCode::NXDomain, FailureKind::NameNotFound),
        (ResponseCode::NoError, FailureKind::NameNotFound),
        (ResponseCode::ServFail, FailureKind::NameServer),
        (ResponseCode::Refused, FailureKind::NameServer),
    ];
    let question = question();
    for (code, kind) in cases {
        let packet = said(&question, &[], |message| message.metadata.response_code = code);
        match question.reply(&packet) {
            Some(Reply::Answer(Err(failure))) => {
                assert_eq!(failure.kind, kind, "{code}");
                assert!(failure.detail.contains("www.site.test. A"), "{failure:?}");
            }
            other => panic!("{code}: {other:?}"),
        }
    }
}

#[test]
fn answers_to_other_questions_are_none() {
    let question = question();
    let records = [address("www.site.test.", 60, "93.184.215.14")];
    let own = |change: fn(&mut Message)| said(&question, &records, change);
    assert!(question.reply(&own(|_| ())).is_some());
    let forged = [
        own(|message| message.metadata.id ^= 1),
        own(|message| message.metadata.message_type = MessageType::Query),
        own(|message| message.queries.clear()),
        own(|message| message.queries = vec![Query::query(name("www.site.test."), RecordType::AAAA)]),
        own(|message| message.queries = vec![Query::query(name("site.test."), RecordType::A)]),
        own(|message| message.queries.push(message.queries[0].clone())),
    ];
    for packet in forged {
        assert!(question.reply(&packet).is_none());
    }
    let whole = own(|_| ());
    for length in 0..whole.len() {
        assert!(question.reply(&whole[..length]).is_none(), "the first {length} bytes");
    }
}

proptest! {
    /// Whoever guesses the identifier may write anything behind it.
    #[test]
    fn any_bytes_are_read_without_a_panic(
        noise in prop::collection::vec(any::<u8>(), 0..600),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
    ) {
        let question = question();
        let mut packet = question.id.to_be_bytes().to_vec();
        packet.extend(&noise);
        question.reply(&packet);
        let records = [alias("www.site.test.", 300, "site.test."), address("site.test.", 60, "93.184.215.14")];
        let mut changed = said(&question, &records, |_| ());
        for (at, byte) in changes {
            let at = at.index(changed.len());
            changed[at] = byte;
        }
        if let Some(Reply::Answer(Ok(found))) = question.reply(&changed) {
            prop_assert!(!found.addresses.is_empty());
        }
    }
}
