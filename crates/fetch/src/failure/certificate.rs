//! What is wrong with a certificate, in words.

use crate::limits::NAMES_IN_WORDS;
use rustls::pki_types::UnixTime;
use rustls::{CertificateError, Error};
use stdx::WallTime;

/// What webpki says of a certificate that may sign others and is a server's: whoever signs his own with `openssl req -x509` has one.
const AUTHORITY_AS_SERVER: &str = "CaUsedAsEndEntity";

/// Why a certificate is not trusted. The words are the same at each look, where rustls's count the seconds since it expired; what only this
/// certificate has stands in brackets, and is short, where theirs have all of its names.
pub(crate) fn words(error: &Error) -> String {
    let Error::InvalidCertificate(wrong) = error else { return error.to_string() };
    match wrong {
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("certificate expired (on {})", day(*not_after))
        }
        CertificateError::NotValidYetContext { not_before, .. } => {
            format!("certificate not valid yet (before {})", day(*not_before))
        }
        CertificateError::NotValidForNameContext { presented, .. } => {
            format!("certificate not valid for this name ({})", names(presented))
        }
        CertificateError::UnknownIssuer => "certificate of an unknown issuer".to_owned(),
        // How rustls passes on what it has no word of its own for.
        CertificateError::Other(cause) if cause.to_string() == AUTHORITY_AS_SERVER => {
            "certificate of an authority, not of a server".to_owned()
        }
        CertificateError::Other(cause) => format!("certificate not valid ({cause})"),
        _ => error.to_string(),
    }
}

/// `2026-11-20`.
fn day(moment: UnixTime) -> String {
    let mut text = WallTime::from_unix_ms(moment.as_secs().saturating_mul(1_000)).iso_seconds();
    text.truncate(text.find('T').unwrap_or(text.len()));
    text
}

/// `but for a.example, b.example and 97 more`, of what rustls shows as `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let (first, rest) = presented.split_at(presented.len().min(NAMES_IN_WORDS));
    let bare = |name: &String| name.split('"').nth(1).unwrap_or(name).to_owned();
    let first = first.iter().map(bare).collect::<Vec<_>>().join(", ");
    match (presented.len(), rest.len()) {
        (0, _) => "nor for any".to_owned(),
        (_, 0) => format!("but for {first}"),
        (_, more) => format!("but for {first} and {more} more"),
    }
}
