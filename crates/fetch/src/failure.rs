//! Library errors as failures whose fault is known.

pub(crate) mod certificate;

use crate::tape::TapeFault;
use crawler::{Failure, FailureKind};
use std::error::Error;
use std::io;
use std::net::IpAddr;

#[cfg(test)]
mod tests;

/// A failure of this kind, with particulars for people.
pub(crate) fn failure(kind: FailureKind, detail: impl Into<String>) -> Failure {
    Failure { kind, detail: detail.into() }
}

/// Why a TCP connection to `to` could not be made.
pub(crate) fn of_connect(to: IpAddr, error: &io::Error) -> Failure {
    use io::ErrorKind as Io;
    let kind = match error.kind() {
        _ if is_turned_away(to, error) => FailureKind::ConnectTimeout,
        Io::ConnectionRefused | Io::ConnectionReset | Io::ConnectionAborted => FailureKind::ConnectRefused,
        Io::TimedOut | Io::NetworkUnreachable | Io::HostUnreachable | Io::NetworkDown => {
            FailureKind::ConnectTimeout
        }
        // Too few descriptors, ports or memory; a firewall of this machine.
        _ => FailureKind::Local,
    };
    failure(kind, format!("connect: {error}"))
}

/// Whether somebody near `to` says that it is not to be had: what "administratively prohibited" of IPv6, and "protocol unreachable" and "host
/// unknown" come out as.
#[cfg(target_os = "linux")]
fn is_turned_away(to: IpAddr, error: &io::Error) -> bool {
    use rustix::io::Errno;
    let is = |errno: Errno| error.raw_os_error() == Some(errno.raw_os_error());
    to.is_ipv6() && is(Errno::ACCESS) || is(Errno::NOPROTOOPT) || is(Errno::HOSTDOWN)
}

#[cfg(not(target_os = "linux"))]
fn is_turned_away(_: IpAddr, _: &io::Error) -> bool {
    false
}

/// Why a TLS handshake failed.
pub(crate) fn of_handshake(error: &io::Error) -> Failure {
    let cause = tls_cause(error);
    let kind = match cause {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented) => {
            FailureKind::Certificate
        }
        None if is_close(error.kind()) => FailureKind::Disconnected,
        _ => FailureKind::Tls,
    };
    let words = cause.map_or_else(|| error.to_string(), certificate::words);
    failure(kind, format!("TLS handshake: {words}"))
}

/// Why there is no whole response head.
pub(crate) fn of_exchange(error: &hyper::Error) -> Failure {
    let kind = match cause::<io::Error>(error) {
        _ if cause::<TapeFault>(error).is_some() => FailureKind::Protocol,
        Some(io_error) if tls_cause(io_error).is_some() => FailureKind::Tls,
        Some(io_error) if is_close(io_error.kind()) => FailureKind::Disconnected,
        Some(_) => FailureKind::Local,
        None if cause::<h2::Error>(error).is_some_and(breaks_protocol) => FailureKind::Protocol,
        None if error.is_parse() => FailureKind::Protocol,
        None if error.is_user() => FailureKind::Local,
        None => FailureKind::Disconnected,
    };
    failure(kind, chain(error))
}

/// Whether the other end closed TCP without having closed TLS.
pub(crate) fn is_end_without_notice(error: &hyper::Error) -> bool {
    cause::<io::Error>(error).is_some_and(|error| error.kind() == io::ErrorKind::UnexpectedEof)
}

/// Whether a body of HTTP/1.1 is in chunks that are none (RFC 9112, section 7.1), as hyper says it.
pub(crate) fn is_faulty_framing(error: &hyper::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput};
    let is_framing =
        |error: &io::Error| matches!(error.kind(), InvalidData | InvalidInput) && tls_cause(error).is_none();
    cause(error).is_some_and(is_framing)
}

/// Whether a server that speaks HTTP/2 says that it has done nothing about the request: it may be made again on another connection (RFC 9113,
/// section 8.7). hyper takes back requests beyond the last that a server going away will answer.
pub(crate) fn is_refusal(error: &hyper::Error) -> bool {
    let Some(error) = cause::<h2::Error>(error) else { return false };
    let goes_away = error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR);
    error.is_remote() && (goes_away || error.reason() == Some(h2::Reason::REFUSED_STREAM))
}

/// Whether a server that agreed to HTTP/2 wants to be asked by HTTP/1.1 instead (RFC 9113, section 7).
pub(crate) fn requires_one(error: &hyper::Error) -> bool {
    let error = cause::<h2::Error>(error);
    error.is_some_and(|error| error.is_remote() && error.reason() == Some(h2::Reason::HTTP_1_1_REQUIRED))
}

/// Whether it is we who find that a server breaks the rules of HTTP/2, as with a field that belongs to connections of HTTP/1.1 (RFC 9113,
/// section 8.2.2), or an answer in HTTP/1.1 after all.
pub(crate) fn is_faulty_two(error: &hyper::Error) -> bool {
    cause::<h2::Error>(error).is_some_and(|error| error.is_library() && breaks_protocol(error))
}

/// Whether a server that speaks HTTP/2 is at fault beyond going away or turning a request down.
fn breaks_protocol(error: &h2::Error) -> bool {
    !matches!(error.reason(), None | Some(h2::Reason::NO_ERROR | h2::Reason::REFUSED_STREAM))
}

fn is_close(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as Io;
    matches!(
        kind,
        Io::ConnectionReset
            | Io::ConnectionAborted
            | Io::BrokenPipe
            | Io::UnexpectedEof
            | Io::NotConnected
            | Io::TimedOut
            | Io::HostUnreachable
            | Io::NetworkUnreachable
    )
}

fn tls_cause(error: &io::Error) -> Option<&rustls::Error> {
    error.get_ref()?.downcast_ref()
}

/// The first error of type `E` in the chain, also where an I/O error wraps it.
fn cause<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let found = error.downcast_ref().or_else(|| wrapped.and_then(|inner| inner.downcast_ref()));
        if found.is_some() {
            return found;
        }
        next = error.source();
    }
    None
}

/// The error and its sources, as one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text = format!("{text}: {error}");
        next = error.source();
    }
    text
}
