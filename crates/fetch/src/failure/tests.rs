use super::{certificate, of_connect, of_handshake};
use crawler::FailureKind;
use rustls::pki_types::UnixTime;
use rustls::{CertificateError, Error, OtherError};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn connect_errors_by_whose_fault_they_are() {
    let cases = [
        (libc_error(111), FailureKind::ConnectRefused), // ECONNREFUSED
        (libc_error(104), FailureKind::ConnectRefused), // ECONNRESET
        (libc_error(110), FailureKind::ConnectTimeout), // ETIMEDOUT
        (libc_error(101), FailureKind::ConnectTimeout), // ENETUNREACH
        (libc_error(113), FailureKind::ConnectTimeout), // EHOSTUNREACH
        (libc_error(24), FailureKind::Local),           // EMFILE
        (libc_error(99), FailureKind::Local),           // EADDRNOTAVAIL: no port left
        (libc_error(13), FailureKind::Local),           // EACCES: forbidden here
        (libc_error(92), FailureKind::ConnectTimeout),  // ENOPROTOOPT
        (libc_error(112), FailureKind::ConnectTimeout), // EHOSTDOWN
    ];
    for (error, kind) in cases {
        assert_eq!(of_connect(Ipv4Addr::LOCALHOST.into(), &error).kind, kind, "{error}");
    }
    // A firewall at the other end.
    let prohibited = of_connect(Ipv6Addr::LOCALHOST.into(), &libc_error(13));
    assert_eq!(prohibited.kind, FailureKind::ConnectTimeout);
}

#[test]
fn handshake_errors_by_whose_fault_they_are() {
    let tls = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    let expired = rustls::Error::InvalidCertificate(rustls::CertificateError::Expired);
    let alert = rustls::Error::AlertReceived(rustls::AlertDescription::HandshakeFailure);
    let cases = [
        (tls(expired), FailureKind::Certificate),
        (tls(alert), FailureKind::Tls),
        (io::ErrorKind::UnexpectedEof.into(), FailureKind::Disconnected),
        (io::ErrorKind::ConnectionReset.into(), FailureKind::Disconnected),
        (io::ErrorKind::InvalidInput.into(), FailureKind::Tls),
    ];
    for (error, kind) in cases {
        assert_eq!(of_handshake(&error).kind, kind, "{error}");
    }
}

#[test]
fn a_certificate_is_told_in_few_words_that_stay_the_same() {
    let at = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let expired = |time| CertificateError::ExpiredContext { time: at(time), not_after: at(1_009_843_200) };
    let early = CertificateError::NotValidYetContext { time: at(0), not_before: at(u64::MAX) };
    let for_names = |names: usize| CertificateError::NotValidForNameContext {
        expected: "site.test".try_into().unwrap(),
        presented: (0..names).map(|n| format!("DnsName(\"{n}.test\")")).collect(),
    };
    let other = |cause| CertificateError::Other(OtherError(Arc::new(io::Error::other(cause))));
    let cases = [
        (expired(1_600_000_000), "certificate expired (on 2002-01-01)"),
        (expired(1_600_000_001), "certificate expired (on 2002-01-01)"),
        (for_names(0), "certificate not valid for this name (nor for any)"),
        (for_names(1), "certificate not valid for this name (but for 0.test)"),
        (
            for_names(1_000),
            "certificate not valid for this name (but for 0.test, 1.test, 2.test, 3.test and 996 more)",
        ),
        (CertificateError::UnknownIssuer, "certificate of an unknown issuer"),
        (other("CaUsedAsEndEntity"), "certificate of an authority, not of a server"),
        (other("NameConstraintViolation"), "certificate not valid (NameConstraintViolation)"),
    ];
    for (error, words) in cases {
        assert_eq!(certificate::words(&Error::InvalidCertificate(error)), words);
    }
    let words = certificate::words(&Error::InvalidCertificate(early));
    assert!(words.starts_with("certificate not valid yet (before ") && words.len() < 60, "{words}");
}

/// The error of a system call, by its Linux number.
fn libc_error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}
