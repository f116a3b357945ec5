/// A reference whose bytes beyond ASCII are percent-encoded as they are: in whatever encoding they mean something, their server knows it.
pub fn in_ascii(reference: &[u8]) -> String {
    let mut out = String::with_capacity(reference.len());
    for &byte in reference {
        match byte {
            0x80.. => out.extend(['%', hex(byte >> 4), hex(byte & 15)]),
            _ => out.push(char::from(byte)),
        }
    }
    out
}

fn hex(digit: u8) -> char {
    char::from(b"0123456789ABCDEF"[usize::from(digit)])
}
