use super::{Charset, CharsetSource, by_label, declares_inside, prescan, xml_declaration};
use crate::limits::{PRESCAN_BYTES, SMALL_VALUE_BYTES};
use crate::media;
use crate::page::Warning;
use crate::text::collapse;
use encoding_rs::Encoding;

/// What speaks against the encoding that was found for these bytes, and what nobody said.
pub(crate) fn doubts(found: Charset, bytes: &[u8], content_type: Option<&str>) -> Vec<Warning> {
    let mut doubts = Doubts { found, warnings: Vec::new() };
    for label in content_type.into_iter().flat_map(media::charset_labels) {
        match by_label(label) {
            Some(encoding) => doubts.declared(CharsetSource::Header, encoding),
            None => doubts.unknown(CharsetSource::Header, label.as_bytes()),
        }
    }
    let head = &bytes[..bytes.len().min(PRESCAN_BYTES)];
    if declares_inside(head, content_type) {
        doubts.inside(head);
    }
    let is_by_default = found.source == CharsetSource::Default && !bytes.is_ascii();
    if found.source == CharsetSource::Detector || is_by_default {
        doubts.warnings.push(Warning::GuessedCharset(found.name()));
    }
    doubts.warnings
}

struct Doubts {
    found: Charset,
    warnings: Vec<Warning>,
}

impl Doubts {
    fn inside(&mut self, head: &[u8]) {
        match prescan::prescan(head, &mut |label| self.unknown(CharsetSource::Meta, label)) {
            Some(encoding) => self.declared(CharsetSource::Meta, encoding),
            None if self.found.source == CharsetSource::Meta => self.warnings.push(Warning::LateCharset),
            None => {}
        }
        if let Some(encoding) = xml_declaration(head) {
            self.declared(CharsetSource::XmlDeclaration, encoding);
        }
    }

    fn declared(&mut self, said_by: CharsetSource, encoding: &'static Encoding) {
        if encoding != self.found.encoding {
            let charset = encoding.name().to_ascii_lowercase();
            self.warnings.push(Warning::OverruledCharset { charset, said_by, by: self.found.source });
        }
    }

    fn unknown(&mut self, said_by: CharsetSource, label: &[u8]) {
        let label = collapse(&String::from_utf8_lossy(label), SMALL_VALUE_BYTES);
        self.warnings.push(Warning::UnknownCharset { label, said_by });
    }
}
