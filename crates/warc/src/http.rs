//! HTTP messages as they stand in a block: a head, an empty line, a payload.

use crate::limits::MEDIA_TYPE_BYTES;
use std::borrow::Cow;

/// The two halves of an `application/http` block.
#[derive(Debug, Clone, Copy)]
pub struct HttpMessage<'a> {
    /// Start line and headers, to the empty line inclusive.
    pub head: &'a [u8],
    /// What follows.
    pub payload: &'a [u8],
}

impl<'a> HttpMessage<'a> {
    /// Splits a block. Without an empty line all of it is head.
    pub fn split(block: &'a [u8]) -> Self {
        let (head, payload) = block.split_at(head_len(block));
        Self { head, payload }
    }

    /// The first line, without its end.
    pub fn start_line(&self) -> &'a [u8] {
        lines(self.head).next().unwrap_or_default()
    }

    /// The status code of a response: three digits.
    pub fn status(&self) -> Option<u16> {
        let line = self.start_line();
        let code = line.strip_prefix(b"HTTP/")?.split(|&b| b == b' ').nth(1)?;
        let is_code = code.len() == 3 && code.iter().all(u8::is_ascii_digit);
        is_code.then(|| code.iter().fold(0, |code, digit| 10 * code + u16::from(digit - b'0')))
    }

    /// The values under `name` in their order, trimmed, byte for byte.
    pub fn values(&self, name: &str) -> impl Iterator<Item = Cow<'a, [u8]>> {
        header_lines(self.head).filter(move |line| is_named(line, name)).map(|line| match line {
            Cow::Borrowed(line) => Cow::Borrowed(value_of(line)),
            Cow::Owned(line) => Cow::Owned(value_of(&line).to_vec()),
        })
    }

    /// The first value under `name`, trimmed.
    pub fn header(&self, name: &str) -> Option<String> {
        self.values(name).next().map(|value| header_text(value).into_owned())
    }

    /// The media type of the payload as the server has it, without parameters, in lower case. What is longer than any counts for none.
    pub fn media_type(&self) -> Option<String> {
        let essence = essence(&self.header("content-type")?);
        (!essence.is_empty() && essence.len() <= MEDIA_TYPE_BYTES).then_some(essence)
    }

    /// All values under `name` as one list (RFC 9110, section 5.3).
    pub fn list(&self, name: &str) -> Option<String> {
        self.values(name)
            .map(|value| header_text(value).into_owned())
            .reduce(|list, value| list + ", " + &value)
    }

    /// Whether the payload carries a content coding.
    pub fn is_content_coded(&self) -> bool {
        let mut codings = self.values("content-encoding");
        codings.any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
    }

    /// Whether the payload is said to be in chunks.
    pub fn is_chunked(&self) -> bool {
        self.list("transfer-encoding").is_some_and(|v| v.to_ascii_lowercase().contains("chunked"))
    }
}

fn essence(content_type: &str) -> String {
    content_type.split([';', ',']).next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The header fields of a head, each as one line: what is folded onto further ones is joined by blanks (RFC 9112, section 5.2).
/// Lines that look folded onto the start line belong to no field (section 2.2).
pub fn header_lines(head: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let start_line = memchr::memchr(b'\n', head).map_or(head.len(), |end| end + 1);
    let mut lines = lines(&head[start_line..]).peekable();
    std::iter::from_fn(move || {
        let mut field = Cow::Borrowed(lines.find(|line| !is_continuation(line))?);
        while let Some(more) = lines.next_if(|line| is_continuation(line)) {
            unfold(field.to_mut(), more);
        }
        Some(field)
    })
}

/// A response head as it is archived, for a payload of `payload_len` bytes with its transfer coding removed.
///
/// `Transfer-Encoding` goes; a `Content-Length` that names another length becomes
/// `X-Crawler-Content-Length`; a status line of HTTP/2 or 3 is written as `HTTP/1.1 200 `, which is what
/// jwarc and others read; every line ends with CRLF, and lines of blanks go. All else stays, byte for byte.
pub fn archived_head(head: &[u8], payload_len: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(head.len() + 32);
    let mut lines = lines(head);
    push_status_line(&mut out, lines.next().unwrap_or_default());
    let mut dropping = false;
    while let Some(line) = lines.next() {
        if !is_continuation(line) {
            // Even the colon may stand in a line further on.
            let mut field = Cow::Borrowed(line);
            let folded = lines.clone().take_while(|line| is_continuation(line));
            folded.for_each(|more| unfold(field.to_mut(), more));
            dropping = is_named(&field, "transfer-encoding");
            if is_named(&field, "content-length") && number(value_of(&field)) != Some(payload_len) {
                out.extend_from_slice(b"X-Crawler-");
            }
        }
        // A blank line that goes on with a field adds nothing to it, and is the end of the head to some readers.
        if !dropping && !line.trim_ascii().is_empty() {
            push_line(&mut out, line);
        }
    }
    push_line(&mut out, b"");
    out
}

/// Undoes chunked framing (RFC 9112, section 7.1); `None` where it isn't that.
pub(crate) fn dechunk(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len());
    loop {
        let end = memchr::memchr(b'\n', body)?;
        let size_text = std::str::from_utf8(&body[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size_text, 16).ok()?;
        body = &body[end + 1..];
        if size == 0 {
            return Some(out);
        }
        out.extend_from_slice(body.get(..size)?);
        body = body.get(size..)?.strip_prefix(b"\r\n")?;
    }
}

fn push_status_line(out: &mut Vec<u8>, line: &[u8]) {
    let modern = line.starts_with(b"HTTP/2") || line.starts_with(b"HTTP/3");
    match line.iter().position(|&b| b == b' ') {
        Some(space) if modern => {
            let rest = &line[space + 1..];
            let gap: &[u8] = if rest.contains(&b' ') { b"" } else { b" " };
            push_line(out, &[b"HTTP/1.1 ", rest, gap].concat());
        }
        _ => push_line(out, line),
    }
}

pub(crate) fn push_line(out: &mut Vec<u8>, line: &[u8]) {
    out.extend_from_slice(line);
    out.extend_from_slice(b"\r\n");
}

/// Bytes up to and with the first empty line.
fn head_len(block: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', block)
        .find_map(|at| match &block[at + 1..] {
            [b'\n', ..] => Some(at + 2),
            [b'\r', b'\n', ..] => Some(at + 3),
            _ => None,
        })
        .unwrap_or(block.len())
}

/// Lines without their ends, up to the first empty one.
pub(crate) fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    head.split(|&b| b == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .take_while(|line| !line.is_empty())
}

/// A value that goes on in the next line, as HTTP once allowed.
pub(crate) fn is_continuation(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

fn unfold(field: &mut Vec<u8>, more: &[u8]) {
    field.truncate(field.trim_ascii_end().len());
    field.push(b' ');
    field.extend_from_slice(more.trim_ascii());
}

/// A line or a value of a header as text: UTF-8 as servers write it, and ISO-8859-1, as HTTP once had it (RFC 9110, section 5.5), where it is
/// none.
pub fn header_text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    let latin = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect();
    match bytes {
        Cow::Borrowed(bytes) => {
            str::from_utf8(bytes).map_or_else(|_| Cow::Owned(latin(bytes)), Cow::Borrowed)
        }
        Cow::Owned(bytes) => String::from_utf8(bytes).unwrap_or_else(|error| latin(error.as_bytes())).into(),
    }
}

pub(crate) fn is_named(line: &[u8], name: &str) -> bool {
    let colon = memchr::memchr(b':', line).unwrap_or(0);
    line[..colon].trim_ascii_end().eq_ignore_ascii_case(name.as_bytes())
}

pub(crate) fn value_of(line: &[u8]) -> &[u8] {
    memchr::memchr(b':', line).map_or(&[][..], |colon| line[colon + 1..].trim_ascii())
}

pub(crate) fn number(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    digits.then(|| std::str::from_utf8(value).ok()?.parse().ok())?
}
