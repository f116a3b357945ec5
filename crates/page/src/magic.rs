//! Files that are no text, by how they begin.

use crate::media::is_binary;

/// Whether these are the first bytes of an image, a sound, a film, a font, an archive, a program, or a document that is no markup (MIME
/// Sniffing 6 and 7.1, and what is as common). But for PDF and PostScript one byte must be there that no text has: words may begin alike.
pub(crate) fn begins_file(bytes: &[u8]) -> bool {
    let begins = |magic: &&[u8]| bytes.starts_with(magic);
    PRINTED.iter().any(begins) || (MAGIC.iter().any(begins) || is_laid_out(bytes)) && is_binary(bytes)
}

const PRINTED: [&[u8]; 2] = [b"%PDF-", b"%!PS-Adobe-"];

const MAGIC: [&[u8]; 29] = [
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    // Icons and cursors.
    b"\0\0\x01\0",
    b"\0\0\x02\0",
    // TIFF.
    b"II*\0",
    b"MM\0*",
    // MP3 with tags.
    b"ID3\x02",
    b"ID3\x03",
    b"ID3\x04",
    b"OggS\0",
    b"MThd\0\0\0\x06",
    // WebM and Matroska.
    b"\x1a\x45\xdf\xa3",
    b"wOFF",
    b"wOF2",
    b"OTTO",
    b"ttcf",
    b"\0\x01\0\0",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"BZh91AY&SY",
    b"\0asm",
    b"\x7fELF",
    // Office documents of before 2007.
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
];

/// Formats whose name stands beside a length.
fn is_laid_out(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..]
            | [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..]
            | [b'R', b'I', b'F', b'F', _, _, _, _, b'A', b'V', b'I', b' ', ..]
            | [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', b'F', ..]
            | [_, _, _, _, b'f', b't', b'y', b'p', ..]
            | [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..]
    )
}
