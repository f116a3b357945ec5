use super::*;
use proptest::prelude::*;

fn failure(file: &[u8]) -> ReadError {
    Reader::new(file).find_map(Result::err).expect("an error")
}

#[test]
fn plain_files_read_like_compressed_ones() {
    let file = sample_file(HEAD, PAGE);
    let plain = gunzip(&file);
    let (a, b) = (read_all(&file), read_all(&plain));
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((&a.header, &a.block), (&b.header, &b.block));
        let (start, length) = (b.offset as usize, b.length.expect("plain records have a length") as usize);
        assert_eq!(read_all(&plain[start..start + length])[0].block, a.block);
    }
    assert!(check(plain.as_slice()).is_clean());
}

#[test]
fn a_file_in_one_gzip_member_is_read_with_a_note() {
    let file = gzip(&gunzip(&sample_file(HEAD, PAGE)));
    let mut reader = Reader::new(file.as_slice());
    let records: Vec<_> = reader.by_ref().map(|r| r.expect("readable")).collect();
    assert_eq!(records.len(), 5);
    assert!(records.iter().all(|record| record.length.is_none()));
    assert_eq!(reader.notes(), [Note { offset: 0, kind: NoteKind::SharedMember }]);
    assert_eq!(check(file.as_slice()).findings[0].rule, Rule::GzipMember);
}

#[test]
fn a_member_of_blank_lines_is_noted() {
    let mut file = sample_file(HEAD, PAGE);
    let at = file.len() as u64;
    file.extend(gzip(b"\r\n\r\n"));
    file.extend(sample_file(HEAD, PAGE));
    let mut reader = Reader::new(file.as_slice());
    assert_eq!(reader.by_ref().flatten().count(), 10);
    assert_eq!(reader.notes(), [Note { offset: at, kind: NoteKind::EmptyMember }]);
}

#[test]
fn errors_name_the_place() {
    let file = sample_file(HEAD, PAGE);
    let last = read_all(&file).last().expect("records").offset;
    let cut = failure(&file[..file.len() - 1]);
    assert!(matches!(cut.kind, ReadErrorKind::Truncated));
    assert_eq!(cut.offset, last);
    let garbage = [&file, b"garbage".as_slice()].concat();
    assert!(
        matches!(failure(&garbage), ReadError { offset, kind: ReadErrorKind::Truncated | ReadErrorKind::Gzip(_) } if offset == file.len() as u64)
    );
    let mut flipped = file.clone();
    let crc_at = file.len() - 8;
    flipped[crc_at] ^= 1;
    assert!(
        matches!(failure(&flipped), ReadError { offset, kind: ReadErrorKind::Gzip(_) } if offset == last)
    );
    assert!(matches!(failure(b"<html>\n").kind, ReadErrorKind::NotWarc));
    assert!(matches!(failure(b"WARC/1.1\r\nA: b\r\n\r\n").kind, ReadErrorKind::ContentLength));
    let endless = [b"WARC/1.1\r\n".as_slice(), &b"a: b\r\n".repeat(100_000)].concat();
    assert!(matches!(failure(&endless).kind, ReadErrorKind::HeaderTooLong));
}

/// The members of a file of ten records.
fn members() -> Vec<Vec<u8>> {
    members_of(&[sample_file(HEAD, PAGE), sample_file(HEAD, &PAGE.repeat(9_000))])
}

fn members_of(files: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let member = |file: &[u8], record: &Record| {
        let start = record.offset as usize;
        file[start..start + record.length.expect("of its own") as usize].to_vec()
    };
    files
        .iter()
        .flat_map(|file| read_all(file).iter().map(|record| member(file, record)).collect::<Vec<_>>())
        .collect()
}

/// Checks a file whose members are these; what cannot be read of it begins at the start of `broken` and ends where the next member does.
#[track_caller]
fn check_passes_over(members: &[Vec<u8>], broken: usize, readable: u64) {
    let file = members.concat();
    let offset = members[..broken].concat().len() as u64;
    let skipped = members[broken].len() as u64;
    let report = check(&file[..]);
    let unreadable: Vec<_> = report.findings.iter().filter(|found| found.rule == Rule::Readable).collect();
    assert_eq!((unreadable.len(), report.records), (1, readable), "{:#?}", report.findings);
    assert_eq!((unreadable[0].offset, report.skipped_bytes), (offset, skipped), "{unreadable:?}");
    assert!(unreadable[0].detail.ends_with(" passed over"), "{unreadable:?}");
}

/// Of all records the one that is damaged may be lost, and no other.
#[track_caller]
fn check_loses_one_at_most(members: &[Vec<u8>], damaged: usize) {
    let report = check(&members.concat()[..]);
    let all = members.len() as u64;
    let unreadable = report.findings.iter().find(|found| found.rule == Rule::Readable);
    let offset = members[..damaged].concat().len() as u64;
    // What fills the last byte of a member says nothing, and a name in its header may be any.
    let is_harmless = unreadable.is_none() && report.records == all;
    assert!(is_harmless || unreadable.is_some_and(|found| found.offset == offset), "{unreadable:?}");
    assert!((all - 1..=all).contains(&report.records), "{} records of {all}", report.records);
    assert!(report.skipped_bytes <= members[damaged].len() as u64, "{:#?}", report.findings);
}

#[test]
fn a_check_goes_on_behind_a_member_that_was_cut() {
    let sound = members();
    for at in 0..sound.len() {
        for cut in (12..sound[at].len()).step_by(if at == 1 { 1 } else { 61 }) {
            let mut members = sound.clone();
            members[at].truncate(cut);
            check_loses_one_at_most(&members, at);
        }
    }
}

/// The members of a file of thirty records, among them six with a body that came compressed: these are stored blocks.
fn stored_members() -> Vec<Vec<u8>> {
    let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let mut rng = stdx::Rng::new(7);
    let noise: Vec<u8> = (0..8_191).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
    members_of(&vec![sample_file(head, &noise); 6])
}

/// The decoder takes the records that follow for the rest of a block, and leaves none of them in a buffer that is no longer than one.
#[test]
fn a_check_goes_on_behind_a_stored_member_that_was_cut() {
    let sound = stored_members();
    for at in [2, 7, 12] {
        for cut in (700..sound[at].len()).step_by(1_709) {
            let mut members = sound.clone();
            members[at].truncate(cut);
            check_loses_one_at_most(&members, at);
        }
    }
}

/// What was read of the first reaches beyond the second.
#[test]
fn a_check_finds_what_lies_behind_two_broken_members() {
    let mut members = stored_members();
    for cut in [2, 7] {
        members[cut].truncate(2_000);
    }
    let report = check(&members.concat()[..]);
    let unreadable = report.findings.iter().filter(|found| found.rule == Rule::Readable);
    let offsets: Vec<u64> = unreadable.map(|found| found.offset).collect();
    assert_eq!(offsets, [2, 7].map(|broken| members[..broken].concat().len() as u64));
    assert_eq!(report.records, members.len() as u64 - 2);
}

#[test]
fn a_check_goes_on_behind_a_member_with_a_wrong_bit() {
    let sound = members();
    for at in 1..sound.len() {
        for byte in (10..sound[at].len()).chain(0..4).step_by(7) {
            let mut members = sound.clone();
            members[at][byte] ^= 1 << (byte % 8);
            check_loses_one_at_most(&members, at);
        }
    }
}

#[test]
fn a_check_goes_on_behind_what_is_no_member_or_no_record() {
    let mut members = members();
    let zeros = vec![0; 200_000];
    for other in [&b"x"[..], b"a piece of another file", &[0x1F, 0x8B, 8, 0], &zeros, &gzip(b"GARBAGE")] {
        members.insert(4, other.to_vec());
        check_passes_over(&members, 4, 10);
        let last = members.remove(4);
        members.push(last);
        check_passes_over(&members, 10, 10);
        members.pop();
    }
    members[7] = gzip(b"WARC/1.1\r\nWARC-Type: metadata\r\n\r\n");
    check_passes_over(&members, 7, 9);
}

#[test]
fn a_check_goes_on_in_a_plain_file() {
    let mut records: Vec<Vec<u8>> = members().iter().map(|member| gunzip(member)).collect();
    records[3] = b"GARBAGE\r\nGARBAGE\r\n".to_vec();
    check_passes_over(&records, 3, 9);
    records[3] = b"WARC/1.1\r\nContent-Length: many\r\n\r\n".to_vec();
    check_passes_over(&records, 3, 9);
}

#[test]
fn a_long_block_is_counted_but_not_kept() {
    let file = sample_file(HEAD, &vec![7; 100_000]);
    let record =
        Reader::new(file.as_slice()).with_block_limit(1000).nth(2).expect("there").expect("readable");
    assert_eq!((record.block.len(), record.block_len), (1000, HEAD.len() as u64 + 100_000));
    assert!(!record.is_whole());
}

#[test]
fn a_header_may_be_folded_and_has_any_case() {
    let parsed = Fields::parse(b"warc-type: response\r\nX: a\r\n  b\r\nno field\r\n\r\nafter: x\r\n");
    assert_eq!(parsed.fields.get("WARC-Type"), Some("response"));
    assert_eq!(parsed.fields.get("x"), Some("a b"));
    assert_eq!((parsed.fields.len(), parsed.malformed_lines), (2, 1));
}

proptest! {
    #[test]
    fn hostile_bytes_end_in_a_value(file in prop::collection::vec(any::<u8>(), 0..2000), at in 0usize..2000, with in any::<u8>()) {
        let _ = check(file.as_slice());
        let mut broken = sample_file(HEAD, PAGE);
        let at = at % broken.len();
        broken[at] = with;
        let _ = check(broken.as_slice());
        let plain = gunzip(&sample_file(HEAD, PAGE));
        let at = at % plain.len();
        let report = check(&plain[..at]);
        prop_assert!(report.records <= 5);
    }

    #[test]
    fn reads_in_any_pieces_are_the_same(piece in 1usize..50) {
        struct Pieces<'a>(&'a [u8], usize);
        impl std::io::Read for Pieces<'_> {
            fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
                let take = self.1.min(buf.len()).min(self.0.len());
                std::io::Read::read(&mut self.0, &mut buf[..take])
            }
        }
        let file = sample_file(HEAD, PAGE);
        let records: Vec<_> = Reader::new(Pieces(&file, piece)).map(|r| r.expect("readable")).collect();
        let whole = read_all(&file);
        prop_assert!(records.iter().zip(&whole).all(|(a, b)| (a.offset, a.length) == (b.offset, b.length)));
        prop_assert_eq!(records.len(), 5);
    }
}
