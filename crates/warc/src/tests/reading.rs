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
