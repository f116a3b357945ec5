use crate::limits::{H2_HEAD_WIRE_BYTES, HEAD_BYTES, HEAD_MOSTLY, INTERIM_HEADS, REQUEST_BYTES};
use bytes::Bytes;

#[cfg(test)]
mod tests;

/// What went over the wire, as far as the archive wants it: the request's bytes and the final response
/// head, exactly as received. Interim (1xx) heads are counted and forgotten.
///
/// The end of a head is an empty line, its lines ended by LF or CRLF (RFC 9112, section 2.2), which is
/// where hyper ends it too. Linear in the bytes it sees, which end with the head.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    request: Vec<u8>,
    head: Vec<u8>,
    line_is_empty: bool,
    is_whole: bool,
    interim_heads: u32,
    interim_bytes: usize,
    sent: u64,
    received: u64,
    /// HTTP/2: what passes are frames, and heads are written from elsewhere.
    is_framed: bool,
    fault: Option<TapeFault>,
}

/// What a response of HTTP/1.0 begins with.
pub(crate) const OLD_VERSION: &[u8] = b"HTTP/1.0";

/// What the version of any response begins with that is no HTTP/2; a digit follows.
const MAJOR_VERSION: &[u8] = b"HTTP/1.";

/// A limit on heads that a response broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TapeFault {
    #[error("more than {INTERIM_HEADS} interim (1xx) responses")]
    InterimHeads,
    #[error("no end of the response head within {HEAD_BYTES} bytes")]
    HeadBytes,
    #[error("no response head within {H2_HEAD_WIRE_BYTES} bytes of frames")]
    Frames,
    #[error("the request is longer than {REQUEST_BYTES} bytes")]
    RequestBytes,
}

impl Tape {
    /// Makes ready for the next request on the same connection.
    pub(crate) fn rewind(&mut self) {
        *self = Self { is_framed: self.is_framed, ..Self::default() };
    }

    /// From here on it is HTTP/2 that passes.
    pub(crate) fn expect_frames(&mut self) {
        self.is_framed = true;
    }

    /// Both heads, where frames carried them.
    pub(crate) fn write(&mut self, request: Bytes, head: Bytes) {
        (self.request, self.head) = (request.into(), head.into());
        self.is_whole = true;
    }

    /// Bytes sent since the last rewind.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.sent
    }

    /// Bytes received since the last rewind.
    pub(crate) fn received(&self) -> u64 {
        self.received
    }

    /// The limit that was broken, if one was.
    pub(crate) fn fault(&self) -> Option<TapeFault> {
        self.fault
    }

    /// The request as sent.
    pub(crate) fn take_request(&mut self) -> Bytes {
        std::mem::take(&mut self.request).into()
    }

    /// The final response head with its empty line, once it is whole.
    pub(crate) fn take_head(&mut self) -> Option<Bytes> {
        self.is_whole.then(|| std::mem::take(&mut self.head).into())
    }

    pub(crate) fn sent(&mut self, bytes: &[u8]) -> Result<(), TapeFault> {
        self.sent += bytes.len() as u64;
        if self.is_framed {
            return Ok(());
        }
        if self.request.len() + bytes.len() > REQUEST_BYTES {
            return self.fail(TapeFault::RequestBytes);
        }
        self.request.extend_from_slice(bytes);
        Ok(())
    }

    /// What came. In the status line any version of HTTP/1 becomes HTTP/1.1 once it is on tape, for hyper, which reads on. It takes no
    /// Transfer-Encoding by HTTP/1.0, faulty there, but what the body is in (RFC 9112, section 6.1); and no minor version above 1, which
    /// is to be read as the highest that is known (RFC 9110, section 2.5).
    pub(crate) fn heard(&mut self, mut bytes: &mut [u8]) -> Result<(), TapeFault> {
        self.received += bytes.len() as u64;
        if self.is_framed {
            let is_flood = !self.is_whole && self.received > H2_HEAD_WIRE_BYTES;
            return if is_flood { self.fail(TapeFault::Frames) } else { Ok(()) };
        }
        while !bytes.is_empty() && !self.is_whole {
            let line_end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
            let (line, rest) = bytes.split_at_mut(line_end);
            self.append(line)?;
            bytes = rest;
        }
        Ok(())
    }

    /// Appends a line or a part of one.
    fn append(&mut self, part: &mut [u8]) -> Result<(), TapeFault> {
        let starts_head = self.head.is_empty();
        let part = if starts_head { self.skip_empty_lines(part) } else { part };
        let is_blank = part.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        let starts_line = starts_head || self.head.ends_with(b"\n");
        self.line_is_empty = is_blank && (starts_line || self.line_is_empty);
        if starts_head {
            self.head.reserve(HEAD_MOSTLY);
        }
        self.head.extend_from_slice(part);
        self.settle_version(part);
        if self.interim_bytes + self.head.len() > HEAD_BYTES {
            return self.fail(TapeFault::HeadBytes);
        }
        if self.line_is_empty && part.ends_with(b"\n") {
            return self.end_head();
        }
        Ok(())
    }

    /// Empty lines before a status line are no part of a head (RFC 9112, section 2.2), but count.
    fn skip_empty_lines<'p>(&mut self, part: &'p mut [u8]) -> &'p mut [u8] {
        let blank = part.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.interim_bytes += blank;
        &mut part[blank..]
    }

    /// `part` is the end of the head so far.
    fn settle_version(&self, part: &mut [u8]) {
        let part_at = self.head.len() - part.len();
        if self.head.starts_with(MAJOR_VERSION)
            && self.head.get(MAJOR_VERSION.len()).is_some_and(u8::is_ascii_digit)
            && let Some(minor) = MAJOR_VERSION.len().checked_sub(part_at)
        {
            part[minor] = b'1';
        }
    }

    fn end_head(&mut self) -> Result<(), TapeFault> {
        if !is_interim(&self.head) {
            self.is_whole = true;
            return Ok(());
        }
        self.interim_heads += 1;
        self.interim_bytes += self.head.len();
        self.head.clear();
        if self.interim_heads > INTERIM_HEADS {
            return self.fail(TapeFault::InterimHeads);
        }
        Ok(())
    }

    fn fail(&mut self, fault: TapeFault) -> Result<(), TapeFault> {
        self.fault = Some(fault);
        Err(fault)
    }
}

/// `HTTP/1.1 1xx`, except 101, which is final (RFC 9110, section 15.2).
fn is_interim(head: &[u8]) -> bool {
    let status = head.splitn(2, |byte| *byte == b' ').nth(1).unwrap_or_default();
    matches!(status, [b'1', tens, ones, ..] if (*tens, *ones) != (b'0', b'1'))
}
