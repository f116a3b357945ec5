//! What a certificate says (RFC 5280), for the archive. Nothing is decided by it: who may be trusted is rustls' affair.

mod der;
mod names;
#[cfg(test)]
mod tests;

use archive::{Leaf, LeafSays};
use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::HEXLOWER;
use der::{Element, Reader, Tag};

/// Of a certificate in DER. Of one that is not as RFC 5280 has them nothing is said but its digest.
pub(crate) fn leaf_of(certificate: &[u8]) -> Leaf {
    let sha256 = HEXLOWER.encode(digest(&SHA256, certificate).as_ref());
    Leaf { sha256, says: says(certificate) }
}

/// RFC 5280, section 4.1.
fn says(certificate: &[u8]) -> Option<LeafSays> {
    let certificate = Reader::new(certificate).expect(Tag::SEQUENCE)?;
    let mut body = certificate.inside().expect(Tag::SEQUENCE)?.inside();
    let _version = body.take_if(Tag::context(0));
    let _serial = body.expect(Tag::INTEGER)?;
    let _algorithm = body.expect(Tag::SEQUENCE)?;
    let issuer = body.expect(Tag::SEQUENCE)?;
    let mut validity = body.expect(Tag::SEQUENCE)?.inside();
    let subject = body.expect(Tag::SEQUENCE)?;
    let _key = body.expect(Tag::SEQUENCE)?;
    let _ids = [body.take_if(Tag::primitive(1)), body.take_if(Tag::primitive(2))];
    let extensions = body.take_if(Tag::context(3));
    Some(LeafSays {
        subject: names::distinguished(subject)?,
        issuer: names::distinguished(issuer)?,
        not_before: moment(validity.next()?)?,
        not_after: moment(validity.next()?)?,
        names: extensions.map_or_else(|| Some(Vec::new()), names::alternative)?,
    })
}

/// A time as DER has it (section 4.1.2.5): `YYMMDDHHMMSSZ`, or with four digits for the year, as ISO 8601 has it.
fn moment(element: Element<'_>) -> Option<String> {
    let text = std::str::from_utf8(element.content).ok()?;
    let (century, rest) = match element.tag {
        Tag::GENERALIZED_TIME => (text.get(..2)?, text.get(2..)?),
        // Two digits from 50 on are of the last century.
        Tag::UTC_TIME if text.get(..2)? >= "50" => ("19", text),
        Tag::UTC_TIME => ("20", text),
        _ => return None,
    };
    let digits = rest.strip_suffix('Z').filter(|digits| digits.len() == 12)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let two = |at: usize| &digits[at..at + 2];
    let (day, time) = ([two(0), two(2), two(4)].join("-"), [two(6), two(8), two(10)].join(":"));
    Some(format!("{century}{day}T{time}Z"))
}
