use disk::{File, read_exact_at};
use serde_json::{Value, json};
use std::io;
use warc::Record;

/// A gzip member's header, without options, and its trailer.
const HEADER_BYTES: u64 = 10;
const FOOTER_BYTES: u64 = 8;

/// Where a record stands, and what its gzip member says of itself.
pub(super) fn of(archive: &dyn File, name: &str, record: &Record) -> io::Result<Value> {
    let Some(length) = record.length else {
        return Ok(json!({ "Filename": name, "Compressed": true, "Offset": record.offset.to_string() }));
    };
    let mut footer = [0; FOOTER_BYTES as usize];
    read_exact_at(archive, &mut footer, (record.offset + length).saturating_sub(FOOTER_BYTES))?;
    let [crc, inflated] = [0, 4].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| footer[at + byte])));
    Ok(json!({
        "Filename": name,
        "Compressed": true,
        "Offset": record.offset.to_string(),
        "Gzip-Metadata": {
            "Deflate-Length": length.to_string(),
            "Header-Length": HEADER_BYTES.to_string(),
            "Footer-Length": FOOTER_BYTES.to_string(),
            "Inflated-CRC": crc.cast_signed().to_string(),
            "Inflated-Length": inflated.to_string(),
        },
    }))
}
