use crate::segment::Segment;
use disk::{AlignedBuffer, Fault, FaultPlan, FaultyDisk, Lasts, MemDisk, read_all};
use std::path::Path;

#[test]
fn blocks_are_written_once_however_often_it_takes() {
    let path = Path::new("segment");
    for call in 0..6 {
        let plan = FaultPlan { call, fault: Fault::TornWrite, lasts: Lasts::Once };
        let disk = FaultyDisk::new(MemDisk::new(), plan);
        let mut segment = Segment::new(1);
        for block in ["one", "two", "three"] {
            let mut buffer = AlignedBuffer::with_capacity(block.len());
            buffer.extend_from_slice(block.as_bytes());
            segment.push(buffer, 1, 0);
        }
        if segment.write_out(&disk, path, 11).is_err() {
            segment.write_out(&disk, path, 11).unwrap();
        }
        assert_eq!(read_all(disk.inner(), path).unwrap(), b"onetwothree", "call {call}");
        assert_eq!((segment.bytes(), segment.written), (11, 11));
    }
}
