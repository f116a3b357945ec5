use super::{check, closed_files, dir, memory, open, row};
use crate::limits::ROW_BYTES_MAX;
use crate::{CorpusLimits, Error, Row};
use parquet::file::metadata::{ParquetMetaDataReader, RowGroupMetaData};
use stdx::Rng;

/// Text that zstd cannot shrink much.
fn noise(capture: u64, bytes: usize) -> String {
    let mut rng = Rng::new(capture);
    (0..bytes).map(|_| char::from(b' ' + (rng.next_u64() % 95) as u8)).collect()
}

fn page(capture: u64, bytes: usize) -> Row {
    Row { text: noise(capture, bytes), ..row(capture) }
}

#[test]
fn memory_does_not_grow_with_the_crawl() {
    let disk = memory();
    let limits = CorpusLimits { row_group_bytes: 2 << 20, ..CorpusLimits::default() };
    let (mut writer, _) = open(&disk, limits);
    let mut most = 0;
    for capture in 1..=1_000 {
        writer.push(page(capture, 10_000)).unwrap();
        most = most.max(writer.memory_bytes());
    }
    let bound = limits.row_group_bytes + limits.batch_bytes() + (256 << 10);
    assert!(most < bound, "{most} bytes, bound {bound}");
    assert!(most > limits.row_group_bytes / 2, "{most} bytes is no measure of a row group");
}

#[test]
fn a_row_group_ends_at_its_bytes_whatever_the_rows() {
    let disk = memory();
    let limits = CorpusLimits { row_group_bytes: 100_000, ..CorpusLimits::default() };
    let (mut writer, _) = open(&disk, limits);
    for (capture, bytes) in (1..).zip([10, 500_000, 10, 10, 60_000, 60_000, 10]) {
        writer.push(page(capture, bytes)).unwrap();
    }
    writer.close().unwrap();
    let source = crate::source::Source::open(&*disk, &dir().join("pages-00001.parquet")).unwrap();
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&source).unwrap();
    assert_eq!(metadata.row_groups().iter().map(RowGroupMetaData::num_rows).collect::<Vec<_>>(), [2, 4, 1]);
}

#[test]
fn a_file_ends_at_its_bytes() {
    let disk = memory();
    let limits = CorpusLimits { row_group_bytes: 50_000, file_bytes: 200_000, ..CorpusLimits::default() };
    let (mut writer, _) = open(&disk, limits);
    let closed: Vec<_> = (1..=100).filter_map(|n| writer.push(page(n, 10_000)).unwrap()).collect();
    assert!(closed.len() >= 3);
    assert!(
        closed.iter().all(|file| file.bytes < limits.file_bytes + limits.row_group_bytes + 20_000),
        "{closed:?}"
    );
    assert!(closed.iter().all(|file| file.bytes > limits.file_bytes / 2), "{closed:?}");
}

#[test]
fn a_row_beyond_the_limit_loses_nothing_else() {
    let disk = memory();
    let (mut writer, _) = open(&disk, CorpusLimits::default());
    writer.push(row(1)).unwrap();
    let giant = Row { text: "x".repeat(ROW_BYTES_MAX as usize), ..row(2) };
    assert!(matches!(writer.push(giant), Err(Error::RowTooLarge { capture: 2, .. })));
    assert!(writer.take_abandoned().is_empty());
    writer.push(row(3)).unwrap();
    writer.close().unwrap();
    assert_eq!(closed_files(&*disk).len(), 1);
    check(&disk, [1, 3]);
}

#[test]
#[should_panic(expected = "pushed twice")]
fn a_capture_has_one_row() {
    let disk = memory();
    let (mut writer, _) = open(&disk, CorpusLimits::default());
    writer.push(row(1)).unwrap();
    let _ = writer.push(row(1));
}
