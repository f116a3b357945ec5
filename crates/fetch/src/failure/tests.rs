use super::{of_connect, of_handshake};
use crawler::FailureKind;
use std::io;

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
    ];
    for (error, kind) in cases {
        assert_eq!(of_connect(&error).kind, kind, "{error}");
    }
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

/// The error of a system call, by its Linux number.
fn libc_error(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}
