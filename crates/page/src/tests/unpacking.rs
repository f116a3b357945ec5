//! Codings undone as a stream, in memory that does not grow with the body.

use super::coding::{deflate, gzip, zlib};
use crate::limits::GZIP_MEMBERS;
use crate::{Findings, Limits, Room, Unpacked, Warning, decode_body, unpack};
use proptest::prelude::*;
use std::io::{self, BufRead, BufReader, Read};

const CAP: usize = 1 << 20;

/// A body that comes a few bytes at a time and fails where it is told to.
#[derive(Clone)]
struct Piecemeal<'a> {
    rest: &'a [u8],
    piece: usize,
    fails_after: Option<usize>,
}

impl Read for Piecemeal<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = self.fails_after.unwrap_or(usize::MAX).min(self.piece).min(out.len());
        if self.fails_after == Some(0) {
            return Err(io::Error::other("the disk is gone"));
        }
        let count = self.rest.len().min(most);
        out[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        self.fails_after = self.fails_after.map(|left| left - count);
        Ok(count)
    }
}

impl<'a> Piecemeal<'a> {
    fn of(body: &'a [u8], piece: usize) -> Self {
        Self { rest: body, piece, fails_after: None }
    }

    fn open(&self) -> Box<dyn BufRead + 'a> {
        Box::new(BufReader::with_capacity(self.piece, self.clone()))
    }
}

fn all_of(body: &Piecemeal<'_>, codings: &str) -> io::Result<(Vec<u8>, Findings)> {
    let open = || Ok(body.open());
    let mut unpacking = unpack(&open, Some(codings), CAP)?;
    let mut bytes = Vec::new();
    unpacking.read_to_end(&mut bytes)?;
    Ok((bytes, unpacking.findings()))
}

fn coded(text: &[u8], codings: &[&str]) -> Vec<u8> {
    codings.iter().fold(text.to_vec(), |body, coding| match *coding {
        "gzip" => gzip(&body),
        "deflate" => zlib(&body),
        "zstd" => zstd::encode_all(body.as_slice(), 1).unwrap(),
        _ => body,
    })
}

#[test]
fn what_the_disk_fails_at_is_no_bad_coding() {
    let text = b"what was said ".repeat(500);
    for codings in [vec!["gzip"], vec!["deflate"], vec!["zstd"], vec!["gzip", "gzip"], vec![]] {
        let body = coded(&text, &codings);
        for fails_after in 0..body.len() {
            let failing = Piecemeal { fails_after: Some(fails_after), ..Piecemeal::of(&body, 7) };
            let error = all_of(&failing, &codings.join(", ")).expect_err("it was not read to its end");
            assert_eq!(error.to_string(), "the disk is gone", "{codings:?} at {fails_after}");
        }
    }
    let bare = deflate(&text);
    let failing = Piecemeal { fails_after: Some(9), ..Piecemeal::of(&bare, 7) };
    let error = all_of(&failing, "deflate").expect_err("nor on the second way");
    assert_eq!(error.to_string(), "the disk is gone");
}

#[test]
fn the_start_of_a_bomb_is_all_that_is_kept_of_it() {
    let bomb = gzip(&vec![b'x'; 8 << 20]);
    let limits = Limits { decoded_bytes: 4 << 20, parsed_bytes: 1000, ..Limits::default() };
    let mut room = Room::default();
    let unpacked = Unpacked::of(&bomb, Some("gzip"), &limits, &mut room);
    assert_eq!((unpacked.start.len(), unpacked.len, unpacked.findings.capped), (1000, 4 << 20, true));
    let all = Limits { decoded_bytes: 8 << 20, ..limits };
    let long = Unpacked::of(&bomb, Some("gzip"), &all, &mut room);
    assert_eq!((long.start.len(), long.len, long.findings), (1000, 8 << 20, Findings::default()));
}

#[test]
fn no_plain_body_is_cut_by_the_cap_on_codings() {
    let body = vec![b'x'; 5000];
    let limits = Limits { decoded_bytes: 1000, parsed_bytes: 2000, ..Limits::default() };
    let mut room = Room::default();
    let of = Unpacked::of(&body, None, &limits, &mut room);
    assert_eq!((of.start.len(), of.len, &of.findings), (2000, 5000, &Findings::default()));
    let read = Unpacked::read(&|| Ok(Piecemeal::of(&body, 700).open()), Some("identity"), &limits).unwrap();
    assert_eq!(of, read);
}

#[test]
fn a_bomb_between_two_codings_stops_at_the_cap_too() {
    let empty_members = gzip(b"").repeat(CAP / 10);
    let body = gzip(&empty_members);
    let (bytes, findings) = all_of(&Piecemeal::of(&body, 1 << 16), "gzip, gzip").unwrap();
    assert_eq!((bytes.len(), findings.capped, findings.complete), (CAP, true, false));
    assert_eq!(findings.warnings, [Warning::NotCoded("gzip".into())], "nothing came of the members");
}

#[test]
fn members_have_a_bound() {
    let body = gzip(b"x").repeat(GZIP_MEMBERS + 9);
    let decoded = decode_body(&body, Some("gzip"), CAP);
    assert_eq!((decoded.bytes.len(), decoded.complete), (GZIP_MEMBERS, false));
}

#[test]
fn windows_have_a_bound() {
    let large_window = [0x0f, 0x03];
    let decoded = decode_body(&large_window, Some("br"), CAP);
    assert_eq!(decoded.warnings, [Warning::NotCoded("br".into())]);
    assert_eq!(decode_body(b"x", Some("br, zstd"), CAP).warnings, [Warning::TooManyCodings(2)]);
}

#[test]
fn what_comes_out_of_a_broken_stream_does_not_depend_on_its_pieces() {
    // Six bits into fixed codes stands a letter, and behind it a code that there is not.
    let bare = [202, 24, 6, 92];
    let (bytes, findings) = all_of(&Piecemeal::of(&bare, 4), "deflate").unwrap();
    assert_eq!(
        (bytes.as_slice(), &findings.warnings[..]),
        (&bare[..], &[Warning::NotCoded("deflate".into())][..])
    );
    for piece in 1..4 {
        assert_eq!(
            all_of(&Piecemeal::of(&bare, piece), "deflate").unwrap(),
            (bytes.clone(), findings.clone())
        );
    }
}

proptest! {
    #[test]
    fn a_stream_gives_what_the_bytes_give(
        text in prop::collection::vec(any::<u8>(), 0..3000),
        times in 1usize..20,
        codings in prop::collection::vec(prop::sample::select(vec!["gzip", "deflate", "zstd", "identity"]), 0..3),
        claimed in prop::option::of("(gzip|deflate|zstd|sdch)(, gzip)?"),
        cut in any::<prop::sample::Index>(),
        piece in 1usize..2000,
    ) {
        let whole = coded(&text.repeat(times), &codings);
        let body = &whole[..(cut.index(whole.len().max(1)) + 1).min(whole.len())];
        let header = claimed.unwrap_or_else(|| codings.join(", "));
        let decoded = decode_body(body, Some(&header), CAP);
        let (bytes, findings) = all_of(&Piecemeal::of(body, piece), &header).unwrap();
        prop_assert_eq!(decoded.bytes.as_ref(), &bytes);
        prop_assert_eq!((decoded.complete, decoded.capped, decoded.warnings), (findings.complete, findings.capped, findings.warnings));
        let limits = Limits { parsed_bytes: 500, ..Limits::default() };
        let mut room = Room::default();
        let before = gzip(&[b'y'; 800]);
        prop_assert_eq!(Unpacked::of(&before, Some("gzip"), &limits, &mut room).len, 800);
        let unpacked = Unpacked::of(body, Some(&header), &limits, &mut room);
        let pieces = Piecemeal::of(body, piece);
        let streamed = Unpacked::read(&|| Ok(pieces.open()), Some(&header), &limits).unwrap();
        prop_assert_eq!(&unpacked, &streamed);
        prop_assert_eq!(unpacked.start.as_ref(), &bytes[..bytes.len().min(500)]);
        prop_assert_eq!(unpacked.len, bytes.len() as u64);
    }
}
