//! What crosses the wire: `docs/formats/messages.md`. A golden file of each version is read for good;
//! `cargo test -p cluster --lib formats -- --ignored` writes that of the present one.

use crate::limits::MESSAGE_BYTES;
use crate::{
    Ask, Batch, ClaimId, Envelope, Grant, LeaseEnd, Message, MessageError, NodeId, Release, Rest, Standing,
};
use disk::{OsDisk, replace_file};
use std::path::{Path, PathBuf};

const MESSAGES: &[u8] = include_bytes!("golden/messages-v1.bin");

/// One of each kind.
fn examples() -> Vec<Envelope> {
    let ask = |claim, ip: &str| Ask {
        claim: ClaimId(claim),
        address: ip.parse().unwrap(),
        delay_ms: 250,
        pending: 70_000,
    };
    let messages = vec![
        Message::Batch(Batch { number: 300, shard: 0xA7, body: b"discoveries".to_vec() }),
        Message::Acknowledged(vec![297, 299]),
        Message::Asks(vec![ask(1, "192.0.2.1"), ask(2, "2001:db8::1")]),
        Message::Grants(vec![Grant { claim: ClaimId(2), waited_ms: 1250 }]),
        Message::Releases(vec![
            Release { claim: ClaimId(2), end: LeaseEnd::Unused },
            Release { claim: ClaimId(1), end: LeaseEnd::Contacted { ago_ms: 3 } },
        ]),
        Message::Errand(b"errand".to_vec()),
        Message::Answer(b"answer".to_vec()),
        Message::Census { round: 70_000 },
        Message::Stands {
            round: 70_000,
            standing: Standing { rest: Some(Rest::Waiting), entries: 1_000_000 },
        },
        Message::Over(Rest::Done),
        Message::Farewell,
    ];
    let envelope = |message| Envelope { from: NodeId(2), run: 17, to: NodeId(1), message };
    messages.into_iter().map(envelope).collect()
}

/// Messages one after the other, each behind its length in four bytes.
fn framed() -> Vec<u8> {
    let frame = |envelope: &Envelope| {
        let bytes = envelope.encode();
        [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat()
    };
    examples().iter().flat_map(frame).collect()
}

fn unframed(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut messages = Vec::new();
    while let Some((len, rest)) = bytes.split_first_chunk() {
        let (message, rest) = rest.split_at(u32::from_le_bytes(*len) as usize);
        messages.push(message);
        bytes = rest;
    }
    messages
}

#[test]
#[ignore = "writes the golden file"]
fn write_golden_file() {
    let disk = OsDisk::new(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/golden"))).unwrap();
    replace_file(&disk, Path::new("messages-v1.bin"), &framed()).unwrap();
}

#[test]
fn messages_of_version_1_are_read_and_written_alike() {
    assert_eq!(framed(), MESSAGES);
    let read: Vec<Envelope> = unframed(MESSAGES).into_iter().map(|m| Envelope::decode(m).unwrap()).collect();
    assert_eq!(read, examples());
}

#[test]
fn what_is_no_message_is_refused_by_its_reason() {
    let bytes = examples()[2].encode();
    for cut in 0..bytes.len() {
        assert!(matches!(Envelope::decode(&bytes[..cut]), Err(MessageError::Malformed(_))), "{cut}");
    }
    assert!(Envelope::decode(&[&bytes[..], b"x"].concat()).is_err());
    let newer = [&[2][..], &bytes[1..]].concat();
    assert_eq!(Envelope::decode(&newer), Err(MessageError::Version { version: 2 }));
    let long = vec![1; MESSAGE_BYTES + 1];
    assert_eq!(Envelope::decode(&long), Err(MessageError::TooLong { bytes: MESSAGE_BYTES + 1 }));
}
