use super::der::{Element, Tag};
use crate::limits::{CERTIFICATE_NAME_BYTES, CERTIFICATE_NAMES};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What the attributes of names are called (RFC 4514, section 3, and what browsers show), by the bytes of their OIDs.
const ATTRIBUTES: &[(&[u8], &str)] = &[
    (&[0x55, 4, 3], "CN"),
    (&[0x55, 4, 6], "C"),
    (&[0x55, 4, 7], "L"),
    (&[0x55, 4, 8], "ST"),
    (&[0x55, 4, 9], "STREET"),
    (&[0x55, 4, 10], "O"),
    (&[0x55, 4, 11], "OU"),
    (&[0x55, 4, 5], "SERIALNUMBER"),
];

/// `subjectAltName` (RFC 5280, section 4.2.1.6).
const ALTERNATIVE: &[u8] = &[0x55, 0x1D, 17];

/// A distinguished name, most particular part first: `CN=example.com, O=Example`. Attributes that have no short name are left out.
pub(super) fn distinguished(name: Element<'_>) -> Option<String> {
    let mut parts = Vec::new();
    for set in name.inside() {
        for attribute in set.inside() {
            let mut fields = attribute.inside();
            let (oid, value) = (fields.expect(Tag::OID)?, fields.next()?);
            let known = ATTRIBUTES.iter().find(|(bytes, _)| *bytes == oid.content);
            parts.extend(known.map(|(_, short)| format!("{short}={}", text(value))));
        }
    }
    parts.reverse();
    Some(cut(parts.join(", ")))
}

/// The names and addresses among the extensions that a certificate is for, as many as are kept.
pub(super) fn alternative(extensions: Element<'_>) -> Option<Vec<String>> {
    for extension in extensions.inside().expect(Tag::SEQUENCE)?.inside() {
        let mut fields = extension.inside();
        let oid = fields.expect(Tag::OID)?;
        let _critical = fields.take_if(Tag::BOOLEAN);
        if oid.content == ALTERNATIVE {
            let names = fields.expect(Tag::OCTETS)?.inside().expect(Tag::SEQUENCE)?;
            return Some(names.inside().filter_map(general).take(CERTIFICATE_NAMES).collect());
        }
    }
    Some(Vec::new())
}

/// A DNS name or an address; the other kinds are not for servers.
fn general(name: Element<'_>) -> Option<String> {
    match name.tag {
        tag if tag == Tag::primitive(2) => Some(text(name)),
        tag if tag == Tag::primitive(7) => address(name.content).map(|address| address.to_string()),
        _ => None,
    }
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(|bytes| IpAddr::from(Ipv4Addr::from(bytes)));
    four.or_else(|_| <[u8; 16]>::try_from(bytes).map(|bytes| IpAddr::from(Ipv6Addr::from(bytes)))).ok()
}

/// A string of any of the types that names are made of; what is not text is replaced.
fn text(value: Element<'_>) -> String {
    let is_wide = value.tag == Tag::BMP_STRING;
    let text = if is_wide {
        let units: Vec<u16> =
            value.content.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    } else {
        String::from_utf8_lossy(value.content).into_owned()
    };
    cut(text)
}

fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(CERTIFICATE_NAME_BYTES));
    text
}
